"""The rules of combination by name."""

from collections.abc import Callable

from emphatic import check
from emphatic.fusion.evidence.cautious_rule import cautious
from emphatic.fusion.evidence.conjunctive import dempster, smets
from emphatic.fusion.evidence.dubois_prade_rule import dubois_prade
from emphatic.fusion.evidence.masses import Masses
from emphatic.fusion.evidence.redistribution import pcr5, pcr6
from emphatic.fusion.evidence.yager_rule import yager

COMBINATIONS: dict[str, Callable[..., Masses]] = {
    rule.__name__: rule for rule in (dempster, smets, yager, dubois_prade, cautious, pcr5, pcr6)
}
"""The rules of combination by name, as `combine` takes them."""


def combine(*sources: Masses, rule: str = "dempster") -> Masses:
    """Combine sources by a rule that is given by name.

    Parameters
    ----------
    *sources : Masses
        At least 1, with the same samples and classes; "pcr5" takes 2.
    rule : {"dempster", "smets", "yager", "dubois_prade", "cautious", "pcr5", "pcr6"}, default="dempster"
        What becomes of conflict: it is shared out in proportion to what is left ("dempster"), stays on the empty set
        ("smets", "cautious"), goes to Theta ("yager"), to the union of the sets that contradict each other
        ("dubois_prade"), or back to these sets in proportion to their masses ("pcr5", "pcr6").

    Returns
    -------
    Masses
        Its `conflict` is the mass on the empty set before a rule has moved it: the same under every rule but
        "cautious". It is 1 where the sources contradict each other completely.

    Examples
    --------
    >>> from emphatic.fusion.evidence import Masses, combine
    >>> first, second = Masses.of_supports([[0.9, 0.1, 0.0]], 0.9), Masses.of_supports([[0.0, 0.2, 0.8]], 0.9)
    >>> for rule in ("dempster", "yager", "dubois_prade", "pcr6"):
    ...     print(rule, combine(first, second, rule=rule).pignistic().round(2))
    dempster [[0.41 0.23 0.37]]
    yager [[0.35 0.31 0.34]]
    dubois_prade [[0.45 0.15 0.4 ]]
    pcr6 [[0.51 0.08 0.41]]
    """
    chosen = COMBINATIONS[check.one_of("rule", rule, COMBINATIONS)]
    if chosen is pcr5 and len(sources) != 2:
        raise ValueError(f"rule='pcr5' takes 2 sources, but there are {len(sources)}: take rule='pcr6'.")
    return chosen(*sources)
