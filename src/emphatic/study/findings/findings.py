"""All that a store holds of a study: as a table, in words, and as a page."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from emphatic.report import write_page
from emphatic.study.findings.across import Across, compare_across
from emphatic.study.findings.collecting import Entry, collect_outcome, measure_share
from emphatic.study.findings.outcome import Outcome
from emphatic.study.findings.page import make_chart_section, make_study_sections, make_table_section
from emphatic.study.findings.table import format_difference
from emphatic.study.store import Store
from emphatic.study.tasks import Task, TaskKey
from emphatic.wording import count

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Findings:
    """What came of a study, problem by problem. Made by `Study.collect`.

    A method with several settings is shown once for each of them. One that lacks a fit on a problem is not judged
    there: `unfinished` says why.

    Examples
    --------
    >>> import tempfile
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from emphatic.study import Method, OwnProblem, RepeatedKFold, Store, Study
    >>> methods = [Method("tree", lambda setting, random_state: DecisionTreeClassifier(random_state=random_state)),
    ...            Method("bayes", lambda setting, random_state: GaussianNB())]
    >>> problem = OwnProblem("iris", *load_iris(return_X_y=True))
    >>> study = Study("mine", methods, [problem], RepeatedKFold(n_folds=3, n_repeats=1))
    >>> with tempfile.TemporaryDirectory() as folder, Store(f"{folder}/mine.sqlite") as store:
    ...     done = study.run(store, progress=False)
    ...     findings = study.collect(store)
    >>> findings.table()["method"].tolist()
    ['bayes', 'tree']
    """

    name: str
    outcomes: Mapping[str, Outcome]

    @classmethod
    def of_tasks(cls, name: str, tasks: Iterable[Task], store: Store) -> Findings:
        """Collect the records of these tasks."""
        by_problem: dict[str, list[Task]] = {}
        for task in tasks:
            by_problem.setdefault(task.key.problem, []).append(task)
        outcomes = {
            problem: collect_outcome(_list_entries(held), store, measure_share(held))
            for problem, held in by_problem.items()
        }
        return cls(name, outcomes)

    @property
    def unfinished(self) -> dict[tuple[str, str], str]:
        """Why a method lacks a fit on a problem, by (problem, method); empty if all is done."""
        return {
            (problem, name): reason
            for problem, found in self.outcomes.items()
            for name, reason in found.unfinished.items()
        }

    @property
    def across(self) -> Across | None:
        """The methods compared over the problems; None if there are too few of either."""
        return compare_across(self.outcomes)

    def table(self) -> pd.DataFrame:
        """One row for each method on each problem, the best first: means over the test folds.

        `difference` is the error minus that of the best method on the problem, with a 95% confidence interval and p of
        the resampled t test, corrected by Holm; they are missing where there are too few folds.
        """
        import pandas as pd

        rows: list[dict[str, Any]] = []
        for problem, found in self.outcomes.items():
            if not found.finished:
                continue
            for one, difference in zip(found.finished, found.differences(), strict=True):
                row = {"problem": problem, "method": one.name, "error": one.mean("error"), "std": one.spread("error")}
                row["folds"] = found.n_folds
                row["difference"] = 0.0 if difference is None else difference.mean
                for name in ("low", "high", "p"):
                    row[name] = None if difference is None else getattr(difference, name)
                rows.append(row | {figure: one.find_mean(figure) for figure in found.figures if figure != "error"})
        return pd.DataFrame(rows).astype({"low": float, "high": float, "p": float} if rows else {})

    def summary(self) -> str:
        """The best of every problem, the others against it, and tests over the problems, in words."""
        lines = [f"Study {self.name}: {count(len(self.outcomes), 'problem')}"]
        for problem, found in self.outcomes.items():
            lines += _describe_outcome(problem, found)
        if self.across is not None:
            lines += self.across.describe()
        lines += [f"Not finished: {name} on {problem}: {why}" for (problem, name), why in self.unfinished.items()]
        return "\n".join(lines)

    def to_html(self, path: str | Path) -> None:
        """Write a page with all tables, tests and charts: one file that needs no network."""
        finished = {problem: found for problem, found in self.outcomes.items() if found.finished}
        if not finished:
            raise ValueError(f"study {self.name} has no method that finished: there is nothing to show")
        notes = [f"Not finished: {name} on {problem}: {why}" for (problem, name), why in self.unfinished.items()]
        lead = f"{count(len(self.outcomes), 'problem')}. " + " ".join(notes)
        [only, *more] = finished
        if more:
            write_page(path, f"Study {self.name}", lead, make_study_sections(finished, self.across))
        else:
            sections = [make_table_section(finished[only]), make_chart_section(finished[only])]
            write_page(path, f"{self.name}: {only}", lead, sections)


def _list_entries(tasks: list[Task]) -> list[Entry]:
    """The methods of one problem; a setting is part of the name where a method has several."""
    keys: dict[tuple[str, str], list[TaskKey]] = {}
    for task in tasks:
        keys.setdefault((task.key.method, task.key.setting), []).append(task.key)
    n_settings = {method: sum(other == method for other, _ in keys) for method, _ in keys}
    return [
        Entry(f"{method}, {_write_setting(setting)}" if n_settings[method] > 1 else method, held)
        for (method, setting), held in keys.items()
    ]


def _write_setting(setting: str) -> str:
    return ", ".join(f"{name}={value}" for name, value in json.loads(setting).items()) or "default"


def _describe_outcome(problem: str, outcome: Outcome) -> list[str]:
    if not outcome.finished:
        return [f"{problem}: no method finished"]
    best = outcome.finished[0]
    lines = [
        f"{problem}: lowest error {100 * best.mean('error'):.2f}%, {best.name} ({count(outcome.n_folds, 'test fold')})"
    ]
    for one, difference in zip(outcome.finished[1:], outcome.differences()[1:], strict=True):
        text, p = format_difference(difference)
        lines.append(f"  {one.name}: {text} points, {'p = ' if p[:1].isdigit() else ''}{p}")
    return lines
