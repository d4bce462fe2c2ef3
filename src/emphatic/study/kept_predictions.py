"""Which of the predictions that a store holds are wanted."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from emphatic import check
from emphatic.study.predictions import Predictions
from emphatic.study.store import Store, StoreError
from emphatic.study.tasks import TaskKey, canonical


def find_predictions(
    study: str, keys: Iterable[TaskKey], store: Store, wanted: Mapping[str, Any]
) -> Iterator[Predictions]:
    """The predictions of those tasks of a study whose key is as `wanted` says, None for any."""
    chosen = list(keys)
    for name, value in wanted.items():
        if value is not None:
            chosen = _choose(chosen, name, value)
    held = store.keys_of_predictions([study])
    found = [key for key in chosen if key in held]
    if not found:
        raise StoreError(
            f"{store.path} holds no predictions of {_describe(study, wanted)}: none were kept. Run the study with "
            "keep_predictions=True; run(store, add_predictions=True) also fits again what is already finished"
        )
    return store.predictions(found)


def _choose(keys: list[TaskKey], name: str, value: Any) -> list[TaskKey]:
    if name == "setting":
        value = canonical(check.instance(name, value, Mapping, "{'depth': 3}"))
    check.one_of(name, value, list(dict.fromkeys(getattr(key, name) for key in keys)))
    return [key for key in keys if getattr(key, name) == value]


def _describe(study: str, wanted: Mapping[str, Any]) -> str:
    given = [f"{name} {value}" for name, value in wanted.items() if value is not None]
    return ", ".join([f"study {study}", *given])
