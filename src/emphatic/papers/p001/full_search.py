"""Paper 001 with the paper's own search, which takes hours for each problem."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from emphatic.papers.claims import Claim
from emphatic.papers.options import Options
from emphatic.papers.p001.claims import judge_choices
from emphatic.papers.p001.designs import FULL, Search
from emphatic.papers.p001.moderation import ModerationTable
from emphatic.study import Store


@dataclass(frozen=True)
class FullSearchTable(ModerationTable):
    """Every family with the paper's search: on four small problems, unless others are named."""

    search: Search = FULL
    quick_problems: ClassVar[Sequence[str]] = ()
    small_problems: ClassVar[Sequence[str]] = ("crabs", "hepatitis", "ionosphere", "ripley")

    def chosen_problems(self, options: Options) -> list[str]:
        return super().chosen_problems(options) if options.problems else list(self.small_problems)

    def claims(self, options: Options, store: Store) -> Sequence[Claim]:
        return judge_choices(self.measure(options, store))


FULL_SEARCH = FullSearchTable("001-full", "001 with the paper's search: is moderating the emphasis beneficial?")
