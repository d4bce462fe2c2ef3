"""Rules of combination: exact answers, laws of each rule, agreement with brute force, complete contradiction."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emphatic.fusion.evidence import (
    Masses,
    cautious,
    combine,
    dempster,
    dubois_prade,
    orthogonal_sum,
    pcr5,
    pcr6,
    redistribution,
    smets,
    yager,
)
from emphatic.fusion.evidence.cautious_rule import LEAST_IGNORANCE
from emphatic.fusion.evidence.rules import COMBINATIONS
from tests.fusion.masses import drawn, row, same
from tests.reference import evidence as slow

OF_SEVERAL = [dempster, smets, yager, dubois_prade, cautious, pcr6]
every_rule = pytest.mark.parametrize("rule", OF_SEVERAL, ids=lambda rule: rule.__name__)
seeds = st.integers(0, 2**32 - 1)
sizes = st.integers(2, 5)
few = settings(max_examples=30)  # of each of several rules


def draw_sources(seed, n_classes, n_sources, own=False, empty=False, ignorance=0.0):
    rng = np.random.default_rng(seed)
    sources = [drawn(rng, n_classes, n=2, n_sets=4, own=own, empty=empty) for _ in range(n_sources)]
    return [one.discount(1 - ignorance) for one in sources]


def rows_of(sources):
    """Per sample, the sources in the language of the twin."""
    return [[row(source, i) for source in sources] for i in range(len(sources[0].values))]


def same_masses(one, other):
    same(one, [row(other, i) for i in range(len(other.values))])


def vacuous(n_classes, n=2):
    return Masses.of([2**n_classes - 1], np.ones((n, 1)), n_classes)


# exact answers

FIRST = Masses.of([0b001, 0b111], [[0.6, 0.4]], 3)
SECOND = Masses.of([0b010, 0b111], [[0.3, 0.7]], 3)


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (smets, {(): 0.18, (0,): 0.42, (1,): 0.12, (0, 1, 2): 0.28}),
        (dempster, {(0,): 0.42 / 0.82, (1,): 0.12 / 0.82, (0, 1, 2): 0.28 / 0.82}),
        (yager, {(0,): 0.42, (1,): 0.12, (0, 1, 2): 0.28 + 0.18}),
        (dubois_prade, {(0,): 0.42, (1,): 0.12, (0, 1): 0.18, (0, 1, 2): 0.28}),
        (pcr5, {(0,): 0.42 + 0.12, (1,): 0.12 + 0.06, (0, 1, 2): 0.28}),  # 0.18 is shared as 2 to 1
        (pcr6, {(0,): 0.42 + 0.12, (1,): 0.12 + 0.06, (0, 1, 2): 0.28}),
        (cautious, {(): 0.18, (0,): 0.42, (1,): 0.12, (0, 1, 2): 0.28}),  # nothing in common: as Smets
    ],
    ids=lambda one: getattr(one, "__name__", ""),
)
def test_two_sources_by_hand(rule, expected):
    both = rule(FIRST, SECOND)
    same(both, [{frozenset(focal): mass for focal, mass in expected.items()}])
    np.testing.assert_allclose(both.conflict, [0.18])


def test_zadehs_paradox_is_one_of_dempsters_rule():
    """Two physicians, each 99% sure of another disease, agree on the third that both think hardly possible."""
    first = Masses.of([0b001, 0b100], [[0.99, 0.01]], 3)
    second = Masses.of([0b010, 0b100], [[0.99, 0.01]], 3)
    np.testing.assert_allclose(dempster(first, second).belief(), [[0, 0, 1]])
    np.testing.assert_allclose(yager(first, second).belief(), [[0, 0, 1e-4]])
    np.testing.assert_allclose(dubois_prade(first, second).belief([0b011, 0b100]), [[0.9801, 1e-4]])
    shared = 0.99**2 / 2 + 0.99 * 0.01 * 0.99  # of each other, and of what the other thinks hardly possible
    np.testing.assert_allclose(pcr6(first, second).belief(), [[shared, shared, 1 - 2 * shared]])


def test_pcr6_of_three_sources_shares_by_source():
    """The example by which PCR6 differs from PCR5: two sources of one class are two shares."""
    sources = [Masses.of([1, 2, 3], [values], 2) for values in ([0.6, 0.3, 0.1], [0.2, 0.3, 0.5], [0.4, 0.4, 0.2])]
    both = pcr6(*sources)
    same(both, [slow.pcr6(*(row(one, 0) for one in sources), n_classes=2)])
    one_product = Masses.of([1], [[1.0]], 2), Masses.of([1, 3], [[0.5, 0.5]], 2), Masses.of([2, 3], [[0.5, 0.5]], 2)
    # {0}, {0}, {1}: 1/4 as 1 + 1/2 to 1/2; {0}, Theta, {1}: 1/4 as 1, 1/2, 1/2
    np.testing.assert_allclose(pcr6(*one_product).belief(), [[0.5 + 3 / 16 + 1 / 8, 1 / 16 + 1 / 16]])


def test_the_weights_of_a_simple_source():
    """Of two sources for one set the cautious rule keeps the stronger, where Dempster's counts both."""
    weak, strong = (Masses.of([0b011, 0b111], [[mass, 1 - mass]], 3) for mass in (0.4, 0.7))
    np.testing.assert_allclose(cautious(weak, strong).belief([0b011]), [[0.7]])
    np.testing.assert_allclose(dempster(weak, strong).belief([0b011]), [[1 - 0.6 * 0.3]])


