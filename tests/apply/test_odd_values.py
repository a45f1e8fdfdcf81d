"""NUL and unknown values in any parameter are no internal errors, however a catalog is applied."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import analyzer
from analyzer.apply.engine.generate import with_announced
from analyzer.apply.engine.skipping import RunSettings
from analyzer.apply.engine.transaction import Run
from analyzer.apply.providers.table import Providers
from analyzer.apply.timeline import timeline_of
from analyzer.apply.validation.refused_values import refused
from analyzer.model.catalog import Catalog
from analyzer.model.resource import Resource
from analyzer.model.values import Unknown

from .test_sensitive import NEEDED, PARAMETERS, machine, outputs, worlds

NOT_KNOWN = Unknown("no facts are given")
VALUES: list[Any] = [
    "/etc/\0z", "x\0=y", ["/etc/\0z"], {"a": "\0"}, "\0", "/bin/true \0", "/bin/\0 x",
    "inf", NOT_KNOWN, [NOT_KNOWN, "x"], {"a": NOT_KNOWN}, NOT_KNOWN.as_text(),
]  # fmt: skip


def odd(kind: str, name: str) -> list[Resource]:
    """Return resources with an odd parameter, and with odd titles."""
    needed = NEEDED.get(kind, {})
    made = [Resource(kind, f"/etc/t{i}", {**needed, name: v}) for i, v in enumerate(VALUES)]
    bare = {key: value for key, value in needed.items() if key != "path"}
    return [*made, Resource(kind, "/etc/\0z", bare), Resource(kind, "x\0z", bare)]


@pytest.mark.parametrize("kind", PARAMETERS)
def test_no_internal_error(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.fsync", lambda _: None)
    monkeypatch.setattr(Run, "refused", lambda _: iter(()))
    find = Providers().find
    for name in PARAMETERS[kind]:
        resources = odd(kind, name)
        assert all("internal error" not in said for said in refused(resources))
        host = machine(tmp_path / name)
        for world, settings in worlds(host):
            graph = analyzer.relate(with_announced(Catalog(resources, []), find, host))
            run = timeline_of(graph, world, RunSettings(**settings)).run()
            for text in outputs(run):
                assert "internal error" not in text, (name, type(world).__name__)


def test_a_path_with_nul_is_refused_as_puppet_refuses_it() -> None:
    (said,) = refused([Resource("File", "/etc/\0z", {})])
    assert said == (
        "Parameter path failed on File[/etc/\0z]: Munging failed for value "
        '"/etc/\\u0000z" in class path: path name contains null byte'
    )
