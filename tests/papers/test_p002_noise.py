"""Label noise on purpose: which labels are flipped, and what the table shows of it."""

import numpy as np
import pytest
from sklearn.neighbors import NearestNeighbors
from sklearn.tree import DecisionTreeClassifier

from emphatic.emphasis import PatternType, Undersampled
from emphatic.papers.options import Options
from emphatic.papers.p002.noise import NOISE, RULES, build, noise_method
from emphatic.papers.p002.spoilt import CONDITIONS, MALICIOUS, RANDOM, SpoiltEnsemble, flip_safest, spoil
from emphatic.study import Store
from tests.papers import fakes


def problem(n=200):
    rng = np.random.default_rng(0)
    codes = (np.arange(n) % 4 == 0).astype(np.intp)
    return rng.normal(size=(n, 2)) + 2.0 * codes[:, None], codes


@pytest.mark.parametrize(("condition", "share"), RANDOM.items())
def test_random_noise_flips_its_share(condition, share):
    X, codes = problem()
    spoilt = spoil(X, codes, condition, np.random.default_rng(0))
    assert (spoilt != codes).sum() == round(share * len(codes))
    np.testing.assert_array_equal(spoilt, spoil(X, codes, condition, np.random.default_rng(0)))


def test_malicious_noise_flips_the_safest_of_either_class():
    """Their nearest neighbours are all of the class that they were of; those of other samples are not."""
    X, codes = problem()
    flipped = flip_safest(X, codes, 0.2) != codes
    neighbours = NearestNeighbors(n_neighbors=5).fit(X).kneighbors(return_distance=False)
    agreeing = (codes[neighbours] == codes[:, None]).mean(axis=1)
    for own in (codes == 0, codes == 1):
        assert flipped[own].sum() == round(0.2 * own.sum())
        assert agreeing[own & flipped].mean() > 0.95 > agreeing[own & ~flipped].mean()


def test_malicious_noise_has_no_part_left_to_chance():
    X, codes = problem()
    first, second = (spoil(X, codes, MALICIOUS, np.random.default_rng(seed)) for seed in (0, 1))
    np.testing.assert_array_equal(first, second)


def test_an_ensemble_learns_the_spoilt_labels():
    X, codes = problem()
    y = np.where(codes == 1, 1, -1)
    for condition in CONDITIONS:
        model = SpoiltEnsemble(DecisionTreeClassifier(random_state=0), condition, 3).fit(X, y)
        spoilt = spoil(X, codes, condition, np.random.default_rng(3))
        np.testing.assert_array_equal(model.predict(X), np.where(spoilt == 1, 1, -1))


def test_every_rule_is_built_with_the_same_machines():
    settings = noise_method("glass").settings
    assert len(settings) == len(CONDITIONS) * len(RULES)
    built = {setting["rule"]: build(setting, 5) for setting in settings if setting["condition"] == MALICIOUS}
    machines = {repr(one.ensemble.estimator) for one in built.values()}
    assert len(machines) == 1
    assert isinstance(built["balanced"].ensemble.emphasis, PatternType)
    assert isinstance(built["RUSBoost"].ensemble.emphasis, Undersampled)
    assert {one.condition for one in built.values()} == {MALICIOUS}


def test_lines_and_grids_show_means_over_problems(tmp_path):
    def pretend(task):
        return {"error": 0.2, "class_accuracies": {"-1": 0.9, "1": 0.4}}

    options = Options(runs=2, problems=("glass", "vowel"))
    with Store(tmp_path / "s.sqlite") as store:
        fakes.fill(NOISE, options, store, pretend)
        lines = NOISE.lines(options, store)
        [section] = NOISE.sections(options, store)
    assert len(lines) == len(CONDITIONS) * len(RULES) * 2
    assert lines[0].problem == "2 problems" and lines[0].setting == "clean, a"
    assert lines[0].values == pytest.approx([80, 80])
    assert lines[1].values == pytest.approx([60, 60])  # g
    assert section.grids[0].rows[0] == ["standard", "", "", "", "", *["80.0 / 40.0 / 90.0 / 60.0"] * 2, ""]


def test_a_small_run(tmp_path):
    """With real fits: one partition of Glass."""
    options = Options(runs=1, problems=("glass",), quick=True)
    with Store(tmp_path / "s.sqlite") as store:
        assert fakes.run_all(NOISE, options, store) == 0
        lines = NOISE.lines(options, store)
    assert all(0 <= line.measured[0] <= 100 for line in lines)
