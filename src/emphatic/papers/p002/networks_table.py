"""Table 2 of paper 002: boosted networks beside boosted perceptrons, and how long both take."""

from collections.abc import Sequence
from dataclasses import dataclass

from emphatic.papers.claims import Claim
from emphatic.papers.options import Options
from emphatic.papers.p002.claims.networks import judge_networks, judge_times
from emphatic.papers.p002.problems import FIGURES
from emphatic.papers.p002.tables import AccuracyTable
from emphatic.papers.p002.times import Times, read_times, tabulate_times, time_studies
from emphatic.papers.table import Step
from emphatic.report.page import Section
from emphatic.study import Store, Study


@dataclass(frozen=True)
class NetworksTable(AccuracyTable):
    """Accuracies, as in the other tables, and training times."""

    def time_studies(self, options: Options) -> dict[str, dict[str, Study]]:
        """By problem and kind."""
        return {name: time_studies(self.id, name, self.load(name)) for name in self.chosen_problems(options)}

    def steps(self, options: Options) -> list[Step]:
        """The fits that are timed come last, one by one."""
        studies = [study for by_kind in self.time_studies(options).values() for study in by_kind.values()]
        return [*super().steps(options), Step(lambda _: studies)]

    def times(self, options: Options, store: Store) -> Times:
        """Of the problems that are finished."""
        return read_times(self.time_studies(options), store)

    def sections(self, options: Options, store: Store) -> list[Section]:
        return tabulate_times(self.id, self.times(options, store))

    def claims(self, options: Options, store: Store) -> Sequence[Claim]:
        return [*super().claims(options, store), judge_times(self.times(options, store))]


TABLE_2 = NetworksTable(
    "002-2", "002, Table 2: boosted networks and perceptrons", ("standard",), tuple(FIGURES), True, judge_networks
)
