"""Running a command in this process."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from analyzer.cli import main

Document = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a command did."""

    code: int
    out: str
    err: str


Run = Callable[..., Outcome]


@pytest.fixture
def run(capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Call a command: ``run("cycles", path, stdin=b"...")``."""

    def call(*arguments: object, stdin: bytes = b"") -> Outcome:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capfdbinary.readouterr()
        code = main([str(argument) for argument in arguments])
        out, err = capfdbinary.readouterr()
        return Outcome(code, out.decode("utf-8", "surrogatepass"), err.decode("utf-8", "replace"))

    return call


@pytest.fixture
def written(tmp_path: Path) -> Callable[..., Path]:
    """Write a catalog of these resources: ``written(resources, edges)``."""

    def write(
        resources: list[Document], edges: list[Document] | None = None, name: str = "catalog.json"
    ) -> Path:
        document = {
            "name": "web1.example.com",
            "environment": "production",
            "catalog_format": 2,
            "resources": resources,
            "edges": edges or [],
        }
        path = tmp_path / name
        path.write_text(json.dumps(document), encoding="utf-8")
        return path

    return write


def notify(title: str, **parameters: Any) -> Document:
    """A resource; `file` and `line` go beside the parameters."""
    row: Document = {"type": "Notify", "title": title, "kind": "compilable_type"}
    for key in ("file", "line"):
        if key in parameters:
            row[key] = parameters.pop(key)
    return {**row, "parameters": parameters}


def ring(titles: list[str], **place: Any) -> list[Document]:
    """Resources that wait for each other in a circle."""
    after = [*titles[1:], titles[0]]
    return [
        notify(title, before=f"Notify[{other}]", **place)
        for title, other in zip(titles, after, strict=True)
    ]


Put = Callable[..., None]


@pytest.fixture
def put(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Put:
    """Write files into the current folder."""
    monkeypatch.chdir(tmp_path)

    def write(files: dict[str, str]) -> None:
        for name, text in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text)

    return write
