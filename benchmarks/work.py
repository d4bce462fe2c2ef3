"""How much work a result takes at least, and so the least time in which this machine could find it.

A *share of the limit* is that least time over the measured one. Counted is the arithmetic that the formulas ask for,
however it is programmed: what a program does besides (copies, draws, comparisons, waiting for the result before) makes
its share smaller. All of it is counted as if it went through the units for products of matrices, at their full rate.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from benchmarks.limits import Limits, measure_limits


@dataclass(frozen=True)
class Work:
    """Floating-point operations (a multiply-add is two), exponentials, and bytes that are read or written.

    Bytes are those of inputs and results that have to be moved. The counts below have none: the tables of the
    benchmarks, and what is computed on the way, can stay in a cache from one pass to the next.
    """

    flops: float = 0.0
    exponentials: float = 0.0
    bytes: float = 0.0
    dtype: str = "float64"

    def __add__(self, other: Work) -> Work:
        if self.dtype != other.dtype:
            raise ValueError(f"work in {self.dtype} and in {other.dtype} cannot be added: they have different limits.")
        return replace(
            self,
            flops=self.flops + other.flops,
            exponentials=self.exponentials + other.exponentials,
            bytes=self.bytes + other.bytes,
        )

    def __mul__(self, times: float) -> Work:
        return replace(self, flops=times * self.flops, exponentials=times * self.exponentials, bytes=times * self.bytes)

    def least_time(self, limits: Limits) -> float:
        """Seconds at the limits: of the arithmetic, or of the transfer of bytes, which can go on meanwhile."""
        arithmetic = self.flops / limits.flops[self.dtype] + self.exponentials / limits.exponentials[self.dtype]
        return max(arithmetic, self.bytes / limits.find_bandwidth(self.bytes))


def share_of_limit(work: Work, seconds: float) -> float:
    """The least time of the work on this machine over the time that it took."""
    return work.least_time(measure_limits()) / seconds


def count_activations(n: int, n_features: int, n_units: int) -> Work:
    """Gaussian units: a scalar product, its square completed, scale and weight, and an exponential per activation."""
    return Work((2 * n_features + 4) * n * n_units, n * n_units)


def count_linear(n: int, n_units: int, n_outputs: int) -> Work:
    """Sums of units, weighted for every output."""
    return Work(2 * n * n_units * n_outputs)


def count_rbf_round(n: int, n_features: int, n_units: int, n_outputs: int = 1) -> Work:
    """An RBF network by ridge regression: activations, half a Gram matrix, moments, a solution, the output."""
    gram = Work(n * n_units * (n_units + 1))
    solution = Work(n_units**3 / 3 + 2 * n_units**2 * n_outputs)
    moments_and_output = count_linear(n, n_units, n_outputs) * 2
    return count_activations(n, n_features, n_units) + gram + solution + moments_and_output


def count_descent_round(n: int, n_features: int, n_units: int, n_epochs: int, n_outputs: int = 1) -> Work:
    """An RBF network by gradient descent: each visit of a sample computes its output and moves the weights."""
    visits = count_linear(n, n_units, n_outputs) * (2 * n_epochs)
    return count_activations(n, n_features, n_units) + visits + count_linear(n, n_units, n_outputs)


def count_mlp_output(n: int, n_features: int, n_hidden: int, n_outputs: int = 1) -> Work:
    """A network with one hidden layer: biases count as inputs, a tanh as an exponential and four operations."""
    n_tanh = n * (n_hidden + n_outputs)
    products = count_linear(n, n_features + 1, n_hidden) + count_linear(n, n_hidden + 1, n_outputs)
    return products + Work(4 * n_tanh, n_tanh)


def count_mlp_epoch(n_trained: int, n_judged: int, n_features: int, n_hidden: int, n_outputs: int = 1) -> Work:
    """A visit of each training sample (output, errors of the hidden units, steps), and outputs of those that judge."""
    steps = count_linear(n_trained, n_features + 1, n_hidden) + count_linear(n_trained, n_hidden + 1, n_outputs)
    errors = count_linear(n_trained, n_hidden, n_outputs)
    return count_mlp_output(n_trained + n_judged, n_features, n_hidden, n_outputs) + steps + errors


def count_perceptrons(n: int, n_features: int, n_perceptrons: int) -> Work:
    """Activations of parallel perceptrons; the bias counts as an input."""
    return count_linear(n, n_features + 1, n_perceptrons)


def count_perceptron_epoch(n: int, n_features: int, n_perceptrons: int) -> Work:
    """Activations, and the sum of the samples that move each perceptron."""
    return count_perceptrons(n, n_features, n_perceptrons) * 2


def count_fuzzy_iteration(n: int, n_features: int, n_clusters: int) -> Work:
    """Fuzzy c-means: distances to all centres, their sums weighted by memberships, six operations per membership."""
    return Work((4 * n_features + 6) * n * n_clusters)


def count_orthogonal_sum(n: int, sizes: list[int], focal: list[float]) -> Work:
    """Dempster's rule: a multiply-add per pair of a set of a source and one of the sum of all sources before it.

    `sizes` are the numbers of sets of the sources, `focal` those of the sums: of the first source, of two, and so on.
    """
    pairs = sum(before * size for before, size in zip(focal, sizes[1:], strict=True))
    return Work(2 * n * pairs)


def count_simple_masses(n: int, n_sources: int, n_classes: int) -> Work:
    """Dempster's rule for masses on classes and Theta: commonalities, two operations per source and class."""
    return Work(2 * n * n_sources * n_classes)
