"""`python -m tools.write_emphasis_study STORE PAGE`: write the figures of the emphasis study into its page.

STORE is that of `emphatic reproduce emphases`. Win rates are left to the report, where there is room for them.
"""

import argparse
from dataclasses import replace
from pathlib import Path

from benchmarks.pages import write_figures
from emphatic.papers.emphases.table import EMPHASES, REPETITIONS
from emphatic.papers.options import Options
from emphatic.report.page import write_section
from emphatic.study import Store


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("store", type=Path)
    parser.add_argument("page", type=Path)
    options = parser.parse_args()
    with Store(options.store) as store:
        overview, *conditions = EMPHASES.sections(Options(runs=REPETITIONS), store)
    shown = [overview, *(replace(one, grids=one.grids[:1]) for one in conditions)]
    write_figures(options.page, map(write_section, shown), "tools.write_emphasis_study")


if __name__ == "__main__":
    main()
