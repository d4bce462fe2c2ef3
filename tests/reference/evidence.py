"""Slow plain-Python twin of `emphatic.fusion.evidence`: one sample, a dict of frozensets, formulas as in the books."""

from itertools import product


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
        focal, mass = frozenset.intersection(*(one[0] for one in chosen)), 1.0
        for _, value in chosen:
            mass *= value
        combined[focal] = combined.get(focal, 0.0) + mass
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
