"""The figures of a method: what they are called and how they are written."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """`name` is its key in a record; `title` heads its column, in which it is shown `scale` times as large."""

    name: str
    title: str
    scale: float = 1.0
    digits: int = 4

    def format(self, value: float | None) -> str:
        """The value as text, empty if it is not known.

        >>> FIGURES["f1"].format(0.87654), FIGURES["f1"].format(None)
        ('87.65', '')
        """
        return "" if value is None else f"{self.scale * value:.{self.digits}f}"


FIGURES = {
    one.name: one
    for one in (
        Figure("error", "Error %", 100, 2),
        Figure("balanced_accuracy", "Balanced acc. %", 100, 2),
        Figure("f1", "F1 %", 100, 2),
        Figure("average_precision", "Avg. precision %", 100, 2),
        Figure("log_loss", "Log loss"),
        Figure("calibration_error", "Calibration error %", 100, 2),
        Figure("roc_auc", "AUC"),
        Figure("fit_seconds", "Fit s", 1, 2),
    )
}
"""Those with a title of their own, in the order in which they are shown; any other is shown under its name."""


def find_figure(name: str) -> Figure:
    """The figure of this name.

    >>> find_figure("log_loss").title, find_figure("depth").title
    ('Log loss', 'depth')
    """
    return FIGURES.get(name, Figure(name, name))


UNSHOWN = frozenset({"g", "predict_cpu_seconds"})
"""Figures that tables leave out, for want of room; JSON has them."""
