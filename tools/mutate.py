"""Change the code in one place at a time and see whether the tests notice (`make mutate`).

A sample of mutants is drawn with a fixed seed, an equal share from each area of `AREAS`, at most one per place in the
code. Each is put into a copy of the tree and tested with those tests that run the changed line, of the files that
concern its module (`TESTS`). A mutant is killed if a test fails or hangs. Survivors are listed at the end: each is a
test that is missing, or a change without effect.

Kernels are mutated with numba's compiler switched off: their twins are small enough, and compiled code of a kernel
that calls the changed one would come stale from the cache. Tests that fail that way without any change are left out.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import multiprocessing
import os
import random
import re
import resource
import shutil
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import coverage
import numba
import parso  # before cosmic_ray, which imports it in a circle otherwise
import pytest
from cosmic_ray.ast import ast_nodes
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

# Imported once, before this process is forked for each mutant.
THIRD_PARTIES = ("joblib", "pandas", "scipy.stats", "sklearn.utils.estimator_checks")

# Which tests concern a module: the first prefix that fits. A path that a tree does not have is left out.
BAD_INPUT, GROWTH = "tests/test_bad_input.py", "tests/boosting/test_growth.py"
TESTS = {
    "margins.py": ("src/emphatic/margins.py", "tests/test_margins.py", "tests/emphasis", GROWTH),
    "emphasis/": ("tests/emphasis", "src/emphatic/emphasis", GROWTH, BAD_INPUT),
    "boosting/fuzzy_boost/": ("tests/boosting/test_fuzzy_boost.py", "src/emphatic/boosting", BAD_INPUT),
    "boosting/": ("tests/boosting", "src/emphatic/boosting", BAD_INPUT, "tests/test_reproducible.py"),
    "fusion/evidence/": ("tests/fusion", "src/emphatic/fusion"),
    "fusion/": ("tests/fusion", "src/emphatic/fusion", BAD_INPUT),
    "kernels/evidence.py": ("tests/fusion/test_evidence.py",),
    "kernels/class_redistribution.py": ("tests/fusion/test_combinations.py",),
    "kernels/redistribution.py": ("tests/fusion/test_combinations.py",),
    "kernels/supersets.py": ("tests/fusion/test_combinations.py",),
    "kernels/fuzzy_c_means.py": ("tests/kernels", "tests/clustering"),
    "kernels/deflection.py": ("tests/kernels", "tests/clustering"),
    "kernels/ellipsoids.py": ("tests/clustering/test_variants.py",),
    "kernels/possibilistic.py": ("tests/clustering/test_variants.py",),
    "kernels/": ("tests/kernels",),
    "blending/": ("tests/blending", "tests/kernels/test_auto_kernels.py", "tests/audit/test_audit.py", "tests/auto"),
    "study/store/": ("tests/study/store", "src/emphatic/study/store"),
}
AREAS = ("margins.py", "emphasis/", "boosting/", "fusion/", "kernels/", "blending/", "study/store/")

# Operators whose mutants are plausible mistakes: arithmetic stays arithmetic, bits stay bits, order stays order.
KINDS = (
    {"Add", "Sub", "Mul", "Div", "Pow"},
    {"FloorDiv", "Div", "Mod"},
    {"BitAnd", "BitOr", "BitXor", "LShift", "RShift"},
    {"Eq", "NotEq", "Lt", "LtE", "Gt", "GtE"},
    {"Is", "IsNot"},
    {"USub", "UAdd", "Invert", "Not", "Delete"},
)
LEFT_OUT = {"RemoveDecorator", "VariableInserter", "VariableReplacer", "ExceptionReplacer"}


class Mutant(NamedTuple):
    """One change: where, by which operator, and the file and the line as they are then."""

    path: str
    line: int
    operator: str
    source: str
    changed: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line} {self.operator:40} {self.changed}"


def operators() -> Iterator[tuple[str, object]]:
    for full_name in sorted(operator_names()):
        name = full_name.split("/")[-1]
        swap = re.fullmatch(r"Replace\w+Operator_([A-Za-z]+)_([A-Za-z]+)", name)
        if name not in LEFT_OUT and (not swap or any(set(swap.groups()) <= kind for kind in KINDS)):
            yield name, get_operator(full_name)()


def untouched_lines(source: str) -> set[int]:
    """Lines whose change no test can or should notice: annotations, messages of errors and warnings, `__all__`,
    decorators, docstrings, imports and aliases of types."""
    lines: set[int] = set()

    def leave(node: ast.AST | None) -> None:
        if node is not None:
            lines.update(range(node.lineno, node.end_lineno + 1))  # type: ignore[attr-defined]

    tree = ast.parse(source)
    for node in ast.walk(tree):
        warns = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "warn"
        is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if warns or is_text or isinstance(node, ast.Raise | ast.Import | ast.ImportFrom):
            leave(node)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            for decorator in node.decorator_list:
                leave(decorator)
    for statement in tree.body:
        if isinstance(statement, ast.Assign):
            is_type = isinstance(statement.value, ast.Subscript) or (
                isinstance(statement.value, ast.BinOp) and isinstance(statement.value.op, ast.BitOr)
            )
            if is_type or any(isinstance(name, ast.Name) and name.id == "__all__" for name in statement.targets):
                leave(statement)
    return lines


def in_annotation(source: str) -> set[tuple[int, int]]:
    """Positions (line, column) inside annotations: `X | None` is no arithmetic."""
    inside: set[tuple[int, int]] = set()
    for node in ast.walk(ast.parse(source)):
        for annotation in (getattr(node, "annotation", None), getattr(node, "returns", None)):
            if annotation is not None and annotation.lineno == annotation.end_lineno:
                inside.update((annotation.lineno, c) for c in range(annotation.col_offset, annotation.end_col_offset))
    return inside


def mutants_of(path: Path) -> Iterator[tuple[tuple[int, int], str, int]]:
    """Place, operator and the number of its occurrence, for every mutation of a file."""
    source = path.read_text(encoding="utf-8")
    lines, annotated = untouched_lines(source), in_annotation(source)
    nodes = list(ast_nodes(parso.parse(source)))
    for name, operator in operators():
        occurrence = 0
        for node in nodes:
            for start, _ in operator.mutation_positions(node):  # type: ignore[attr-defined]
                if start[0] not in lines and start not in annotated:
                    yield start, name, occurrence
                occurrence += 1


def mutate(root: Path, path: Path, line: int, name: str, occurrence: int) -> Mutant | None:
    source = path.read_text(encoding="utf-8")
    mutated = mutate_code(source, get_operator(f"core/{name}")(), occurrence)
    if mutated is None or mutated == source:
        return None
    before, after = source.splitlines(), mutated.splitlines()
    changed = next((new for old, new in zip(before, after) if old != new), "")
    return Mutant(str(path.relative_to(root / "src/emphatic")), line, name, mutated, changed.strip())


def draw(root: Path, size: int, seed: int) -> list[Mutant]:
    """`size` mutants, shared equally between the areas; a place is drawn first, then one of its mutations."""
    rng = random.Random(seed)
    drawn: list[Mutant] = []
    for number, area in enumerate(AREAS):
        found = root / "src/emphatic" / area
        files = [found] if found.is_file() else sorted(found.rglob("*.py"))
        places: dict[tuple[Path, tuple[int, int]], list[tuple[str, int]]] = {}
        for file in files:
            for place, name, occurrence in mutants_of(file):
                places.setdefault((file, place), []).append((name, occurrence))
        order = sorted(places)
        rng.shuffle(order)
        share = size // len(AREAS) + (number < size % len(AREAS))
        ours: list[Mutant] = []
        for file, place in order:
            if len(ours) == share:
                break
            mutant = mutate(root, file, place[0], *rng.choice(places[file, place]))
            if mutant is not None:
                ours.append(mutant)
        drawn += ours
    return drawn


class Only:
    """A plugin of pytest that runs some tests only."""

    def __init__(self, wanted: set[str]) -> None:
        self.wanted = wanted

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if item.nodeid in self.wanted]


class Unchanged(NamedTuple):
    """What the tests of a module do without a mutant: how long they take, which of them run a line, which pass."""

    seconds: float
    reached: dict[str, dict[int, list[str]]]
    """By file and line: "test|phase" for each test that runs it; "" is the import of the module."""
    failed: list[str]

    def tests_of(self, file: str, lines: range) -> set[str] | None:
        """The tests that could notice a change of these lines; None means all, as for what an import runs."""
        runs = {run for line in lines for run in self.reached.get(file, {}).get(line, ())}
        if not runs or "" in runs:
            return None
        # what a fixture does may show in any test of its file
        files = {run.split("::")[0] for run in runs if run.endswith("|setup")}
        everything = {run for by_line in self.reached.values() for all_runs in by_line.values() for run in all_runs}
        chosen = runs | {run for run in everything if run.split("::")[0] in files}
        return {run.rpartition("|")[0] for run in chosen} - set(self.failed)


class Bench:
    """A copy of the tree in which mutants are tested."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.root, self.tree, self.report = root, folder / "tree", folder / "report.txt"
        away = shutil.ignore_patterns(".git", ".venv*", "site", "dist", ".*_cache", ".hypothesis")
        shutil.copytree(root, self.tree, ignore=away)
        os.environ["COVERAGE_FILE"] = str(folder / "coverage")
        self.known: dict[tuple[str, ...], Unchanged] = {}

    def files_of(self, path: str) -> tuple[str, ...]:
        """The test files and folders that concern a module."""
        tests = next(tests for prefix, tests in TESTS.items() if path.startswith(prefix))
        return tuple(test for test in tests if (self.tree / test).exists())

    def run(self, path: str, *options: str, wanted: set[str] | None = None, seconds: float = 3600) -> tuple[int, str]:
        """Exit code and output of the tests of `path`; the code is negative if they had to be ended.

        That is after so many seconds of work, or many more of waiting: other work on the machine is not their fault.
        """
        arguments = path, options, wanted, int(seconds)
        process = multiprocessing.get_context("fork").Process(target=self._run_here, args=arguments)
        process.start()
        process.join(10 * seconds)
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # with all that it started
        process.join()
        return process.exitcode or 0, self.report.read_text(encoding="utf-8", errors="replace")

    def _run_here(self, path: str, options: tuple[str, ...], wanted: set[str] | None, seconds: int) -> None:
        """In a fork of this process, which has imported all third parties and nothing of ours: that saves seconds."""
        os.setsid()
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        with self.report.open("w") as output:
            os.dup2(output.fileno(), 1)
            os.dup2(output.fileno(), 2)
        os.chdir(self.tree)
        os.environ["PYTHONPATH"] = str(self.tree / "src")
        sys.path[:0] = [str(self.tree), str(self.tree / "src")]
        options = ("-q", "-p", "no:cacheprovider", *options)
        if path.startswith("kernels/"):
            os.environ["NUMBA_DISABLE_JIT"] = "1"
            numba.config.reload_config()
            options += ("-W", "ignore:overflow encountered:RuntimeWarning")  # of hashes, on purpose
        files = self.files_of(path) if wanted is None else sorted({test.split("::")[0] for test in wanted})
        code = pytest.main([*options, *files], plugins=[] if wanted is None else [Only(wanted)])
        sys.stdout.flush()
        os._exit(int(code))  # at once: workers that tests have left behind would be waited for

    def without_mutant(self, path: str) -> Unchanged:
        key = (*self.files_of(path), str(path.startswith("kernels/")))
        if key not in self.known:
            begin = sum(os.times()[2:4])  # of processes that have ended
            trace = ("--cov=emphatic", "--cov-context=test", "--cov-report=", f"--cov-config={os.devnull}")
            code, report = self.run(path, *trace)
            failed = re.findall(r"^FAILED (\S+?(?:\[.*?\])?)(?: - .*)?$", report, re.MULTILINE)
            if code != 0 and not (failed and path.startswith("kernels/")):
                sys.exit(f"The tests of {path} fail without a mutant:\n{report[-3000:]}")
            data = coverage.CoverageData(os.environ["COVERAGE_FILE"])
            data.read()
            reached = {file: data.contexts_by_lineno(file) for file in data.measured_files()}
            data.erase()
            self.known[key] = Unchanged(sum(os.times()[2:4]) - begin, reached, failed)
            print(f"# {' '.join(key[:-1])}: {self.known[key].seconds:.0f} s, left out: {failed}", flush=True)
        return self.known[key]

    def kills(self, mutant: Mutant) -> str:
        """How the tests kill a mutant: "killed", "hung", or "" if they do not."""
        unchanged = self.without_mutant(mutant.path)
        place = self.tree / "src/emphatic" / mutant.path
        wanted = unchanged.tests_of(str(place), statement_at(place.read_text(encoding="utf-8"), mutant.line))
        place.write_text(mutant.source, encoding="utf-8")
        sys.dont_write_bytecode = True  # of a mutant; it must not outlive it
        limit = 20 + unchanged.seconds  # which were counted while tracing, with all tests
        left_out = [f"--deselect={test}" for test in unchanged.failed]
        code, _ = self.run(mutant.path, "-x", *left_out, wanted=wanted, seconds=limit)
        if code == pytest.ExitCode.NO_TESTS_COLLECTED:  # the mutant has renamed them
            code, _ = self.run(mutant.path, "-x", *left_out, seconds=limit)
        sys.dont_write_bytecode = False
        shutil.copy2(self.root / "src/emphatic" / mutant.path, place)  # with its time stamp: the caches stay good
        return "hung" if code < 0 else "killed" if code else ""


