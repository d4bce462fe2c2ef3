"""Slow plain-NumPy twin of `emphatic.kernels.random_trees`: a tree of nested dicts, grown breadth first."""

import numpy as np


def grow(inputs, codes, weights, rows, draws, n_tries, max_depth, least, n_classes):
    """The root: {"values", "feature", "threshold", "children"}, the last three only where a node is split."""
    root = {"rows": np.asarray(rows), "depth": 0}
    waiting, number = [root], 0
    while number < len(waiting):
        node = waiting[number]
        mass = np.bincount(codes[node["rows"]], weights[node["rows"]], minlength=n_classes)
        node["values"] = mass / mass.sum()
        enough = node["depth"] < max_depth and len(node["rows"]) >= 2 * least and (mass > 0).sum() > 1
        split = _best_split(inputs, codes, weights, node["rows"], draws[number], n_tries, least) if enough else None
        if split is not None:
            node["feature"], node["threshold"] = split
            left = inputs[split[0], node["rows"]] <= split[1]
            node["children"] = [{"rows": node["rows"][side], "depth": node["depth"] + 1} for side in (left, ~left)]
            waiting += node["children"]
        number += 1
    return root


def _best_split(inputs, codes, weights, rows, draws, n_tries, least):
    best, found = None, 0
    for first, second in draws:
        j = min(int(first * len(inputs)), len(inputs) - 1)
        values = inputs[j, rows]
        threshold = np.float32(values.min() + second * (values.max() - values.min()))
        if not values.min() <= threshold < values.max():
            continue
        left = values <= threshold
        if min(left.sum(), (~left).sum()) >= least:
            gain = sum(
                (np.bincount(codes[rows[side]], weights[rows[side]]) ** 2).sum() / weights[rows[side]].sum()
                for side in (left, ~left)
            )
            if best is None or gain > best[0] + 1e-12:
                best = gain, (j, threshold)
        found += 1
        if found == n_tries:
            break
    return None if best is None else best[1]


def values_at(node, x):
    """What the leaf of a row says."""
    while "children" in node:
        node = node["children"][int(x[node["feature"]] > node["threshold"])]
    return node["values"]