def test_cautious_evidence_of_classifiers_is_the_largest_of_their_odds():
    """With mass on single classes and on Theta, m(c) is proportional to the largest of m_j(c) / m_j(Theta)."""
    rng = np.random.default_rng(0)
    supports, trust = rng.dirichlet(np.ones(4), size=(3, 5)), np.array([0.9, 0.5, 0.7])
    both = cautious(*map(Masses.of_supports, supports, trust)).normalise()
    odds = (supports * (trust / (1 - trust))[:, None, None]).max(axis=0)
    np.testing.assert_allclose(both.belief(), odds / (1 + odds.sum(axis=1, keepdims=True)), rtol=1e-12)


# brute force


@given(seeds, sizes, st.integers(2, 4), st.booleans(), st.booleans())
def test_rules_that_move_conflict_equal_brute_force(seed, n_classes, n_sources, own, empty):
    sources = draw_sources(seed, n_classes, n_sources, own, empty)
    samples = rows_of(sources)
    conjunctive = [slow.orthogonal_sum(*each) for each in samples]
    same(smets(*sources), conjunctive)
    same(dempster(*sources), [slow.normalised(one, n_classes) for one in conjunctive])
    for rule, twin in ((yager, slow.yager), (dubois_prade, slow.dubois_prade), (pcr6, slow.pcr6)):
        both = rule(*sources)
        same(both, [twin(*each, n_classes=n_classes) for each in samples])
        np.testing.assert_allclose(both.conflict, [slow.mass_of(one, []) for one in conjunctive], atol=1e-13)


@given(seeds, sizes, st.integers(2, 4), st.booleans(), st.sampled_from([0.0, 0.01, 0.3]))
def test_the_cautious_rule_equals_brute_force(seed, n_classes, n_sources, own, ignorance):
    sources = draw_sources(seed, n_classes, n_sources, own, empty=True, ignorance=ignorance)
    theta = 2**n_classes - 1
    nondogmatic = []
    for one in sources:
        unknown = (one.values * (one.sets == theta)).sum(axis=1)
        trust = (1 - LEAST_IGNORANCE) / np.maximum(1 - unknown, 1 - LEAST_IGNORANCE)
        nondogmatic.append(one.discount(np.where(unknown < LEAST_IGNORANCE, trust, 1.0)))
    both = cautious(*sources)
    for i, each in enumerate(rows_of(nondogmatic)):
        found, expected = row(both, i), slow.cautious(*each, n_classes=n_classes)
        for focal in found.keys() | expected.keys():
            assert slow.mass_of(found, focal) == pytest.approx(slow.mass_of(expected, focal), abs=1e-12)
        assert both.conflict[i] == pytest.approx(slow.mass_of(expected, []), abs=1e-12)


