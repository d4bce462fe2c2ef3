"""Write the corpus of nasty tables to tests/data/tables: each file, and beside it what a person would read in it.

The kinds follow the Pollock benchmark (Vitagliano et al., VLDB 2023) and what spreadsheets, databases, R and instruments
export. `name.expected.json` holds the expected `columns`, or a pattern of the refusal (`refused`); `remark` is a pattern of what
must be said because it is ambiguous or was mended; `kind` groups the files; `may_refuse` allows a refusal with this pattern instead of the table.
"""

import bz2
import gzip
import io
import json
import lzma
import zipfile
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "tests" / "data" / "tables"
PLAIN = {"id": ["1", "2", "3"], "name": ["Ann", "Bob", "Cy"], "score": ["1.5", "2.25", "-3"]}
TEXT = "id,name,score\n1,Ann,1.5\n2,Bob,2.25\n3,Cy,-3\n"
COMMAS = {"id": ["1", "2", "3"], "name": ["Ann", "Bob", "Cy"], "score": ["1,5", "2,25", "-3,0"]}
CORPUS: dict[str, tuple[bytes, dict]] = {}
KINDS: list[str] = []


def add(name: str, content: str | bytes, columns: dict | None = None, **more: str) -> None:
    expected = {} if columns is None else {"columns": columns}
    about = {"kind": KINDS[-1], **expected, **more}
    CORPUS[name] = (content.encode() if isinstance(content, str) else content, about)


