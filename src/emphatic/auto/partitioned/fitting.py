"""A search on a sample of a collection, joined by members that learn from all of its rows."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emphatic.auto.candidates.binning import Binned
from emphatic.auto.candidates.gradient import GradientTrees
from emphatic.auto.decisions.class_weight import weigh_classes
from emphatic.auto.partitioned.sampling import PartitionSample
from emphatic.auto.partitioned.trees import AllRowsTrees, SpreadGrowth, SpreadRows
from emphatic.auto.searching.attempt import Attempt, Task, run_rounds
from emphatic.auto.searching.samples import Sample
from emphatic.check import FloatArray, IntArray
from emphatic.deferred import by_rows, evaluate
from emphatic.partitions import OpenedParts, Partitions
from emphatic.progress import progress_bar
from emphatic.randomness import child_generator
from emphatic.wording import count


def search_collection(
    task: Task,
    opened: OpenedParts,
    sample: PartitionSample,
    factors: FloatArray,
    round_ended: Callable[[Attempt], bool],
    *,
    show_progress: bool,
) -> Attempt:
    """Trees of all rows, then what is tried on the sample; all of it is judged, and blended, by the held-out rows.

    `factors` are what rows of each class count in training, and `round_ended` is told about every candidate, and says
    whether to stop.
    """
    attempt = Attempt(task, np.arange(len(sample.codes)), is_quick=True, held_out=sample.held_out)
    _add_trees(attempt, _spread(opened, sample, attempt, factors), show_progress)
    others = [one for one in attempt.list_all(Sample(len(sample.codes), is_quick=True)) if not _is_surpassed(one)]
    if round_ended(attempt):
        attempt.finish()
    else:
        run_rounds(attempt, attempt.run(others), len(others), round_ended, show_progress)
    return attempt


def refuse_for_collections(**given: Any) -> None:
    """Raise ValueError for what is given and cannot be had with collections, with the alternative."""
    alternatives = {
        "groups": "rows of one group may lie in any partition. Use X.compute() where the table fits in memory",
        "time_budget": "how long partitions take is not known beforehand. A smaller sample_size is faster",
        "work_budget": "how long partitions take is not known beforehand. A smaller sample_size is faster",
    }
    for name, value in given.items():
        if value is not None:
            raise ValueError(f"{name} is not allowed with a Dask collection: {alternatives[name]}.")


def weigh_rows(class_weight: Any, opened: OpenedParts) -> FloatArray:
    """(K,): what rows of each class count in training, beside their own weights."""
    n_classes = len(opened.classes)
    counted = Partitions(opened.y).total(_sum_classes, opened.y, opened.weights, shared=[n_classes], reads=False)
    ((totals,),) = evaluate(counted)
    return weigh_classes(class_weight, opened.classes, np.arange(n_classes), totals) / totals


def describe_rows(opened: OpenedParts, sample: PartitionSample) -> list[str]:
    """Sentences about which rows of the collection were used for what."""
    n_held_out, n_rows = len(sample.held_out), int(opened.counts.sum())
    return [
        f"The collection has {count(n_rows, 'row')}. Losses, weights, calibration and decision are those of "
        f"{count(n_held_out, 'row')} that were held out; members that name a number of rows were trained on all "
        f"others ({n_rows - n_held_out:,}), and the rest on a stratified sample of at most "
        f"{len(sample.codes) - n_held_out:,} of them.",
    ]


def _is_surpassed(candidate: Any) -> bool:
    """Whether it is, of a sample, what there is of all rows."""
    return isinstance(candidate, GradientTrees)


def _add_trees(attempt: Attempt, rows: SpreadRows, show_progress: bool) -> None:
    start, data = perf_counter(), attempt.data
    trees = AllRowsTrees(n_rows=rows.n_rows)
    with progress_bar("rounds on all rows", trees.checkpoints[-1], show_progress) as advance:
        growth = SpreadGrowth(trees, data.binned, rows, child_generator(attempt.search.entropy), advance)
        found = trees.grow(growth, data, data.judged)
    attempt.search.add(trees, found, perf_counter() - start)


def _spread(opened: OpenedParts, sample: PartitionSample, attempt: Attempt, factors: FloatArray) -> SpreadRows:
    """All rows as bins, with the weights that they have in training."""
    import dask.array

    sizes, n_classes = opened.table.sizes, len(opened.classes)
    numbers = dask.array.arange(sum(sizes), chunks=(sizes,))
    train = _TrainingWeights(sample.held_out_numbers, factors)
    weights = by_rows(train, opened.y, opened.weights, numbers).persist()
    ((total, n_rows),) = evaluate(Partitions(opened.y).total(_sum_weights, weights, reads=False))
    weights = (weights * (n_rows / total)).persist()
    counted = Partitions(opened.y).total(_sum_classes, opened.y, weights, shared=[n_classes], reads=False)
    ((shares,),) = evaluate(counted)
    binned = attempt.data.binned
    bins = opened.table.keep_each(_Binning(attempt.encoder, binned), len(binned.bundles), np.uint8)
    return SpreadRows(Partitions(bins), opened.y.astype(np.intp).persist(), weights, shares, n_rows)


class _TrainingWeights:
    """Weights of rows in training: 0 for those that are held out."""

    def __init__(self, held_out: IntArray, factors: FloatArray) -> None:
        self.held_out, self.factors = held_out, factors

    def __call__(self, codes: IntArray, weights: FloatArray, numbers: IntArray) -> FloatArray:
        return np.where(np.isin(numbers, self.held_out), 0.0, weights * self.factors[codes])


class _Binning:
    """Rows of a raw table as bins, by what was learnt from the sample."""

    def __init__(self, encoder: Any, binned: Binned) -> None:
        # the sample's own bins would be sent along for nothing
        self.encoder, self.binned = encoder, binned._replace(codes=binned.codes[:0])

    def __call__(self, piece: Any) -> NDArray[np.uint8]:
        return self.binned.cut(self.encoder.encode(piece).inputs.astype(np.float32))


def _sum_weights(weights: FloatArray) -> tuple[float, int]:
    return float(weights.sum()), int(np.count_nonzero(weights))


def _sum_classes(codes: IntArray, weights: FloatArray, n_classes: int) -> tuple[FloatArray]:
    return (np.bincount(codes, weights, minlength=n_classes).astype(np.float64),)
