"""What `make docs-check` finds on pages that are made wrong on purpose."""

import pytest

from tools.check_site import check_links

PAGE = '<html><head>{head}</head><body><h1 id="top-of-it">A page</h1>{body}</body></html>'


@pytest.fixture
def site(tmp_path):
    (tmp_path / "other.html").write_text(PAGE.format(head="", body='<p id="here">words</p>'))
    return tmp_path


def check(site, head="", body=""):
    (site / "index.html").write_text(PAGE.format(head=head, body=body))
    return check_links(site.resolve())


def test_links_that_lead_somewhere_are_no_fault(site):
    links = ("other.html", "other.html#here", "#top-of-it", "https://example.org/anything", "mailto:a@example.org")
    assert check(site, body="".join(f'<a href="{link}">x</a>' for link in links)) == []


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ('<a href="missing.html">x</a>', "index.html links to missing.html, which does not exist"),
        ('<a href="other.html#there">x</a>', "index.html links to other.html#there: the page has no such place"),
        ('<a href="#nowhere">x</a>', "index.html links to #nowhere: the page has no such place"),
        ('<img src="lost.png">', "index.html links to lost.png, which does not exist"),
    ],
)
def test_links_that_lead_nowhere(site, body, fault):
    assert check(site, body=body) == [fault]


def test_a_page_fetches_nothing(site):
    script = '<script src="https://cdn.example.org/x.js"></script>'
    assert check(site, head=script) == ["index.html loads https://cdn.example.org/x.js from the network"]
