"""Claims of the papers: three verdicts, one table per paper, on the page and in Markdown."""

from emphatic.papers.claims import Claim, tabulate_claims, write_claims
from emphatic.papers.options import Options
from emphatic.papers.page import write_report
from emphatic.papers.registry import STUDIES, TABLES
from emphatic.papers.reproduce import Reproduction
from emphatic.study import Store
from emphatic.study.summary import Summary
from tests.papers.fakes import FakeTable

CLAIMS = [
    Claim("Table II", "one", True, "seen"),
    Claim("Figure 1", "two", False, "not seen"),
    Claim("section 3", "three", None, "no data"),
]


def test_a_claim_holds_or_does_not_or_cannot_be_judged():
    rows = tabulate_claims([("000-II", CLAIMS)]).rows
    assert [row[2] for row in rows] == ["holds", "does not hold", "cannot be judged"]
    assert {row[4] for row in rows} == {"emphatic reproduce 000-II"}


def test_there_is_one_table_of_claims_per_paper_in_the_order_of_the_papers():
    [section] = write_claims([("002-3", CLAIMS[:1]), ("000-II", CLAIMS), ("002-4", CLAIMS[1:]), ("003-2", [])])
    assert [(grid.caption, len(grid.rows)) for grid in section.grids] == [("Paper 000", 3), ("Paper 002", 3)]
    assert write_claims([("000-II", [])]) == []


def test_the_page_shows_the_claims_of_its_tables(tmp_path):
    class Claiming(FakeTable):
        def claims(self, options, store):
            return CLAIMS

    with Store(tmp_path / "store.sqlite") as store:
        done = [Reproduction(Claiming("000-fake"), [], Summary(), Options())]
        write_report(done, store, Options(), tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.count("cannot be judged") >= 1
    assert "emphatic reproduce 000-fake" in page


def test_our_own_studies_are_not_tables_of_a_paper():
    assert not set(STUDIES) & set(TABLES)
    assert all(table_id[:3].isdigit() for table_id in TABLES)
