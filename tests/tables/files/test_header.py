"""The header: found below titles and comments, above rows, or not there at all; doubt is said."""

import pytest

from emphatic.tables.files import Options, read_table


@pytest.fixture
def read(tmp_path):
    """The names, the number of rows and the remarks of a table."""

    def read(text, **options):
        path = tmp_path / "data.csv"
        path.write_text(text)
        table, layout, n_rows = read_table(path, Options(**options))
        return list(table), n_rows, " ".join(layout.remarks)

    return read


def test_wavelengths_and_years_are_names(read):
    rows = "a,0.1,0.2,0.3\nb,0.2,0.3,0.4\n"
    assert read(f"kind,350.5,351,351.5\n{rows}") == (["kind", "350.5", "351", "351.5"], 2, "")
    assert read(f"kind,2019,2020,2021\n{rows}") == (["kind", "2019", "2020", "2021"], 2, "")
    assert read("0,1\n5.5,6.5\n7.5,8.5\n") == (["0", "1"], 2, "")


def test_a_word_above_words_that_it_is_not_one_of_is_their_name(read):
    rows = "1.5,red\n2.5,blue\n" * 4
    assert read(f"0.25,colour\n{rows}") == (["0.25", "colour"], 8, "")
    names, n_rows, remarks = read(f"0.25,red\n{rows}")
    assert names == ["column_1", "column_2"] and n_rows == 9 and "--header 1" in remarks
    assert read(f"0.25,red\n{rows}", header=1)[:2] == (["0.25", "red"], 8)


def test_one_odd_cell_does_not_make_a_second_header(read):
    names, n_rows, remarks = read("kind,price\na,free\nb,1\nc,2\nd,3\n")
    assert names == ["kind", "price"] and n_rows == 4
    assert "if it is part of the header" in remarks
    assert read("kind,price\na,free\nb,1\nc,2\nd,3\n", header=2)[:2] == (["kind a", "price free"], 3)


@pytest.mark.parametrize("sign", ["#", "%", "# ", "--"])
def test_a_name_may_begin_as_a_comment_does(read, sign):
    assert read(f"{sign}fat,age\n1,2\n3,4\n") == ([f"{sign}fat", "age"], 2, "")


def test_a_comment_with_as_many_cells_as_the_header_is_said(read):
    names, n_rows, remarks = read("# made by Ann, 2020\nid,name\n1,x\n2,y\n")
    assert names == ["id", "name"] and n_rows == 2 and "'# made by Ann' is taken for a comment" in remarks


def test_a_header_alone_has_no_rows(read):
    with pytest.raises(ValueError, match="has a header but no rows"):
        read("1,2,3\n")
    assert read("1,2,3\n", header=0)[:2] == (["column_1", "column_2", "column_3"], 1)


def test_spaces_around_names_are_dropped(read):
    assert read("id ,  name\n1,2\n3,4\n")[0] == ["id", "name"]


def test_empty_rows_at_the_end_are_rows_and_said(read):
    text = "id,name,y\n1,x,a\n2,y,b\n,,\n,,\n"
    assert read(text)[1:] == (4, "rows without a value at its end: 2; --footer 2 leaves them out")
    assert read(text, footer=2)[1:] == (2, "")
    assert read('id,note\n1,x\n2,"a\nb"\n') == (["id", "note"], 2, "")
