"""Slow plain-Python twin of `emphatic.fusion.evidence`: one sample, a dict of frozensets, formulas as in the books."""

from decimal import Decimal, localcontext
from itertools import chain, combinations, product
from math import prod


def of(sets, values, n_classes):
    """A dict of one row of `Masses`."""
    masses = {}
    for code, value in zip(sets, values, strict=True):
        focal = frozenset(k for k in range(n_classes) if code >> k & 1)
        masses[focal] = masses.get(focal, 0.0) + value
    return masses


def orthogonal_sum(*sources):
    combined = {}
    for chosen in product(*(source.items() for source in sources)):
        focal = frozenset.intersection(*(one[0] for one in chosen))
        combined[focal] = combined.get(focal, 0) + prod(value for _, value in chosen)
    return combined


def normalised(masses, n_classes):
    inside = sum(mass for focal, mass in masses.items() if focal)
    if inside == 0:
        return {frozenset(range(n_classes)): 1.0}
    return {focal: mass / inside for focal, mass in masses.items() if focal}


def discounted(masses, reliability, n_classes):
    result = {focal: reliability * mass for focal, mass in masses.items()}
    theta = frozenset(range(n_classes))
    result[theta] = result.get(theta, 0.0) + 1 - reliability
    return result


def belief(masses, asked):
    return sum(mass for focal, mass in masses.items() if focal and focal <= asked)


def plausibility(masses, asked):
    return sum(mass for focal, mass in masses.items() if focal & asked)


def pignistic(masses, n_classes):
    scaled = normalised(masses, n_classes)
    return [sum(mass / len(focal) for focal, mass in scaled.items() if k in focal) for k in range(n_classes)]


def mass_of(masses, focal):
    return masses.get(frozenset(focal), 0.0)


# rules of combination


def yager(*sources, n_classes):
    combined = orthogonal_sum(*sources)
    theta = frozenset(range(n_classes))
    combined[theta] = combined.get(theta, 0.0) + combined.pop(frozenset(), 0.0)
    return combined


def dubois_prade(*sources, n_classes):
    combined = {}
    for chosen in product(*(source.items() for source in sources)):
        sets = [focal for focal, _ in chosen]
        focal = frozenset.intersection(*sets) or frozenset.union(*sets) or frozenset(range(n_classes))
        combined[focal] = combined.get(focal, 0.0) + prod(value for _, value in chosen)
    return combined


def pcr6(*sources, n_classes):
    combined = {}
    for chosen in product(*(source.items() for source in sources)):
        common, mass = frozenset.intersection(*(focal for focal, _ in chosen)), prod(value for _, value in chosen)
        whole = sum(value for focal, value in chosen if focal)
        if common:
            shares = [(common, mass)]
        elif whole > 0:
            shares = [(focal, mass * value / whole) for focal, value in chosen if focal]
        else:
            shares = [(frozenset(range(n_classes)), mass)]
        for focal, share in shares:
            combined[focal] = combined.get(focal, 0.0) + share
    return combined


def pcr5(first, second, n_classes):
    """The formula of two sources, set by set; neither has mass on the empty set."""
    combined = orthogonal_sum(first, second)
    combined.pop(frozenset(), None)
    for one, other in ((first, second), (second, first)):
        for a, mass in one.items():
            for b, rival in other.items():
                if not a & b and mass > 0:
                    combined[a] = combined.get(a, 0.0) + mass**2 * rival / (mass + rival)
    return combined


def weights(masses, n_classes):
    """Of the canonical decomposition, for every set but that of all classes, in Decimals."""
    theta = frozenset(range(n_classes))
    exact = {focal: Decimal(mass) for focal, mass in masses.items()}
    commonality = {one: sum(mass for focal, mass in exact.items() if focal >= one) for one in subsets(theta)}
    return {
        one: prod(q ** (-((-1) ** len(larger - one))) for larger, q in commonality.items() if larger >= one)
        for one in subsets(theta)
        if one != theta
    }


def cautious(*sources, n_classes):
    """The orthogonal sum of simple masses with the least weights; digits enough that none is lost."""
    theta = frozenset(range(n_classes))
    with localcontext() as context:
        context.prec = 80
        each = [weights(one, n_classes) for one in sources]
        combined = {theta: Decimal(1)}
        for focal in each[0]:
            least = min(one[focal] for one in each)
            combined = orthogonal_sum(combined, {focal: 1 - least, theta: least})
        return {focal: float(mass) for focal, mass in combined.items()}


def subsets(theta):
    return [frozenset(one) for one in chain.from_iterable(combinations(theta, size) for size in range(len(theta) + 1))]


# answers that are sets


def best_set(measure, n_classes, worth):
    """The set of the largest utility under `measure`, of equally good ones the smallest, with the first classes."""
    nonempty = [sorted(one) for one in subsets(frozenset(range(n_classes))) if one]
    ordered = sorted(nonempty, key=lambda one: (len(one), one))
    return max(ordered, key=lambda one: round(worth(len(one)) * measure(one), 12))
