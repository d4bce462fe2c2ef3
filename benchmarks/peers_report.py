"""What the store holds of `benchmarks.peers`, as Markdown: mean ranks, tests, times, and every problem."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from benchmarks.peers_problems import HALVES
from benchmarks.peers_results import METRICS, OURS, Results, results
from emphatic.study.statistics import against_all, friedman, nemenyi_distance, win_lose_draw
from emphatic.study.tasks import Record

TITLES = {
    "error": "error", "balanced_accuracy": "balanced accuracy", "g": "g", "roc_auc": "ROC AUC", "log_loss": "log loss",
}  # fmt: skip
YARDSTICK = "LightGBM"


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Lines of Markdown, numbers to the right."""
    rule = "|---" + "|---:" * (len(header) - 1) + "|"
    return ["| " + " | ".join(header) + " |", rule, *("| " + " | ".join(row) + " |" for row in rows), ""]


def rank_lines(found: Results) -> list[str]:
    """Mean ranks by every metric, the best by error first, and what difference counts."""
    ranks = {metric: found.ranks(metric) for metric in METRICS}
    order = np.argsort(ranks["error"], kind="stable")
    rows = [[found.methods[j], *(f"{ranks[metric][j]:.2f}" for metric in METRICS)] for j in order]
    distance = nemenyi_distance(len(found.methods), len(found.problems))
    said = (
        f"{len(found.problems)} problems; partitions of each: {span(found.n_partitions)}. Critical difference "
        f"(Nemenyi, 5%): {distance:.2f}."
    )
    if len(found.methods) > 2:
        tests = {metric: friedman(METRICS[metric] * found.means[metric]).p for metric in ("error", "log_loss")}
        said += " Friedman's p: " + ", ".join(f"{TITLES[metric]} {p:.1g}" for metric, p in tests.items()) + "."
    return [*table(["method", *TITLES.values()], rows), said, *_left_out(found), ""]


def comparison_lines(found: Results) -> list[str]:
    """Ours against each of the others: problems won, lost and drawn, and p with Holm's correction."""
    if OURS not in found.methods or len(found.methods) < 2:
        return []
    ours = found.methods.index(OURS)
    ps = {metric: against_all(METRICS[metric] * found.means[metric], ours) for metric in ("error", "log_loss")}
    rows = []
    for j, method in enumerate(found.methods):
        if j != ours:
            cells = [method]
            for metric, p in ps.items():
                wins = win_lose_draw(found.means[metric][:, ours], found.means[metric][:, j])
                cells += [" / ".join(map(str, wins)), f"{p[j]:.2g}"]
            rows.append(cells)
    header = [f"{OURS} against", "error: won / lost / drawn", "p", "log loss: won / lost / drawn", "p"]
    return [*table(header, rows), "p: Wilcoxon's signed ranks over the problems, two-sided, Holm's correction.", ""]


def time_lines(found: Results) -> list[str]:
    """CPU seconds, medians over the problems, in units of LightGBM's too; for searches what they could try."""
    fit, predict = found.means["fit_cpu_seconds"], found.means["predict_cpu_seconds"]
    columns = {
        "fit, s": [f"{value:.2f}" for value in np.median(fit, axis=0)],
        "longest fit, s": [f"{value:.1f}" for value in fit.max(axis=0)],
        "predict, ms": [f"{1000 * value:.1f}" for value in np.median(predict, axis=0)],
    }
    if YARDSTICK in found.methods:
        unit = found.methods.index(YARDSTICK)
        for what, seconds in (("fit", fit), ("predict", predict)):
            medians, ratios = np.median(seconds, axis=0), np.median(seconds / seconds[:, [unit]], axis=0)
            columns[f"{what} / {YARDSTICK}"] = [f"{value:.1f}" for value in medians / medians[unit]]
            columns[f"{what}, median ratio"] = [f"{value:.1f}" for value in ratios]
    if found.means["n_candidates"].any():
        columns["candidates"] = [f"{value:.0f}" for value in np.median(found.means["n_candidates"], axis=0)]
    order = np.argsort(np.median(fit, axis=0), kind="stable")
    return table(["method", *columns], [[found.methods[j], *(of[j] for of in columns.values())] for j in order])


def problem_lines(found: Results, metric: str) -> list[str]:
    """Every problem, the best of each in bold; errors in percent."""
    scale, digits = (100, 1) if metric == "error" else (1, 3)
    rows = []
    for problem, values in zip(found.problems, METRICS[metric] * found.means[metric], strict=True):
        best = np.isclose(values, values.min(), rtol=0, atol=1e-12)
        texts = [f"{scale * abs(value):.{digits}f}" for value in values]
        rows.append([problem, *(f"**{text}**" if first else text for text, first in zip(texts, best, strict=True))])
    means = scale * np.abs(found.means[metric].mean(axis=0))
    return table(["problem", *found.methods], [*rows, ["mean", *(f"{value:.{digits}f}" for value in means)]])


def page(records: Sequence[Record], problems: Sequence[str], noise: Sequence[float], max_train: int) -> list[str]:
    """All lines."""
    lines: list[str] = []
    for flipped in noise:
        labels = f"{flipped:.0%} of the training labels flipped" if flipped else "clean labels"
        for is_tuned, found in results(records, problems, flipped, max_train).items():
            if not found.problems or len(found.methods) < 2:
                continue
            what = f"{labels}, {'tuned with equal time' if is_tuned else 'defaults'}"
            for half, names in HALVES.items():
                part = found.part(names)
                if len(part.problems) > 1:
                    lines += [f"## {what}: {half} problems".replace(": all", ": all bundled"), ""]
                    lines += [*rank_lines(part), *comparison_lines(part)]
            lines += [f"## {what}: times", "", *time_lines(found)]
            lines += [f"## {what}: error in percent", "", *problem_lines(found, "error")]
            lines += [f"## {what}: log loss", "", *problem_lines(found, "log_loss")]
    return lines


def span(numbers: Sequence[int]) -> str:
    """The least and the largest, or the one number that all are."""
    low, high = min(numbers), max(numbers)
    return str(low) if low == high else f"{low} to {high}"


def _left_out(found: Results) -> list[str]:
    lines = []
    if found.unfinished:
        lacks = ", ".join(f"{method} ({n})" for method, n in found.unfinished.items())
        lines.append(f"Not ranked, as they have not finished or do not take some problems: {lacks}.")
    if found.refusals:
        counts = ", ".join(f"{method} {n}" for method, n in found.refusals.items())
        lines.append(f"Fits that ended in an error, over all problems, scored as the class frequencies: {counts}.")
    return lines
