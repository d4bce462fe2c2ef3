"""All that follows from the consensus and the confusion matrices: quality, agreement, and where to ask once more."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from emphatic.audit.annotators.agreement import compare_pairs, fleiss_kappa, krippendorff_alpha
from emphatic.audit.annotators.dawid_skene import Consensus, choose_classes, count_votes
from emphatic.audit.annotators.gain import choose_questions, share_of_information
from emphatic.audit.annotators.labels import MISSING, Annotations
from emphatic.check import FloatArray, IntArray
from emphatic.margins import normalise_rows
from emphatic.wording import count


@dataclass(frozen=True, eq=False)
class AnnotatorFindings:
    """The values of an `AnnotatorAudit`, which describes them; apart from it because its page reads them."""

    consensus: np.ndarray
    probability: FloatArray
    probabilities: FloatArray
    majority: np.ndarray
    labels: np.ndarray
    n_labels: IntArray
    suspicion: FloatArray
    gain: FloatArray
    ask: np.ndarray
    annotators: np.ndarray
    quality: FloatArray
    information: FloatArray
    confusion: FloatArray
    kappas: FloatArray
    fleiss_kappa: float
    krippendorff_alpha: float
    predictions: FloatArray | None
    classes: np.ndarray
    index: np.ndarray

    @classmethod
    def judge(
        cls, annotations: Annotations, found: Consensus, index: np.ndarray, predictions: FloatArray | None = None
    ) -> Self:
        """Judge rows and annotators by what EM found."""
        codes, classes, given = annotations.codes, annotations.classes, annotations.given
        # None is last, where the code -1 of what is missing leads
        names = np.array([*annotations.annotators, None], dtype=object)
        cells = np.array([*classes.tolist(), None], dtype=object)
        probabilities = normalise_rows(found.probabilities)
        chosen = choose_classes(probabilities)
        votes = count_votes(codes, len(classes))
        questions = choose_questions(probabilities, found.confusion, codes)
        own = np.take_along_axis(probabilities, np.maximum(codes, 0), axis=1)
        known = np.asarray(given.any(axis=0))
        confusion = np.where(known[:, None, None], found.confusion, np.nan)
        shares = probabilities.mean(axis=0)
        return cls(
            consensus=classes[chosen],
            probability=probabilities[np.arange(len(codes)), chosen],
            probabilities=probabilities,
            majority=cells[np.where(given.any(axis=1), votes.argmax(axis=1), MISSING)],
            labels=cells[codes],
            n_labels=given.sum(axis=1),
            suspicion=np.where(given, 1.0 - own, np.nan),
            gain=questions.gain,
            ask=names[questions.annotator],
            annotators=names[:-1],
            quality=np.where(known, np.where(given, own, 0.0).sum(axis=0) / np.maximum(given.sum(axis=0), 1), np.nan),
            information=np.array([share_of_information(shares, one) for one in confusion]),
            confusion=confusion,
            kappas=compare_pairs(codes),
            fleiss_kappa=fleiss_kappa(votes),
            krippendorff_alpha=krippendorff_alpha(votes),
            predictions=predictions,
            classes=classes,
            index=index,
        )

    @property
    def order(self) -> IntArray:
        """Positions of the rows by decreasing gain; of equal ones the first comes first."""
        return np.argsort(-self.gain, kind="stable")

    @property
    def annotator_order(self) -> IntArray:
        """Positions of the annotators by decreasing quality; those without labels last."""
        return np.argsort(-self.quality.round(9), kind="stable")

    @property
    def n_given(self) -> IntArray:
        """How many labels each annotator gave, (A,)."""
        return np.asarray((~np.isnan(self.suspicion)).sum(axis=0))

    @property
    def kappa_with_others(self) -> FloatArray:
        """Mean kappa (A,) of an annotator with the others; NaN if it shares no row with any."""
        others = ~np.eye(len(self.kappas), dtype=bool) & ~np.isnan(self.kappas)
        sums, n = np.where(others, self.kappas, 0.0).sum(axis=1), others.sum(axis=1)
        return np.where(n > 0, sums / np.maximum(n, 1), np.nan)

    def describe_mistake(self, a: int) -> str:
        """The mistake that annotator `a` makes most often, and how often, of rows of that class."""
        if np.isnan(self.quality[a]):
            return ""
        joint = self.probabilities.mean(axis=0)[:, None] * self.confusion[a]
        np.fill_diagonal(joint, 0.0)
        true, said = np.unravel_index(joint.argmax(), joint.shape)
        return f"{self.classes[said]} for {self.classes[true]} ({self.confusion[a, true, said]:.0%})"

    def summary(self) -> str:
        """A few lines: how many rows and labels, how much annotators agree, and how sure the consensus is."""
        several, n_empty = int((self.n_labels > 1).sum()), int((self.n_labels == 0).sum())
        sizes = (
            count(len(self.consensus), "row"),
            count(len(self.annotators), "annotator"),
            f"{count(int(self.n_labels.sum()), 'label')} of {count(len(self.classes), 'class', 'classes')}",
        )
        lines = [", ".join(sizes) + "."]
        if several:
            lines.append(
                f"Agreement beyond chance in the {count(several, 'row')} with several labels: Krippendorff's alpha "
                f"{self.krippendorff_alpha:.2f}, Fleiss' kappa {self.fleiss_kappa:.2f}."
            )
        n_changed = int(((self.consensus != self.majority) & (self.n_labels > 0)).sum())
        lines.append(
            f"The consensus differs from the majority vote in {count(n_changed, 'row')}; about "
            f"{(1.0 - self.probability).sum():.0f} of its labels are expected to be wrong."
        )
        if n_empty:
            lines.append(f"{count(n_empty, 'row')} without any label.")
        return "\n".join(lines)
