"""What users may say about a table, as options that every command which reads one has."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import wraps
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

if TYPE_CHECKING:
    from emphatic.tables.files import Options


PANEL = "How the table is read (what is not given is found out)"


def _option(help: str, **more: Any) -> Any:
    return typer.Option(help=help, show_default=False, rich_help_panel=PANEL, **more)


# Annotations are read by typer: the help of each option stands beside it.
@dataclass(frozen=True)
class FileOptions:
    """How a file is laid out; what is left open is found out."""

    separator: Annotated[str | None, _option("What separates cells; \\t for a tab.")] = None
    encoding: Annotated[str | None, _option("Such as utf-8 or cp1252.")] = None
    quote: Annotated[str | None, _option("Quote sign, or none.")] = None
    skip: Annotated[int | None, _option("Lines before the header.", min=0)] = None
    header: Annotated[int | None, _option("Header lines.", min=0, max=2)] = None
    footer: Annotated[int | None, _option("Lines after the last row, such as totals.", min=0)] = None
    sheet: Annotated[str | None, _option("Sheet of an Excel file.")] = None

    @property
    def of_file(self) -> Options:
        """The same for `emphatic.tables.files`."""
        from emphatic.tables.files import Options

        return Options(**{one.name: getattr(self, one.name) for one in fields(FileOptions)})


@dataclass(frozen=True)
class TableOptions(FileOptions):
    """How a file is laid out, and what its columns and labels are."""

    column: Annotated[
        list[str] | None,
        _option("What a column is: number, category, boolean, date, text or ignore; repeatable.", metavar="NAME=KIND"),
    ] = None
    decimal: Annotated[str | None, _option("Decimal sign, . or , where a column leaves it open.", metavar="SIGN")] = (
        None
    )
    dates: Annotated[str | None, _option("ymd, dmy or mdy, where dates leave it open.", metavar="ORDER")] = None
    bins: Annotated[int | None, _option("Cut a target of numbers into so many classes of equal size.", min=2)] = None
    missing_labels: Annotated[
        str, _option("Rows without a label: refuse (default), drop; class takes NA for a class.", metavar="WORD")
    ] = "refuse"

    def ignoring(self, column: str) -> TableOptions:
        """The same without a column of this name; without a name, the same."""
        return replace(self, column=[*(self.column or ()), f"{column}=ignore"]) if column else self

    @property
    def wishes(self) -> dict[str, str]:
        """The kinds of columns by name, from `name=kind`."""
        from emphatic.tables.decision import KINDS

        wishes = {}
        for given in self.column or ():
            name, sign, kind = given.rpartition("=")
            if not sign or kind not in KINDS:
                raise ValueError(f"--column must be NAME=KIND, where KIND is one of {', '.join(KINDS)}; got {given!r}")
            wishes[name] = kind
        return wishes


def accept(kind: type[FileOptions]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the options of `kind` after its own; it gets them together, as its argument `reading`."""

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def run(**given: Any) -> None:
            reading = kind(**{one.name: given.pop(one.name) for one in fields(kind)})
            command(reading=reading, **given)

        hints = get_type_hints(command, include_extras=True)
        own = [one for one in inspect.signature(command).parameters.values() if one.name != "reading"]
        types = get_type_hints(kind, include_extras=True)
        more = [
            inspect.Parameter(one.name, inspect.Parameter.KEYWORD_ONLY, default=one.default) for one in fields(kind)
        ]
        own = [one.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=hints[one.name]) for one in own]
        more = [one.replace(annotation=types[one.name]) for one in more]
        run.__signature__ = inspect.Signature([*own, *more])  # type: ignore[attr-defined]
        run.__annotations__ = {one.name: one.annotation for one in (*own, *more)}
        del run.__wrapped__  # type: ignore[attr-defined]  # typer would read the signature of the command itself
        return run

    return decorate
