import pytest

from emphatic.study import Store
from emphatic.study.results import best_setting, choose_per_split, results_of
from tests.study.fakes import make_study


def distance(setting):
    return abs(float(setting) - 0.5)


def runs(*values):
    return {("p", seed, ""): value for seed, value in enumerate(values)}


def test_smallest_mean_wins():
    assert best_setting({"0.1": runs(0.2, 0.4), "0.5": runs(0.3, 0.5)}, distance) == "0.1"


def test_ties_go_to_the_nearest_even_if_rounding_differs():
    assert best_setting({"0.1": runs(0.3), "0.4": runs(0.1 + 0.2), "0.9": runs(0.3)}, distance) == "0.4"


def test_nothing_to_choose_from():
    with pytest.raises(ValueError, match="no setting"):
        best_setting({}, distance)


def test_choice_is_made_on_folds_alone_for_each_split():
    outer = [("a", 0, ""), ("a", 1, ""), ("b", 0, "")]
    tests = {"0.1": dict(zip(outer, [1, 2, 3])), "0.9": dict(zip(outer, [4, 5, 6]))}
    inner = {"0.1": {("a", 0, "1/2"): 0.9, ("b", 0, "1/2"): 0.1}, "0.9": {("a", 0, "1/2"): 0.2, ("b", 0, "1/2"): 0.8}}
    errors, choices = choose_per_split(tests, inner, distance)
    assert choices == {"a": "0.9", "b": "0.1"}
    assert list(errors.values()) == [4, 5, 3]


def test_setting_with_a_missing_run_is_not_judged(tmp_path):
    with Store(tmp_path / "s.sqlite") as store:
        make_study(depths=(1, 2), n_runs=4).run(store)
        make_study(depths=(3,), n_runs=2).run(store)
        found = results_of(make_study(n_runs=4), store)
    assert sorted(found.errors) == ['{"depth":1}', '{"depth":2}']
    assert found.incomplete == ('{"depth":3}',)


def test_any_recorded_number_can_be_arranged(tmp_path):
    with Store(tmp_path / "s.sqlite") as store:
        study = make_study(depths=(2,), n_runs=3)
        study.run(store)
        errors = results_of(study, store).errors['{"depth":2}']
        parts = [
            results_of(study, store, lambda metrics, label=label: metrics["class_accuracies"][label])
            for label in ("no", "yes")
        ]
        held = {task.key.split: task for task in study.tasks()}
    no, yes = (part.errors['{"depth":2}'] for part in parts)
    for run, error in errors.items():
        share = (study.problems[0].y[held[run[0]].split.test] == "no").mean()
        assert 1 - error == pytest.approx(share * no[run] + (1 - share) * yes[run])
