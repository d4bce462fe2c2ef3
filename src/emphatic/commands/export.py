"""`emphatic export`: a saved model as an ONNX file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from emphatic.commands import arguments, console


def export(
    model: Annotated[Path, typer.Argument(help="Model file that `emphatic fit` wrote.", show_default=False)],
    output: Annotated[Path, typer.Argument(help="ONNX file to write, such as model.onnx.", show_default=False)],
    quiet: arguments.Quiet = False,
) -> None:
    """Write a saved model as an ONNX file, which predicts the same wherever there is an ONNX runtime.

    Needs the package onnx, which the extra "onnx" of emphatic installs.
    """
    console.check_outputs([model], [output])
    with console.explain_errors():
        from emphatic.export import to_onnx
        from emphatic.files import write_atomically
        from emphatic.persistence import read

        saved = read(model)
        remarks = {"emphatic.training": json.dumps(saved.training), "emphatic.versions": json.dumps(saved.versions)}
        exported = to_onnx(saved.model, metadata=remarks)
        with console.name_unwritable():
            write_atomically(output, exported.SerializeToString())
    if not quiet:
        names = ", ".join(one.name for one in exported.graph.input)
        outputs = ", ".join(one.name for one in exported.graph.output)
        typer.echo(f"Inputs: {names}\nOutputs: {outputs}\nWrote {output}")