@given(seeds, sizes, st.booleans())
def test_pcr5_and_pcr6_are_one_rule_of_two_sources(seed, n_classes, own):
    sources = draw_sources(seed, n_classes, 2, own)
    same(pcr5(*sources), [slow.pcr5(*each, n_classes=n_classes) for each in rows_of(sources)])
    same_masses(pcr6(*sources), pcr5(*sources))


@given(seeds, sizes, st.integers(2, 4), st.sampled_from([0.01, 0.3, 3.0]), st.sampled_from([0.2, 0.9, 1.0]))
def test_pcr6_of_classifiers_without_going_through_all_products(seed, n_classes, n_sources, sharpness, trust):
    supports = np.random.default_rng(seed).dirichlet(np.full(n_classes, sharpness), size=(n_sources, 2))
    sources = [Masses.of_supports(one, trust) for one in supports]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(redistribution, "PRODUCTS_PER_TERM", 0)
        both = pcr6(*sources)
    same(both, [slow.pcr6(*each, n_classes=n_classes) for each in rows_of(sources)])


def test_pcr6_of_many_classifiers():
    """11**12 products: their sum is the conflict, which is known, and as many sources for as against are even."""
    rng = np.random.default_rng(0)
    sources = [Masses.of_supports(rng.dirichlet(np.ones(10), size=2), 0.8) for _ in range(12)]
    both = pcr6(*sources)
    np.testing.assert_allclose(both.values.sum(axis=1), 1, rtol=1e-12)
    np.testing.assert_allclose(both.conflict, smets(*sources).conflict, rtol=1e-12)
    camps = [Masses.of([code, 0b111], [[0.9, 0.1]], 3) for code in (0b001, 0b010) * 10]
    one, other, third = pcr6(*camps).belief()[0]
    assert one == pytest.approx(other, rel=1e-12) and third == 0


# laws


@every_rule
@few
@given(seed=seeds, n_classes=sizes)
def test_masses_sum_to_1_whatever_the_order_of_the_sources(rule, seed, n_classes):
    sources = draw_sources(seed, n_classes, 3, own=True, empty=True, ignorance=0.1)
    both = rule(*sources)
    assert (both.values >= 0).all()
    np.testing.assert_allclose(both.values.sum(axis=1), 1, rtol=1e-12)
    same_masses(rule(*sources[::-1]), both)
    resolved = both.normalise()
    bets = resolved.pignistic()
    assert (resolved.belief() <= bets + 1e-12).all() and (bets <= resolved.plausibility() + 1e-12).all()


@every_rule
@few
@given(seed=seeds, n_classes=sizes)
def test_samples_are_combined_each_on_its_own(rule, seed, n_classes):
    sources = draw_sources(seed, n_classes, 3, ignorance=0.1)
    both = rule(*sources)
    for i in range(2):
        alone = [Masses(one.sets, one.values[i : i + 1].copy(), n_classes, one.kept[i : i + 1]) for one in sources]
        np.testing.assert_array_equal(rule(*alone).pignistic(), both.pignistic()[i : i + 1])


@pytest.mark.parametrize("rule", [dempster, smets, yager, dubois_prade, pcr5, pcr6], ids=lambda rule: rule.__name__)
@few
@given(seed=seeds, n_classes=sizes)
def test_ignorance_is_neutral(rule, seed, n_classes):
    (some,) = draw_sources(seed, n_classes, 1)
    same_masses(rule(some, vacuous(n_classes)), some)
    same_masses(rule(vacuous(n_classes), some), some)


@given(seeds, sizes)
def test_ignorance_is_neutral_for_separable_sources_under_the_cautious_rule(seed, n_classes):
    simple = [
        Masses.of([one.sets[0, 0], 2**n_classes - 1], [[0.6, 0.4], [0.3, 0.7]], n_classes)
        for one in draw_sources(seed, n_classes, 3)
    ]
    separable = smets(*simple)
    same_masses(cautious(separable, vacuous(n_classes)), separable)


