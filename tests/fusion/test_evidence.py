"""Masses on sets of classes: exact answers, laws of the orthogonal sum, agreement with brute force (identity 19)."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emphatic.fusion.evidence import Masses, orthogonal_sum, simple_masses
from tests.fusion.masses import drawn, row, same
from tests.reference import evidence as slow

seeds = st.integers(0, 2**32 - 1)
sizes = st.integers(2, 5)


# exact answers


def test_two_witnesses():
    first = Masses.of([0b01, 0b11], [[0.8, 0.2]], 2)
    second = Masses.of([0b10, 0b11], [[0.5, 0.5]], 2)
    both = orthogonal_sum(first, second)
    np.testing.assert_allclose(both.conflict, [0.4])
    np.testing.assert_allclose(both.belief(), [[0.4, 0.1]])
    np.testing.assert_allclose(both.plausibility(), [[0.5, 0.2]])
    np.testing.assert_allclose(both.normalise().belief(), [[2 / 3, 1 / 6]])
    np.testing.assert_allclose(both.pignistic(), [[0.75, 0.25]])


def test_zadehs_paradox():
    """Two physicians, each 99% sure of another disease, agree on the third that both think hardly possible."""
    first = Masses.of([0b001, 0b100], [[0.99, 0.01]], 3)
    second = Masses.of([0b010, 0b100], [[0.99, 0.01]], 3)
    both = orthogonal_sum(first, second, normalise=True)
    np.testing.assert_allclose(both.belief(), [[0.0, 0.0, 1.0]])
    np.testing.assert_allclose(both.conflict, [0.9999])
    doubted = orthogonal_sum(first.discount(0.9), second.discount(0.9), normalise=True)
    assert doubted.pignistic()[0, 2] < 0.1 < doubted.pignistic()[0, 0]


def test_ignorance_changes_nothing():
    some = drawn(np.random.default_rng(0), 4)
    vacuous = Masses.of([0b1111], np.ones((4, 1)), 4)
    same(orthogonal_sum(some, vacuous), [row(some, i) for i in range(4)])
    same(some.discount(0.0), [{frozenset(range(4)): 1.0}] * 4)
    same(some.discount(1.0), [row(some, i) for i in range(4)])


def test_full_conflict_is_ignorance_and_flagged():
    first = Masses.of([0b001, 0b100], [[1.0, 0.0], [0.5, 0.5]], 3)
    second = Masses.of([0b010, 0b100], [[1.0, 0.0], [0.5, 0.5]], 3)
    raw = orthogonal_sum(first, second)
    both = orthogonal_sum(first, second, normalise=True)
    np.testing.assert_allclose(raw.conflict, [1.0, 0.75])
    np.testing.assert_allclose(both.conflict, [1.0, 0.75])
    np.testing.assert_allclose(both.belief([0b111]), [[1.0], [1.0]])
    np.testing.assert_allclose(both.plausibility()[0], [1.0, 1.0, 1.0])
    np.testing.assert_allclose(both.pignistic(), [[1 / 3] * 3, [0, 0, 1]])
    np.testing.assert_allclose(raw.pignistic(), both.pignistic())


def test_full_conflict_does_not_depend_on_the_order():
    """Were it resolved on the way, the last source would decide."""
    sources = [Masses.of([code], [[1.0]], 2) for code in (0b01, 0b10, 0b01)]
    for order in ([0, 1, 2], [2, 0, 1], [1, 2, 0]):
        both = orthogonal_sum(*(sources[j] for j in order), normalise=True)
        np.testing.assert_allclose(both.pignistic(), [[0.5, 0.5]])
        assert both.conflict == [1.0]


def test_many_contradicting_sources_do_not_underflow():
    source = Masses.of_supports([[0.4, 0.3, 0.3]] * 2)
    both = orthogonal_sum(*[source] * 1000, normalise=True)
    np.testing.assert_allclose(both.pignistic(), [[1, 0, 0]] * 2, atol=1e-100)
    np.testing.assert_array_equal(both.conflict, 1.0)


def test_sixty_two_classes():
    rng = np.random.default_rng(0)
    first, second = (Masses.of_supports(rng.dirichlet(np.ones(62), size=3), 0.9) for _ in range(2))
    both = orthogonal_sum(first, second)
    assert both.sets.shape == (1, 64)  # classes, Theta and the empty set
    same_class = first.values[:, :62] * second.values[:, :62]
    expected = same_class + 0.1 * first.values[:, :62] + 0.1 * second.values[:, :62]
    np.testing.assert_allclose(both.belief(), expected)
    np.testing.assert_allclose(both.values.sum(axis=1), 1)
    assert both.belief([2**62 - 1]).shape == (3, 1)


def test_samples_with_their_own_sets_beside_samples_that_share_them():
    rng = np.random.default_rng(1)
    first, second = drawn(rng, 4, own=True), drawn(rng, 4)
    same(orthogonal_sum(first, second), [slow.orthogonal_sum(row(first, i), row(second, i)) for i in range(4)])
    same(orthogonal_sum(second, first), [slow.orthogonal_sum(row(first, i), row(second, i)) for i in range(4)])


def test_many_classes_with_general_sets():
    """Sets that share all low bits, or all high ones, must not be taken for each other."""
    rng = np.random.default_rng(2)
    sets = np.concatenate([1 << np.arange(0, 62, 2), (1 << np.arange(62)) | 1, 2**62 - 1 - (1 << np.arange(62))])
    sources = [Masses.of(sets, rng.dirichlet(np.ones(len(sets)), size=2), 62) for _ in range(2)]
    both = orthogonal_sum(*sources)
    for i in range(2):
        expected = slow.orthogonal_sum(*(row(source, i) for source in sources))
        found = row(both, i)
        assert found.keys() == expected.keys()
        assert found == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("n_classes", [1, 4, 8, 11, 12, 20])  # from 12 on there is no table of all sets
@pytest.mark.parametrize("n_sources", [2, 4])
def test_sets_of_every_samples_own_by_a_table_or_without_one(n_classes, n_sources):
    rng = np.random.default_rng(n_classes)
    sources = [drawn(rng, n_classes, n=5, n_sets=6, own=k != 1, empty=k == 0) for k in range(n_sources)]
    both = orthogonal_sum(*sources)
    np.testing.assert_allclose(both.values.sum(axis=1), 1)
    for i in range(5):
        expected, found = slow.orthogonal_sum(*(row(source, i) for source in sources)), row(both, i)
        for focal in found.keys() | expected.keys():
            assert slow.mass_of(found, focal) == pytest.approx(slow.mass_of(expected, focal), abs=1e-14)
        listed = both.sets[i][both.values[i] > 0]
        assert len(np.unique(listed)) == len(listed)


# laws


@given(seeds, sizes, st.booleans(), st.booleans())
def test_all_that_can_be_asked_equals_brute_force(seed, n_classes, own, empty):
    rng = np.random.default_rng(seed)
    sources = [drawn(rng, n_classes, n=2, n_sets=4, own=own, empty=empty) for _ in range(3)]
    expected = [slow.orthogonal_sum(*(row(source, i) for source in sources)) for i in range(2)]
    both = orthogonal_sum(*sources)
    same(both, expected)
    np.testing.assert_allclose(both.conflict, [slow.mass_of(one, []) for one in expected], atol=1e-14)
    resolved = orthogonal_sum(*sources, normalise=True)
    same(resolved, [slow.normalised(one, n_classes) for one in expected])
    same(both.normalise(), [slow.normalised(one, n_classes) for one in expected])
    np.testing.assert_allclose(resolved.conflict, both.conflict, atol=1e-14)
    trust = rng.random(2)
    same(both.discount(trust), [slow.discounted(one, trust[i], n_classes) for i, one in enumerate(expected)])


@given(seeds, sizes, st.booleans())
def test_the_orthogonal_sum_commutes_and_associates(seed, n_classes, normalise):
    rng = np.random.default_rng(seed)
    a, b, c = (drawn(rng, n_classes, own=True) for _ in range(3))
    join = partial(orthogonal_sum, normalise=normalise)
    everything = join(a, b, c)
    for other in (join(c, a, b), join(join(a, b), c), join(a, join(c, b)), join(b, a, c)):
        np.testing.assert_allclose(other.conflict, everything.conflict, atol=1e-12)
        alive = everything.conflict < 1 - 1e-9  # 0/0 resolved on the way is the one exception
        same(_rows(other, alive), [row(everything, i) for i in np.flatnonzero(alive)])


def _rows(masses, chosen):
    return Masses(
        masses.sets[chosen] if len(masses.sets) > 1 else masses.sets,
        masses.values[chosen],
        masses.n_classes,
        masses.kept[chosen],
    )


@given(seeds, sizes)
def test_masses_sum_to_1_and_beliefs_enclose_the_bets(seed, n_classes):
    rng = np.random.default_rng(seed)
    both = orthogonal_sum(drawn(rng, n_classes, own=True), drawn(rng, n_classes))
    np.testing.assert_allclose(both.values.sum(axis=1), 1)
    assert (both.conflict >= 0).all() and (both.conflict <= 1).all()
    resolved = both.normalise()
    np.testing.assert_allclose(resolved.values.sum(axis=1), 1)
    bets = resolved.pignistic()
    np.testing.assert_allclose(bets.sum(axis=1), 1)
    assert (resolved.belief() <= bets + 1e-12).all()
    assert (bets <= resolved.plausibility() + 1e-12).all()
    theta = 2**n_classes - 1
    asked = np.arange(2**n_classes)
    # what is not plausible is what its complement is believed to be
    np.testing.assert_allclose(resolved.plausibility(asked), 1 - resolved.belief(theta - asked), atol=1e-12)


@given(seeds)
def test_supports_become_masses(seed):
    rng = np.random.default_rng(seed)
    supports, trust = rng.random((5, 3)), rng.random(5)
    single, ignorance = simple_masses(supports, trust)
    np.testing.assert_allclose(single.sum(axis=1) + ignorance, 1)
    assert (single >= 0).all() and (ignorance >= -1e-15).all()
    full = supports.sum(axis=1) >= 1
    np.testing.assert_allclose(ignorance[full], 1 - trust[full])
    np.testing.assert_allclose(single[~full], supports[~full] * trust[~full, None])


def test_single_precision_is_not_ignorance():
    thirds = np.full((1, 3), 1 / 3, dtype=np.float32)
    _, ignorance = simple_masses(thirds.astype(np.float64))
    assert ignorance == [0.0]
    assert Masses.of([1, 2, 4], thirds, 3).values.sum() == 1


def test_what_supports_lack_beyond_rounding_is_ignorance():
    _, ignorance = simple_masses(np.array([[0.5, 0.499], [0.5, 0.5 - 9e-7], [0.5, 0.5 - 2e-6]]))
    np.testing.assert_allclose(ignorance, [0.001, 0.0, 2e-6], atol=1e-12)
    single, ignorance = simple_masses(np.array([[0.9, 0.6]]), 0.5)  # more than 1: scaled, then discounted
    np.testing.assert_allclose(single, [[0.3, 0.2]])
    np.testing.assert_allclose(ignorance, [0.5])


def test_masses_may_miss_the_sum_1_by_rounding_and_are_then_scaled():
    values = Masses.of([1, 2], [[0.5, 0.5 - 9e-7], [0.5, 0.5 + 9e-7]], 2).values
    np.testing.assert_allclose(values.sum(axis=1), 1, rtol=1e-15)
    for error in (-2e-6, 2e-6):
        with pytest.raises(ValueError, match="must sum to 1"):
            Masses.of([1, 2], [[0.5, 0.5 + error]], 2)


def test_one_source_is_its_own_sum():
    one = Masses.of([0b00, 0b01, 0b11], [[0.5, 0.3, 0.2]], 2)
    same(orthogonal_sum(one), [row(one, 0)])
    alone = orthogonal_sum(one, normalise=True)
    np.testing.assert_allclose(alone.belief(), [[0.6, 0.0]])
    np.testing.assert_allclose(alone.plausibility(), [[1.0, 0.4]])
    np.testing.assert_allclose(alone.conflict, [0.5])


def test_conflict_is_remembered_through_every_normalisation():
    """What is left after two contradictions of 1/2 each is a quarter of the mass."""
    first = Masses.of([0b01], [[1.0]], 2)
    doubt = Masses.of([0b10, 0b11], [[0.5, 0.5]], 2)
    once = orthogonal_sum(first, doubt, normalise=True)
    twice = orthogonal_sum(once, doubt, normalise=True)
    np.testing.assert_allclose(once.conflict, [0.5])
    np.testing.assert_allclose(twice.conflict, [0.75])
    np.testing.assert_allclose(twice.normalise().conflict, [0.75])
    np.testing.assert_allclose(orthogonal_sum(once, doubt).conflict, [0.75])  # half normalised away, half still there
    np.testing.assert_allclose(twice.belief(), [[1.0, 0.0]])


# bad input


@pytest.mark.parametrize(
    ("sets", "values", "n_classes", "message"),
    [
        ([1, 2], [[0.5, 0.6]], 2, "row 0 sum to 1.1"),
        ([1, 2], [[0.5, 0.5], [0.2, 0.2]], 2, "row 1 sum to 0.4"),
        ([1, 2], [[1.5, -0.5]], 2, "values holds -0.5"),
        ([1, 2], [[np.nan, 1.0]], 2, "at least 0"),
        ([1, 2], [[np.inf, 0.0]], 2, "sum to inf"),
        ([1, 4], [[0.5, 0.5]], 2, "integers from 0"),
        ([1, -1], [[0.5, 0.5]], 2, "integers from 0"),
        ([1.0, 2.0], [[0.5, 0.5]], 2, "integers from 0"),
        ([1, 2**70], [[0.5, 0.5]], 2, "integers from 0"),
        ([1, 2, 3], [[0.5, 0.5]], 2, r"must be \(2,\) or \(1, 2\)"),
        ([1, 2], [0.5, 0.5], 2, r"must be \(samples, sets\)"),
        ([[]], [[]], 2, "at least 1 of each"),
        ([1, 2], [[0.5, 0.5]], 63, "n_classes must be at most 62"),
        ([1, 2], [[0.5, 0.5]], 0, "n_classes must be an integer of at least 1"),
    ],
)
def test_invalid_masses_are_refused(sets, values, n_classes, message):
    with pytest.raises(ValueError, match=message):
        Masses.of(sets, values, n_classes)


def test_sources_that_do_not_fit_are_refused():
    one = Masses.of([1, 3], [[0.5, 0.5]], 2)
    with pytest.raises(ValueError, match="sources is empty"):
        orthogonal_sum()
    with pytest.raises(ValueError, match=r"\(1, 2\) and \(1, 3\)"):
        orthogonal_sum(one, Masses.of([1, 3], [[0.5, 0.5]], 3))
    with pytest.raises(ValueError, match=r"\(1, 2\) and \(2, 2\)"):
        orthogonal_sum(one, Masses.of([1, 3], [[0.5, 0.5]] * 2, 2))
    with pytest.raises(TypeError, match="sources must be a Masses"):
        orthogonal_sum(one, np.ones((1, 2)))
    with pytest.raises(ValueError, match="normalise"):
        orthogonal_sum(one, normalise="yes")


@pytest.mark.parametrize("reliability", [-0.1, 1.1, np.nan, [0.5, 2.0], [0.5] * 3])
def test_invalid_reliabilities_are_refused(reliability):
    masses = Masses.of([1, 3], [[0.5, 0.5]] * 2, 2)
    with pytest.raises(ValueError, match="reliability"):
        masses.discount(reliability)


def test_invalid_queries_are_refused():
    with pytest.raises(ValueError, match="sets=4 is not allowed"):
        Masses.of([1, 3], [[0.5, 0.5]], 2).belief(4)


@pytest.mark.parametrize("supports", [[0.4, 0.6], 0.5, [[[0.4, 0.6]]], [], [[]]])
def test_supports_of_one_source_have_a_row_per_sample(supports):
    with pytest.raises(ValueError, match=r"supports has shape .* it must be \(samples, classes\), at least 1 of each"):
        Masses.of_supports(supports)
