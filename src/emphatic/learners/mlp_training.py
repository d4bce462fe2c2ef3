"""Training networks once everything random has been drawn: one alone, or many of one shape side by side."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from emphatic.check import FloatArray
from emphatic.kernels import draws, mlp

VISITS = 2**15
"""Orders are drawn for about this many visits to samples at once: few calls, and few unused draws at the end."""

REGROUP = 25
"""Epochs after which networks that are trained side by side are regrouped without those that have stalled."""

VECTOR = 8
"""Networks that the processor works on at once; the number of networks in a group is filled up to a multiple of it."""

FEW = 5
"""Up to this many networks are trained faster one at a time: side by side they would not fill a vector."""


class Table(NamedTuple):
    """Inputs, and the targets +-1 of every output, (n, outputs)."""

    X: FloatArray
    targets: FloatArray


class Plan(NamedTuple):
    """The parameters that two networks must share to be trained side by side."""

    n_hidden: int
    step: float
    max_epochs: int
    stall: int

    def continues(self, errors: FloatArray) -> bool:
        """Whether another epoch follows those with these errors."""
        if not np.isfinite(errors).all():
            raise ValueError(
                f"step={self.step!r} makes training diverge (weights are no longer finite): "
                "use a smaller step, or scale the columns of X first."
            )
        since_gain = len(errors) - 1 - int(errors.argmin())
        return len(errors) < self.max_epochs and since_gain < self.stall


class Start(NamedTuple):
    """Everything drawn before training: first weights, samples that train and that judge, and the source of orders."""

    network: mlp.Network
    training: mlp.Part
    judged: mlp.Part
    orders: np.random.Generator


Result = tuple[mlp.Network, FloatArray]
"""The weights of the lowest error, and the errors of all epochs."""


def train_alone(plan: Plan, table: Table, start: Start) -> Result:
    """Train one network to its end."""
    best, errors = _copy(start.network), np.empty(plan.max_epochs)
    return best, errors[: _train_on(plan, table, start, best, errors, 0)].copy()


def _train_on(plan: Plan, table: Table, start: Start, best: mlp.Network, errors: FloatArray, done: int) -> int:
    """Train a network that has `done` epochs behind it to its end, and return how many they are then."""
    network, training, judged, generator = start
    running = True
    while running:
        epochs, before = min(max(1, VISITS // len(training.rows)), plan.max_epochs - done), done
        orders = _draw_orders(generator, epochs, len(training.rows))
        done = mlp.train(*table, training, judged, orders, plan.stall, network, best, errors, done)
        running = done > before and plan.continues(errors[:done])  # a call that trains no epoch would repeat for ever
    return done


def train_together(plan: Plan, tables: Sequence[Table], starts: Sequence[Start]) -> list[Result]:
    """Train many networks to the end of each: what `train_alone` makes of each of them, but for rounding."""
    stacked, firsts = _stack_tables(tables)
    networks = mlp.Network(*(np.array(layer) for layer in zip(*(start.network for start in starts), strict=True)))
    training = _pad_parts([start.training for start in starts], firsts)
    judged = _pad_parts([start.judged for start in starts], firsts)
    best, errors, done = _copy(networks), np.empty((len(starts), plan.max_epochs)), np.zeros(len(starts), np.intp)
    running = list(range(len(starts)))
    while len(running) > FEW:
        lanes = running + running[-1:] * (-len(running) % VECTOR)  # the last one fills up the last vector
        now = [mlp.Network(one.hidden[lanes], one.output[lanes]) for one in (networks, best)]
        parts = [mlp.Part(one.rows[lanes], one.weights[lanes]) for one in (training, judged)]
        epochs = min(max(1, VISITS // training.rows.shape[1]), REGROUP, plan.max_epochs - int(done[running].max()))
        orders = np.empty((len(lanes), epochs, training.rows.shape[1]), dtype=np.int32)
        orders[:] = np.arange(orders.shape[2])  # places beyond a network's own rows come last
        for m, order in zip(running, orders, strict=False):
            length = len(starts[m].training.rows)
            order[:, :length] = _draw_orders(starts[m].orders, epochs, length)
        orders[len(running) :] = orders[len(running) - 1]
        found, finished, before = errors[lanes], done[lanes], done.copy()
        mlp.train_many(*stacked, *parts, orders, plan.stall, *now, found, finished)
        for arrays, part in zip((*networks, *best, errors, done), (*now[0], *now[1], found, finished), strict=True):
            arrays[lanes] = part
        running = [m for m in running if done[m] > before[m] and plan.continues(errors[m, : done[m]])]
    kept = [_copy(mlp.Network(hidden, output)) for hidden, output in zip(*best, strict=True)]
    for m in running:
        start = starts[m]._replace(network=_copy(mlp.Network(networks.hidden[m], networks.output[m])))
        done[m] = _train_on(plan, tables[m], start, kept[m], errors[m], int(done[m]))
    return [(network, error[:epochs].copy()) for network, error, epochs in zip(kept, errors, done, strict=True)]


def _draw_orders(generator: np.random.Generator, epochs: int, length: int) -> NDArray[np.int32]:
    """A fresh order for every epoch; how many are drawn at once makes no difference to what they are."""
    orders = np.empty((epochs, length), dtype=np.int32)
    draws.shuffle(generator.integers(2**32, size=orders.shape, dtype=np.uint32), orders)
    return orders


def _copy(network: mlp.Network) -> mlp.Network:
    return mlp.Network(network.hidden.copy(), network.output.copy())


def _stack_tables(tables: Sequence[Table]) -> tuple[Table, list[int]]:
    """All different tables as one, and the first row in it of each table's own."""
    places: dict[tuple[int, bytes], int] = {}
    different: list[Table] = []
    firsts, height = [], 0
    for table in tables:
        key = id(table.X), table.targets.tobytes()
        if key not in places:
            places[key] = height
            different.append(table)
            height += len(table.X)
        firsts.append(places[key])
    if len(different) == 1:
        return different[0], firsts
    return Table(*(np.concatenate(part) for part in zip(*different, strict=True))), firsts


def _pad_parts(parts: Sequence[mlp.Part], firsts: Sequence[int]) -> mlp.Part:
    """One part for many networks; the shorter ones are filled up with places of weight 0."""
    shape = len(parts), max(len(part.rows) for part in parts)
    padded = mlp.Part(np.zeros(shape, dtype=np.int32), np.zeros(shape))
    for m, (part, first) in enumerate(zip(parts, firsts, strict=True)):
        padded.rows[m, : len(part.rows)] = part.rows + first
        padded.weights[m, : len(part.rows)] = part.weights
    return padded