KINDS.append("separators")
add("comma.csv", TEXT, PLAIN)
add("semicolon_decimal_comma.csv", "id;name;score\n1;Ann;1,5\n2;Bob;2,25\n3;Cy;-3,0\n", COMMAS)
add("tab.tsv", TEXT.replace(",", "\t"), PLAIN)
add("bar.txt", TEXT.replace(",", "|"), PLAIN)
add("double_bar.txt", TEXT.replace(",", "||"), PLAIN)
add("tilde.txt", TEXT.replace(",", "~"), PLAIN)
add("ctrl_a_hive.txt", TEXT.replace(",", "\x01"), PLAIN)
add(
    "colon_passwd.txt",
    "user:uid:shell\nroot:0:/bin/sh\ndaemon:1:/bin/false\nann:1000:/bin/bash\n",
    {"user": ["root", "daemon", "ann"], "uid": ["0", "1", "1000"], "shell": ["/bin/sh", "/bin/false", "/bin/bash"]},
)
add(
    "aligned_by_spaces.txt",
    "   id  name   score\n    1  Ann      1.5\n    2  Bob     2.25\n   10  Cy        -3\n",
    {"id": ["1", "2", "10"], "name": ["Ann", "Bob", "Cy"], "score": ["1.5", "2.25", "-3"]},
)
add(
    "space_after_comma.csv",
    'id, name, note\n1, Ann, "red, blue"\n2, Bob, green\n3, Cy, "a, b"\n',
    {"id": ["1", "2", "3"], "name": ["Ann", "Bob", "Cy"], "note": ["red, blue", "green", "a, b"]},
)
add(
    "text_with_commas.tsv",
    "name\tcity\tn\nSmith, Ann\tParis, Texas\t1\nDoe, Bob\tRome, Italy\t2\nRay, Cy\tBonn, Germany\t3\n",
    {
        "name": ["Smith, Ann", "Doe, Bob", "Ray, Cy"],
        "city": ["Paris, Texas", "Rome, Italy", "Bonn, Germany"],
        "n": ["1", "2", "3"],
    },
)
add(
    "semicolon_dates.csv",
    "when;temp;place\n2020-01-05 10:30:00;-1,5;A, north\n2020-01-06 11:30:00;2,5;B, south\n2020-01-07 12:30:00;0,0;C, west\n",
    {
        "when": ["2020-01-05 10:30:00", "2020-01-06 11:30:00", "2020-01-07 12:30:00"],
        "temp": ["-1,5", "2,5", "0,0"],
        "place": ["A, north", "B, south", "C, west"],
    },
)
add("excel_sep_line.csv", "sep=;\r\nid;name;score\r\n1;Ann;1,5\r\n2;Bob;2,25\r\n3;Cy;-3,0\r\n", COMMAS)
add("one_column_decimal_comma.csv", "price\n1,5\n2,25\n-3,0\n", {"price": ["1,5", "2,25", "-3,0"]})
add("one_column_with_gaps.csv", 'label\nyes\n\nno\n""\nyes\n', {"label": ["yes", None, "no", None, "yes"]})
add(
    "one_column_prose.txt",
    "review\nVery nice place\nGood food, but slow\nBad; never again\nFine, cheap, and near\n",
    {"review": ["Very nice place", "Good food, but slow", "Bad; never again", "Fine, cheap, and near"]},
)
KINDS.append("quotes")
add(
    "quoted_all.csv",
    '"id","name","score"\n"1","Ann","1,5"\n"2","B""ob""","2"\n"3","","-3"\n',
    {"id": ["1", "2", "3"], "name": ["Ann", 'B"ob"', None], "score": ["1,5", "2", "-3"]},
)
add(
    "single_quotes.csv",
    "id,name,score\n1,'Ann, the first',1\n2,'it''s Bob',2\n3,'Cy',3\n",
    {"id": ["1", "2", "3"], "name": ["Ann, the first", "it's Bob", "Cy"], "score": ["1", "2", "3"]},
)
add(
    "apostrophes.csv",
    "id,name,score\n1,O'Hara,1\n2,'tis,2\n3,d'Or',3\n",
    {"id": ["1", "2", "3"], "name": ["O'Hara", "'tis", "d'Or'"], "score": ["1", "2", "3"]},
)
add(
    "backslash_quotes.csv",
    'id,name,score\n1,"Ann \\"A\\" Lee",1\n2,"Bob, Jr.",2\n3,"Cy",3\n',
    {"id": ["1", "2", "3"], "name": ['Ann "A" Lee', "Bob, Jr.", "Cy"], "score": ["1", "2", "3"]},
)
add(
    "line_breaks_in_cells.csv",
    'id,note,score\n1,"first line\nsecond, line",1\n2,"plain",2\n3,"a\n\nb",3\n',
    {"id": ["1", "2", "3"], "note": ["first line\nsecond, line", "plain", "a\n\nb"], "score": ["1", "2", "3"]},
)
add(
    "inch_marks.csv",
    'id,size,score\n1,5" pipe,1\n2,7",2\n3,3"x4",3\n',
    {"id": ["1", "2", "3"], "size": ['5" pipe', '7"', '3"x4"'], "score": ["1", "2", "3"]},
)
add(
    "stray_quotes_merge_rows.csv",
    'id,size,kind\n1,"5 inch,a\n2,6,b\n3,7",c\n4,8,d\n',
    {"id": ["1", "2", "3", "4"], "size": ['"5 inch', "6", '7"', "8"], "kind": ["a", "b", "c", "d"]},
    remark="stray one in line 2",
)
add(
    "quote_never_closed.csv",
    'id,size,kind\n1,5,a\n2,"6,b\n3,7,c\n',
    {"id": ["1", "2", "3"], "size": ["5", '"6', "7"], "kind": ["a", "b", "c"]},
    remark="stray one in line 3",
)
add(
    "quotes_inside_quotes.csv",
    'id,name,score\n1,"Ann "A" Lee",1\n2,"Bob, Jr.",2\n',
    {"id": ["1", "2"], "name": ['Ann "A" Lee', "Bob, Jr."], "score": ["1", "2"]},
    may_refuse="line 2 .*inside a quoted cell.*double.*--quote none",
)
add(
    "quotes_merge_quoted_rows.csv",
    'id,name,score\n1,"Ann, Lee",1\n2,"Bob,2\n3,Cy,3\n4,Di",4\n',
    refused="line 3 .*quote.*--quote none",
)
KINDS.append("encodings")
WORDS = "id,name,town\n1,Müller,Köln\n2,Núñez,Málaga\n3,Désirée,Besançon\n"
READ = {"id": ["1", "2", "3"], "name": ["Müller", "Núñez", "Désirée"], "town": ["Köln", "Málaga", "Besançon"]}
add("utf8.csv", WORDS, READ)
add("utf8_bom.csv", WORDS.encode("utf-8-sig"), READ)
add("utf16_bom.csv", WORDS.encode("utf-16"), READ)
add("utf16_excel_unicode_text.txt", WORDS.replace(",", "\t").replace("\n", "\r\n").encode("utf-16"), READ)
add("utf16_be.csv", WORDS.encode("utf-16-be"), READ)
add("utf16_le.csv", WORDS.encode("utf-16-le"), READ)
add("latin1.csv", WORDS.encode("latin-1"), READ, remark="Windows-1252.*Müller")
add(
    "windows1252_euro.csv",
    "id;price;note\n1;5 €;“good”\n2;7 €;it’s – fine\n3;9 €;…\n".encode("cp1252"),
    {"id": ["1", "2", "3"], "price": ["5 €", "7 €", "9 €"], "note": ["“good”", "it’s – fine", "…"]},
    remark="Windows-1252",
)
add("cyrillic_cp1251.csv", "номер,имя\n1,Анна\n2,Борис\n".encode("cp1251"), refused="--encoding cp1250")
add("old_mac_roman.csv", WORDS.encode("mac_roman"), refused="--encoding")
add("dos_cp437.csv", WORDS.encode("cp437", "replace"), refused="--encoding")
KINDS.append("line ends")
add("crlf.csv", TEXT.replace("\n", "\r\n"), PLAIN)
add("cr_old_mac.csv", TEXT.replace("\n", "\r"), PLAIN)
add("mixed_line_ends.csv", "id,name,score\r\n1,Ann,1.5\n2,Bob,2.25\r\n3,Cy,-3\n", PLAIN)
add("no_final_line_end.csv", TEXT.rstrip("\n"), PLAIN)
add("dos_end_of_file.csv", TEXT.replace("\n", "\r\n") + "\x1a", PLAIN)
add("blank_lines.csv", "\n\nid,name,score\n\n1,Ann,1.5\n2,Bob,2.25\n\n3,Cy,-3\n\n\n", PLAIN)
KINDS.append("header and footer")
add(
    "title_and_notes.csv",
    f"Sales of the north\nmade on 2020-01-05, by Ann\n\n{TEXT}\nSource: the office\n",
    PLAIN,
    remark="left out",
)
add("comments_before.csv", f"# made by logger 2.1\n# units: kg, m, s\n{TEXT}", PLAIN)
add("title_padded_by_separators.csv", f"Report 2020,,\n,,\n{TEXT}", PLAIN)
add(
    "hash_before_header.tsv",
    "#chrom\tpos\tref\nchr1\t100\tA\nchr1\t200\tC\n",
    {"#chrom": ["chr1", "chr1"], "pos": ["100", "200"], "ref": ["A", "C"]},
)
add("total_at_the_end.csv", f"{TEXT}Total,,0.75\n", PLAIN, remark="total")
add("psql_row_count.csv", f"{TEXT}(3 rows)\n", PLAIN, remark="left out")
add(
    "units_below_names.csv",
    "time,mass,kind\ns,kg,\n0.0,1.5,a\n0.1,1.6,b\n0.2,1.7,a\n",
    {"time s": ["0.0", "0.1", "0.2"], "mass kg": ["1.5", "1.6", "1.7"], "kind": ["a", "b", "a"]},
    remark="both lines",
)
add(
    "two_header_lines.csv",
    "North,,South,\ncost,gain,cost,gain\n1,2,3,4\n5,6,7,8\n9,8,7,6\n",
    {
        "North cost": ["1", "5", "9"],
        "North gain": ["2", "6", "8"],
        "South cost": ["3", "7", "7"],
        "South gain": ["4", "8", "6"],
    },
    remark="both lines",
)
add(
    "no_header.csv",
    "5.1,3.5,setosa\n4.9,3.0,setosa\n6.3,2.5,virginica\n",
    {
        "column_1": ["5.1", "4.9", "6.3"],
        "column_2": ["3.5", "3.0", "2.5"],
        "column_3": ["setosa", "setosa", "virginica"],
    },
    remark="--header 1",
)
add(
    "years_as_names.csv",
    "country,2019,2020\nPeru,1.5,2.5\nChile,3.5,4.5\n",
    {"country": ["Peru", "Chile"], "2019": ["1.5", "3.5"], "2020": ["2.5", "4.5"]},
)
add("header_repeated.csv", f"{TEXT}id,name,score\n4,Di,4\n", refused="line 5 .*repeats the header")
KINDS.append("names and cells")
add(
    "saved_index.csv",
    ",name,score\n0,Ann,1.5\n1,Bob,2.25\n",
    {"Unnamed: 0": ["0", "1"], "name": ["Ann", "Bob"], "score": ["1.5", "2.25"]},
    remark="Unnamed: 0",
)
add(
    "row_names_of_r.txt",
    '"mpg" "cyl" "am"\n"Mazda RX4" 21 6 1\n"Fiat 128" 32.4 4 1\n"Duster 360" 14.3 8 0\n',
    {
        "Unnamed: 0": ["Mazda RX4", "Fiat 128", "Duster 360"],
        "mpg": ["21", "32.4", "14.3"],
        "cyl": ["6", "4", "8"],
        "am": ["1", "1", "0"],
    },
    remark="as R writes",
)
add("trailing_separators.csv", "id,name,score,\n1,Ann,1.5,\n2,Bob,2.25,\n3,Cy,-3,\n", PLAIN)
add("trailing_separators_in_rows.csv", "id,name,score\n1,Ann,1.5,\n2,Bob,2.25,\n3,Cy,-3,\n", PLAIN)
add("empty_columns_of_a_sheet.csv", "id,name,score,,,\n1,Ann,1.5,,,\n2,Bob,2.25,,,\n3,Cy,-3,,,\n", PLAIN)
add(
    "leading_zeros_and_marks.csv",
    "zip,flag,rate,gain\n01234,TRUE,5%,?\n00501,FALSE,7%,1\n99999,TRUE,8%,NA\n",
    {
        "zip": ["01234", "00501", "99999"],
        "flag": ["TRUE", "FALSE", "TRUE"],
        "rate": ["5%", "7%", "8%"],
        "gain": ["?", "1", "NA"],
    },
)
add(
    "thousands.csv",
    'id,amount,share\n1,"1,234",−5\n2,"12,345,678",3\n3,999,4\n',
    {"id": ["1", "2", "3"], "amount": ["1,234", "12,345,678", "999"], "share": ["−5", "3", "4"]},
)
add(
    "formulas.csv",
    "id,label\n1,'=1+1\n2,'-none\n3,plain\n",
    {"id": ["1", "2", "3"], "label": ["=1+1", "-none", "plain"]},
)
add("duplicate_names.csv", "id,score,score\n1,2,3\n", refused="several columns named score")
KINDS.append("rows of another length")
add("short_row.csv", "id,name,score\n1,Ann,1.5\n2,Bob\n3,Cy,-3\n", refused="line 3 .*2 cells instead of 3")
add(
    "long_row.csv",
    "id,name,score\n1,Ann,1.5\n2,Bob,Jr.,2.25\n3,Cy,-3\n",
    refused="line 3 .*4 cells instead of 3.*quote",
)
add("cut_off.csv", "id,name,score\n1,Ann,1.5\n2,Bob,2.25\n3,C", refused="line 4 .*2 cells instead of 3")
add("two_tables.csv", f"{TEXT}\nplace,temp\nRome,20\nBonn,10\n", refused="cells instead of 3")
KINDS.append("damage, no table")
add("empty.csv", "", refused="is empty")
add("only_blank_lines.csv", "\n\n\n", refused="is empty")
add("header_only.csv", "id,name,score\n", refused="a header but no rows")
add("nul_bytes.csv", TEXT.replace("Bob", "B\x00b"), refused="line 3 .*NUL byte.*tr -d")
add("picture.csv", b"\x89PNG\r\n\x1a\n" + bytes(range(256)), refused="is an image, not a table")
add("page.csv", "<!DOCTYPE html><html><body>Please log in</body></html>\n", refused="web page.*CSV")
add("list.json", '[{"id": 1}, {"id": 2}]', refused="one object per line")
KINDS.append("compression, other formats")
add("gzip.csv.gz", gzip.compress(TEXT.encode(), mtime=0), PLAIN)
add("gzip_without_the_name.csv", gzip.compress(TEXT.encode(), mtime=0), PLAIN)
add("gzip_cut_off.csv.gz", gzip.compress(TEXT.encode() * 50, mtime=0)[:60], refused="damaged or cut off")
add("bzip2.csv.bz2", bz2.compress(TEXT.encode()), PLAIN)
add("xz.csv.xz", lzma.compress(TEXT.encode()), PLAIN)
TYPED = {"id": [1, 2, 3], "name": ["Ann", None, "Cy"], "score": [1.5, None, -3.0], "flag": [True, False, True]}
LINES = "".join(json.dumps({key: cells[i] for key, cells in TYPED.items()}) + "\n" for i in range(3))
add("lines.jsonl", LINES, TYPED)
add("lines_nested.jsonl", '{"id": 1, "tags": ["a"]}\n', refused="tags holds a list")


