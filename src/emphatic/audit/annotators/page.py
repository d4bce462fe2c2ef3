"""The page of an audit of annotators: who is how good, who mistakes what for what, and where to ask once more."""

import math
from pathlib import Path

from emphatic.audit.annotators.findings import AnnotatorFindings
from emphatic.report.grid import Bar, Cell, Grid, Shade
from emphatic.report.page import Section, write_page
from emphatic.wording import count

MOST_ROWS = 200
"""Questions on the page; `AnnotatorAudit.table` has all."""

MOST_CLASSES = 20
"""A larger confusion matrix cannot be read."""


def write_annotators(findings: AnnotatorFindings, path: str | Path) -> None:
    """Write the page; if it cannot be written, an OSError says why and no part of it is left behind."""
    sections = [describe_annotators(findings), describe_questions(findings)]
    if len(findings.classes) <= MOST_CLASSES:
        sections.append(describe_confusion(findings))
    write_page(path, "Annotators", findings.summary().replace("\n", " "), sections)


def describe_annotators(findings: AnnotatorFindings) -> Section:
    """A table of the annotators, best first."""
    rows: list[list[Cell]] = [
        [
            str(findings.annotators[a]),
            str(findings.n_given[a]),
            _format(findings.quality[a]),
            None if math.isnan(findings.quality[a]) else Bar(float(findings.quality[a])),
            _format(findings.information[a]),
            _format(findings.kappa_with_others[a]),
            findings.describe_mistake(a),
        ]
        for a in findings.annotator_order
    ]
    names = ["annotator", "labels", "quality", "", "information", "kappa", "mistake"]
    return Section(
        "annotators",
        "Annotators",
        [
            "Quality is the expected share of right labels. Information is the part of the uncertainty about the class "
            "that one label removes: an annotator who always gives the most frequent label has none, whatever the "
            "quality. Kappa is the agreement with the other annotators beyond chance, on average. The mistake is the "
            "most frequent one, and how often it happens to rows of that class."
        ],
        [Grid(names, rows, right=frozenset({"labels", "quality", "information", "kappa"}))],
    )


def describe_questions(findings: AnnotatorFindings) -> Section:
    """The rows where one more label tells most."""
    order = findings.order[:MOST_ROWS]
    rows: list[list[Cell]] = [
        [
            str(findings.index[i]),
            _list_labels(findings, i),
            str(findings.consensus[i]),
            _format(findings.probability[i]),
            f"{findings.gain[i]:.3f}",
            "anyone else" if findings.ask[i] is None else str(findings.ask[i]),
        ]
        for i in order
        if findings.gain[i] > 0.0
    ]
    names = ["row", "labels", "consensus", "probability", "gain", "ask"]
    return Section(
        "questions",
        "Where to ask once more",
        [
            "Gain is the information, in bits, that one more label of the annotator named last is expected to give "
            f"about the class. Shown are {len(rows):,} of {count(len(findings.index), 'row')}, by decreasing gain."
        ],
        [Grid(names, rows, right=frozenset({"probability", "gain"}))],
    )


def describe_confusion(findings: AnnotatorFindings) -> Section:
    """A confusion matrix for each annotator that has given labels."""
    labels = [str(label) for label in findings.classes.tolist()]
    grids = []
    for a in findings.annotator_order:
        if not math.isnan(findings.quality[a]):
            rows: list[list[Cell]] = [
                [label, *(Shade(_format(value), float(value)) for value in values)]
                for label, values in zip(labels, findings.confusion[a])
            ]
            grids.append(Grid(["class", *labels], rows, f"{findings.annotators[a]}: labels given to rows of a class."))
    return Section(
        "confusion", "Confusion matrices", ["How often an annotator gives each label to rows of a class."], grids
    )


def _format(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.2f}"


def _list_labels(findings: AnnotatorFindings, i: int) -> str:
    given = [f"{name}: {label}" for name, label in zip(findings.annotators, findings.labels[i]) if label is not None]
    return ", ".join(given) or "none"
