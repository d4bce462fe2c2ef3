"""The claims of paper 001 are judged by made-up errors whose verdicts are known."""

import pytest

from emphatic.papers import table
from emphatic.papers.lines import Line
from emphatic.papers.options import Options
from emphatic.papers.p001.claims import NOT_FINISHED, judge_classes, judge_guides, judge_moderation
from emphatic.papers.p001.designs import FAMILIES, FIFTHS, Search
from emphatic.papers.p001.full_search import FullSearchTable
from emphatic.papers.p001.judges import SIZES, Measured, MeasuredProblem
from emphatic.papers.p001.moderation import MODERATION
from emphatic.study import Store
from tests.papers.fakes import fill
from tests.papers.test_p001 import pretend
from tests.study.fakes import FakeProblem

NOISE = [0.0, 0.1, -0.1, 0.05, -0.05, 0.2, -0.2, 0.15]
MEANS = dict.fromkeys(FAMILIES, 10.0)


def measured(*problems, alpha=0.0, first=20.0, boundary=9.0, sizes=None):
    """What would be measured if the families had these mean errors, problem by problem; all else are tens."""
    names = list(SIZES)[: len(problems)]
    found = {}
    for name, own in zip(names, problems, strict=True):
        means = {**MEANS, **own}
        lines = {family: Line(name, "", family, [mean + one for one in NOISE]) for family, mean in means.items()}
        found[name] = MeasuredProblem(name, lines, alpha, first, boundary, 10.0, sizes or SIZES[name])
    return Measured(names, found)


def find(claims, words):
    [found] = [claim for claim in claims if words in claim.text]
    return found