def add_binary() -> None:
    """What other packages write."""
    import openpyxl
    import pyarrow as pa
    from pyarrow import feather, parquet

    table, out = pa.table(TYPED), {name: io.BytesIO() for name in ("parquet", "feather", "stream", "zstd")}
    parquet.write_table(table, out["parquet"])
    feather.write_feather(table, out["feather"])
    with pa.ipc.new_stream(out["stream"], table.schema) as stream:
        stream.write_table(table)
    add("table.parquet", out["parquet"].getvalue(), TYPED)
    add("parquet_named.csv", out["parquet"].getvalue(), TYPED)
    add("parquet_cut_off.parquet", out["parquet"].getvalue()[:300], refused="Parquet: it is damaged or cut off")
    add("table.feather", out["feather"].getvalue(), TYPED)
    add("table.arrows", out["stream"].getvalue(), TYPED)
    add("zstd.csv.zst", pa.Codec("zstd").compress(TEXT.encode(), asbytes=True), PLAIN)
    book = openpyxl.Workbook()
    book.active.title = "north"
    for row in [
        ["Report 2020"],
        [],
        ["id", "name", "score", "flag"],
        *zip(*TYPED.values()),
        ["Total", None, -1.5, None],
    ]:
        book.active.append(row)
    book.create_sheet("south").append(["other"])
    file = io.BytesIO()
    book.save(file)
    add("sheet.xlsx", file.getvalue(), TYPED, remark="2 sheets")
    name = "EncryptedPackage".encode("utf-16-le")
    add("locked.xlsx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(1016) + name + bytes(480), refused="password")
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as zipped:
        zipped.writestr("data.csv", TEXT)
    add("archive.zip", archive.getvalue(), refused="ZIP archive.*unpack")


def main() -> None:
    add_binary()
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, (content, expected) in CORPUS.items():
        (FOLDER / name).write_bytes(content)
        (FOLDER / f"{name}.expected.json").write_text(json.dumps(expected, ensure_ascii=False, indent=1) + "\n")
    print(f"{len(CORPUS)} files, {sum('refused' in one for _, one in CORPUS.values())} of them to be refused")


if __name__ == "__main__":
    main()