def test_ignorance_weakens_a_source_that_is_not_separable_under_the_cautious_rule():
    some = Masses.of([0b011, 0b110, 0b111], [[0.4, 0.4, 0.2]], 3)
    assert slow.weights(row(some, 0), 3)[frozenset([1])] > 1
    assert cautious(some, vacuous(3, 1)).belief([0b010]) > 0.1
    same_masses(cautious(some, some), some)


@pytest.mark.parametrize("rule", [dempster, smets, cautious], ids=lambda rule: rule.__name__)
@few
@given(seed=seeds, n_classes=sizes)
def test_associative_rules_may_be_applied_one_source_at_a_time(rule, seed, n_classes):
    a, b, c = draw_sources(seed, n_classes, 3, ignorance=0.2)
    same_masses(rule(rule(a, b), c), rule(a, b, c))
    same_masses(rule(a, rule(c, b)), rule(a, b, c))


@pytest.mark.parametrize("rule", [yager, dubois_prade, pcr6], ids=lambda rule: rule.__name__)
def test_the_other_rules_are_not_associative(rule):
    a, b, c = (Masses.of([code, 0b111], [[0.6, 0.4]], 3) for code in (0b001, 0b010, 0b001))
    assert abs(rule(rule(a, b), c).pignistic() - rule(a, b, c).pignistic()).max() > 0.01


@given(seeds, sizes, st.integers(1, 4))
def test_the_cautious_rule_is_idempotent(seed, n_classes, copies):
    (some,) = draw_sources(seed, n_classes, 1, own=True, empty=True, ignorance=0.05)
    same_masses(cautious(*[some] * copies), some)
    resolved = some.normalise()
    np.testing.assert_allclose(cautious(resolved, resolved).conflict, resolved.conflict, atol=1e-12)


@every_rule
def test_one_source_is_left_as_it_is(rule):
    some = Masses.of([0b01, 0b10, 0b11], [[0.5, 0.3, 0.2]], 2)
    same_masses(rule(some), some)


@given(seeds, sizes)
def test_yagers_rule_decides_as_dempsters_with_less_confidence(seed, n_classes):
    rng = np.random.default_rng(seed)
    sources = [Masses.of_supports(rng.dirichlet(np.ones(n_classes), size=4), 0.9) for _ in range(3)]
    surer, unsure = dempster(*sources).pignistic(), yager(*sources).pignistic()
    np.testing.assert_array_equal(surer.argmax(axis=1), unsure.argmax(axis=1))
    assert (surer.max(axis=1) >= unsure.max(axis=1)).all()


# complete contradiction, and mass on the empty set


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (smets, {(): 1.0}),
        (dempster, {(0, 1, 2): 1.0}),
        (yager, {(0, 1, 2): 1.0}),
        (dubois_prade, {(0, 1): 1.0}),
        (pcr5, {(0,): 0.5, (1,): 0.5}),
        (pcr6, {(0,): 0.5, (1,): 0.5}),
    ],
    ids=lambda one: getattr(one, "__name__", ""),
)
def test_complete_contradiction_has_an_answer_and_is_flagged(rule, expected):
    both = rule(Masses.of([0b001], [[1.0]], 3), Masses.of([0b010], [[1.0]], 3))
    same(both, [{frozenset(focal): mass for focal, mass in expected.items()}])
    np.testing.assert_array_equal(both.conflict, [1.0])


def test_complete_contradiction_under_the_cautious_rule_leaves_next_to_nothing():
    both = cautious(Masses.of([0b001], [[1.0]], 3), Masses.of([0b010], [[1.0]], 3))
    np.testing.assert_allclose(1 - both.conflict, [2e-12], rtol=1e-3)
    np.testing.assert_allclose(both.pignistic(), [[0.5, 0.5, 0.0]], atol=1e-11)