def statement_at(source: str, line: int) -> range:
    """Lines of the innermost statement at a line; of one with a body only those before it."""
    found = range(line, line + 1)
    for node in ast.walk(ast.parse(source)):  # outer ones first
        if isinstance(node, ast.stmt):
            body = getattr(node, "body", None)
            end = body[0].lineno if isinstance(body, list) else node.end_lineno + 1  # type: ignore[operator]
            if node.lineno <= line < end:
                found = range(node.lineno, end)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tree", type=Path, default=Path(__file__).parents[1], help="whose code and tests")
    parser.add_argument("--sample", type=int, default=150, help="number of mutants")
    parser.add_argument("--seed", type=int, default=13)
    parser.add_argument("--only", default="", help="only mutants in paths that begin like this, such as kernels/mlp")
    parser.add_argument("--list", action="store_true", help="list the mutants and test none")
    options = parser.parse_args()
    root = options.tree.resolve()
    mutants = [m for m in draw(root, options.sample, options.seed) if m.path.startswith(options.only)]
    if options.list:
        print(*mutants, sep="\n")
        return
    killed, total, survivors = Counter[str](), Counter[str](), []
    os.environ["CI"] = "1"  # the same examples of hypothesis for every mutant
    for name in THIRD_PARTIES:
        importlib.import_module(name)
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        bench = Bench(root, Path(folder))
        for mutant in mutants:
            area = next(area for area in AREAS if mutant.path.startswith(area))
            outcome = bench.kills(mutant)
            total[area] += 1
            killed[area] += bool(outcome)
            survivors += [] if outcome else [mutant]
            print(f"{outcome or 'SURVIVED':9} {mutant}", flush=True)
    print()
    for area in total:
        print(f"{area:14} {killed[area]:3} of {total[area]:3} killed")
    share = killed.total() / max(total.total(), 1)
    print(f"{'all':14} {killed.total():3} of {total.total():3} killed, {share:.1%}")
    print("\nSurvivors:", *(survivors or ["none"]), sep="\n")


if __name__ == "__main__":
    main()
