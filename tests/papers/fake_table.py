"""A table for the command line that takes no time."""

from emphatic.papers.lines import Line
from tests.study.fakes import build_by_depth, errors, make_study


class FakeTable:
    id = "fake-1"
    title = "A fake table"

    def problems(self, quick=False):
        return ["fake"]

    def stages(self, options, store):
        yield [make_study(n_runs=options.runs)]

    def lines(self, options, store):
        values = [100 * metrics["error"] for work, metrics in errors(store).items() if '"depth":1' in work.setting]
        return [Line("fake", "depth 1", "tree", sorted(values), (30.0, 2.0))]

    def caption(self, options):
        return "A caption [in brackets]."


class InterruptedTable(FakeTable):
    def stages(self, options, store):
        yield [make_study(n_runs=1)]
        raise KeyboardInterrupt


class EndlessTable(FakeTable):
    def stages(self, options, store):
        yield [make_study(build_by_depth, (2,), n_runs=1)]


class NoQuickTable(FakeTable):
    id = "fake-2"

    def problems(self, quick=False):
        return [] if quick else ["fake"]


TABLE = FakeTable()
INTERRUPTED = InterruptedTable()
NO_QUICK = NoQuickTable()
ENDLESS = EndlessTable()
