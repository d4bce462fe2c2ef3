"""Ours and the peers on labels made wrong: what is compared, and how it is counted."""

from benchmarks import wrong_labels
from benchmarks.wrong_labels import ONE_PASS, PEERS, SHARES, measure, report


def test_without_noise_all_ways_to_correct_for_it_are_the_same():
    found = {name: losses for name, *losses in measure("zoo", 0, 0.0, ["SVC"])}
    assert list(found) == ["auto", "ignore", "correct", ONE_PASS, "SVC"]
    assert found["auto"] == found["ignore"] == found["correct"] == found[ONE_PASS]
    clean, as_noisy = found["auto"]
    assert clean == as_noisy  # no label of the test is flipped either
    assert clean < found["SVC"][0]


def test_noise_is_corrected_for_clean_labels_and_not_for_noisy_ones():
    found = {name: losses for name, *losses in measure("vote", 0, 0.2, [])}
    clean, noisy = ({name: losses[k] for name, losses in found.items()} for k in range(2))
    assert clean["correct"] < clean["auto"] < clean["ignore"]
    assert noisy["ignore"] < noisy["auto"] < noisy["correct"]


def test_the_report_has_means_over_problems_and_counts_wins_over_the_first_peer():
    def make_losses(ours):
        one = {("auto", share, noisy): ours for share in SHARES for noisy in (False, True)}
        return one | {(PEERS[0], share, noisy): 0.5 for share in SHARES for noisy in (False, True)}

    _, _, ours, its = report({"one": make_losses(0.2), "other": make_losses(0.6)})
    assert ours == "| auto | " + " | ".join(["0.400"] * 7) + " | 1 of 2 |"
    assert its.endswith("| 0 of 2 |")


def test_it_runs(capsys, monkeypatch):
    monkeypatch.setattr(wrong_labels, "SHARES", (0.0, 0.2))
    wrong_labels.main(["--problems", "labor", "--partitions", "1", "--peers"])
    assert "| ignore | " in capsys.readouterr().out
