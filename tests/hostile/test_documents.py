"""Whatever a catalog holds, every command gives a result or one error, and comes to an end."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from tests.frontends.test_catalog_json import CATALOG
from tests.hostile.documents import BASES, documents, looping, rich
from tests.hostile.through import failures

NUMBERS = itertools.count()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("hostile")
    (found / "healthy.json").write_text(json.dumps(CATALOG))
    return found


def failures_of(text: str, folder: Path) -> list[tuple[str, str]]:
    document = folder / "catalog.json"
    document.write_text(text, encoding="utf-8")
    return list(failures(document, folder / "healthy.json", next(NUMBERS)))


@pytest.mark.slow
@settings(max_examples=20, suppress_health_check=list(HealthCheck))
@given(documents())
def test_any_value_in_any_place(folder: Path, text: str) -> None:
    assert failures_of(text, folder) == []


def circles() -> Iterator[tuple[str, dict[str, Any]]]:
    """Catalogs whose containment is no forest."""
    for name, pairs in {
        # What `contain` makes of classes: Puppet compiles it, and finds a cycle when it is applied.
        "itself": [("Class[K]", "Class[K]")],
        "main in itself": [("Class[Main]", "Class[Main]")],
        "a class of main": [("Class[K]", "Class[Main]"), ("Class[Main]", "Class[K]")],
        # What no compile makes.
        "a resource of two classes": [("Class[Main]", "File[/srv]")],
        "a resource that contains": [("File[/srv]", "Class[K]"), ("Notify[a]", "Class[K]")],
        "stage in a class": [("Class[K]", "Stage[main]")],
    }.items():
        found = rich()
        found["edges"] += [{"source": source, "target": target} for source, target in pairs]
        yield name, found
    yield "a define of the class", looping()
    found = rich()
    found["resources"] += found["resources"][-3:] * 2
    yield "thrice the same", found


@pytest.mark.parametrize(("name", "document"), list(circles()))
def test_circles(folder: Path, name: str, document: dict[str, Any]) -> None:
    assert failures_of(json.dumps(document), folder) == []


@pytest.mark.parametrize("number", range(len(BASES)))
def test_what_is_changed_is_taken_as_it_is(folder: Path, number: int) -> None:
    assert failures_of(json.dumps(BASES[number]), folder) == []
