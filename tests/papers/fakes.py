"""Tables for the command line that take no time, and stores filled with made-up errors."""

from dataclasses import dataclass

from emphatic.papers.lines import Line
from emphatic.papers.table import PublishedTable, Step
from emphatic.study import Record
from tests.study.fakes import build_by_depth, errors, make_study


@dataclass(frozen=True)
class FakeTable(PublishedTable):
    id: str = "fake-1"
    title: str = "A fake table"

    all_problems = quick_problems = ("fake",)

    def problem_studies(self, problem, options):
        return [make_study(n_runs=options.runs)]

    def lines(self, options, store):
        values = [100 * metrics["error"] for work, metrics in errors(store).items() if '"depth":1' in work.setting]
        return [Line("fake", "depth 1", "tree", sorted(values), (30.0, 2.0))]

    def caption(self, options):
        return "A caption [in brackets]."


class InterruptedTable(FakeTable):
    def steps(self, options):
        def interrupt(store):
            raise KeyboardInterrupt

        return [Step(lambda store: [make_study(n_runs=1)]), Step(interrupt)]


class EndlessTable(FakeTable):
    def problem_studies(self, problem, options):
        return [make_study(build_by_depth, (2,), n_runs=1)]


class NoQuickTable(FakeTable):
    quick_problems = ()


TABLE = FakeTable()
INTERRUPTED = InterruptedTable()
NO_QUICK = NoQuickTable("fake-2")
ENDLESS = EndlessTable()


def fill(table, options, store, pretend):
    """Record `pretend(task)` as the metrics of every task, step by step; returns the tasks of each step."""
    steps = []
    for step in table.steps(options):
        tasks = [task for study in step.studies(store) for task in study.tasks()]
        store.append(*(Record(task.key, "done", pretend(task)) for task in tasks))
        steps.append(tasks)
    return steps


def run_all(table, options, store):
    """Run every step with real fits; returns the number of fits that failed."""
    studies = (study for step in table.steps(options) for study in step.studies(store))
    return sum(study.run(store, progress=False).n_failed for study in studies)