@every_rule
def test_sources_without_any_mass_outside_the_empty_set(rule):
    nothing = Masses.of([0], [[1.0]], 2)
    for sources in ([nothing], [nothing, nothing], [nothing, vacuous(2, 1), nothing]):
        both = rule(*sources)
        np.testing.assert_allclose(both.conflict, [1.0], atol=1e-11)
        np.testing.assert_allclose(both.pignistic(), [[0.5, 0.5]])
        np.testing.assert_allclose(both.values.sum(axis=1), 1)


def test_conflict_of_sources_is_remembered():
    """Half is lost before, half of the rest now: also where a rule leaves nothing on the empty set."""
    sure, doubt = Masses.of([0b01], [[1.0]], 2), Masses.of([0b10, 0b11], [[0.5, 0.5]], 2)
    once = dempster(sure, doubt)
    for rule in (dempster, smets, yager, dubois_prade, pcr5, pcr6):
        np.testing.assert_allclose(rule(once, doubt).conflict, [0.75])
    np.testing.assert_allclose(cautious(once, once).conflict, [0.5])


def test_a_set_that_is_listed_twice_counts_as_one():
    twice, once = (Masses.of(sets, [mass], 2) for sets, mass in (([1, 1, 3], [0.3, 0.4, 0.3]), ([1, 3], [0.7, 0.3])))
    other = Masses.of([2, 3], [[0.6, 0.4]], 2)
    for rule in OF_SEVERAL:
        same_masses(rule(twice, other), rule(once, other))


# many classes


def test_rules_with_many_classes():
    rng = np.random.default_rng(0)
    sources = [Masses.of_supports(rng.dirichlet(np.ones(31), size=2), 0.9) for _ in range(3)]
    for rule in OF_SEVERAL:
        both = rule(*sources)
        np.testing.assert_allclose(both.values.sum(axis=1), 1)
        assert (both.belief([2**31 - 1]) <= 1 + 1e-12).all()
    wide = [Masses.of_supports(rng.dirichlet(np.ones(62), size=2), 0.9) for _ in range(2)]
    np.testing.assert_allclose(pcr6(*wide).belief([2**62 - 1]), 1)
    np.testing.assert_allclose(cautious(*wide).values.sum(axis=1), 1)
    with pytest.raises(ValueError, match="sources have 62 classes: dubois_prade takes at most 31"):
        dubois_prade(*wide)


# bad input


def test_rules_by_name():
    sources = FIRST, SECOND
    for name, rule in COMBINATIONS.items():
        same_masses(combine(*sources, rule=name), rule(*sources))
    same_masses(combine(*sources), orthogonal_sum(*sources, normalise=True))
    for unknown in ("Dempster", "pcr", None, yager):
        with pytest.raises(ValueError, match=r"rule=.* must be one of 'dempster', 'smets', 'yager'.*'pcr6'"):
            combine(*sources, rule=unknown)
    with pytest.raises(ValueError, match="rule='pcr5' takes 2 sources, but there are 3: take rule='pcr6'"):
        combine(FIRST, SECOND, FIRST, rule="pcr5")


@every_rule
def test_sources_that_do_not_fit_are_refused(rule):
    with pytest.raises(ValueError, match="sources is empty"):
        rule()
    with pytest.raises(ValueError, match=r"\(1, 3\) and \(1, 2\)"):
        rule(FIRST, Masses.of([1, 3], [[0.5, 0.5]], 2))
    with pytest.raises(ValueError, match=r"\(1, 3\) and \(2, 3\)"):
        rule(FIRST, vacuous(3))
    with pytest.raises(TypeError, match="sources must be a Masses"):
        rule(FIRST, [[0.5, 0.5]])


def test_more_work_than_minutes_is_refused():
    many = Masses.of(np.arange(1, 12), np.full((1, 11), 1 / 11), 4)
    with pytest.raises(ValueError, match=r"sources have 3.1e\+12 products of masses, more than the 1e\+11"):
        pcr6(*[many] * 12)
    sets = 2**20 - 1 - (1 << np.arange(20))  # each lacks one class: their intersections are all sets
    with pytest.raises(ValueError, match="more than 8192 focal sets and intersections"):
        cautious(Masses.of(sets, np.full((1, 20), 0.05), 20))