@pytest.mark.parametrize(
    ("words", "holds", "fails"),
    [
        ("effective: CRA", measured({"CRA": 8}, {"CRA": 8}, {"CRA": 12}), measured({"CRA": 8}, {"CRA": 12})),
        ("effective: Mixed", measured({"Mixed": 8}, {}), measured({"Mixed": 10.01})),
        ("DWK-RA gives", measured({"DWK-RA": 8}, {}), measured({"DWK-RA": 12}, {"DWK-RA": 12}, {"DWK-RA": 8})),
        ("Moderation", measured({}, {"CRA": 8}, alpha=0.2), measured({}, {"CRA": 8}, alpha=0.0)),
        ("no guarantee", measured({}, {"CRA": 12}), measured({}, {"CRA": 8})),
        ("suboptimal", measured({"ARA": 8}, {}), measured({"CRA": 8}, {"RA": 8})),
        ("best everywhere", measured({"CRA": 8}, {"ARA": 8}), measured({"CRA": 8}, {"CRA": 8}, {"ARA": 8})),
        ("similar", measured({"CRA": 8, "DWK-RA": 9}, {}), measured({"CRA": 8, "DWK-RA": 12}, {"CRA": 8})),
        ("boundary can", measured({}, boundary=10.5), measured({}, boundary=9.5)),
        ("equivalent", measured({}, {"Mixed": 10.01}), measured({}, {"Mixed": 8})),
        ("good guide", measured({}, first=12.0), measured({}, first=9.0)),
        ("sensitive", measured({"ARA": 12}), measured({})),
        ("sizes", measured({}), measured({}, sizes=(10, 10))),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_claim_holds_or_not_by_what_was_measured(words, holds, fails):
    assert find(judge_moderation(holds), words).holds is True
    assert find(judge_moderation(fails), words).holds is False


def test_evidence_is_made_of_the_measured_numbers():
    claims = judge_moderation(measured({"CRA": 8}, {"CRA": 12}, {}, alpha=0.4))
    assert find(claims, "effective: CRA").evidence == (
        "better on 1 (abalone), worse on 1 (breast), no clear difference on 1; p = 1.00 over the problems"
    )
    assert find(claims, "no guarantee").evidence == "breast (CRA 12.02, RA 10.02)"
    assert find(claims, "Moderation").evidence.startswith(
        "α > 0 was chosen on 3 of 3 problems; there better on 1 (abal"
    )


def test_what_the_text_does_not_let_us_judge_says_why():
    open_ones = [claim for claim in judge_moderation(measured({})) if claim.holds is None]
    assert len(open_ones) == 5
    assert find(open_ones, "50 trainings").evidence == "the table of results is not in the text that we have"


def test_classes_must_beat_guessing():
    lines = [Line("glass", "", "CRA, α 0.4, β 0.5", [30.0, 32.0]), Line("glass", "", "RA", [90.0])]
    [claim] = judge_classes(lines, {"glass": 64.5}, 1)
    assert claim.holds is True and claim.evidence == "error in % (of guessing): glass 31.0 (64.5)"
    assert judge_classes(lines, {"glass": 20.0}, 1)[0].holds is False
    assert judge_classes(lines, {"glass": 64.5}, 2)[0].evidence == NOT_FINISHED


def test_an_external_guide_that_is_better_refutes_the_partial_ensemble():
    better, worse = {"own": [10.0, 10.0], "other": [9.0, 10.5]}, {"own": [9.0, 9.0], "other": [9.0, 10.0]}
    assert judge_guides({"ARA": worse}, "own", 2)[0].holds is True
    [claim] = judge_guides({"ARA": worse, "CRA": better}, "own", 2)
    assert claim.holds is False
    assert "CRA: own 10.00, other 9.75 (p = " in claim.evidence
    assert judge_guides({"ARA": worse}, "own", 3)[0].evidence == NOT_FINISHED


@pytest.fixture
def fake_problems(monkeypatch):
    monkeypatch.setattr(table, "load_problem", lambda name, paper: FakeProblem(name, predefined=True))
    monkeypatch.setattr(MODERATION.__class__, "problems", lambda self, quick=False: ["ripley", "image"])


@pytest.mark.usefixtures("fake_problems")
def test_claims_are_judged_only_when_all_problems_are_finished(tmp_path):
    options = Options(runs=6)
    with Store(tmp_path / "s.sqlite") as store:
        empty = MODERATION.claims(options, store)
        fill(MODERATION, Options(runs=6, problems=("ripley",)), store, pretend)
        half = MODERATION.claims(options, store)
        fill(MODERATION, options, store, pretend)
        whole = MODERATION.claims(options, store)
    judged = [number for number, claim in enumerate(whole) if claim.holds is not None]
    assert len(judged) == 14
    for claims in (empty, half):
        assert [claim.text for claim in claims] == [claim.text for claim in whole]
        finished_without = [number for number in judged if claims[number].holds is not None]
        assert [claims[number].text for number in finished_without] == [find(whole, "costs much less").text]
    assert find(whole, "effective: CRA").holds is True
    assert find(whole, "Moderation").evidence.startswith("α > 0 was chosen on 2 of 2 problems")
    assert "on 2 of 2" in find(whole, "good guide").evidence
    assert find(whole, "sizes").holds is False  # of made-up problems


@pytest.mark.usefixtures("fake_problems")
def test_the_full_search_judges_what_rests_on_the_search(tmp_path):
    full = FullSearchTable("001-full", "A smaller one", Search("A smaller search", FIFTHS, repeats=3))
    options = Options(runs=6, problems=("ripley",))
    with Store(tmp_path / "s.sqlite") as store:
        fill(MODERATION, options, store, pretend)  # two of the three repeats
        assert {claim.evidence for claim in full.claims(options, store)} == {NOT_FINISHED}
        fill(full, options, store, pretend)
        claims = full.claims(options, store)
        lines = {line.method: line for line in full.lines(options, store)}
    assert len(claims) == 4 and all(claim.holds is not None for claim in claims)
    assert lines["CRA"].setting == "H 4, α 0.4, β 0.6"
