"""Unknown variables in Hiera data and paths, by version."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.diagnostics import CompileError
from analyzer.library import compile as compile_code

HIERA = 'version: 5\nhierarchy:\n  - {name: a, paths: ["%{nope}.yaml", "c.yaml"]}\n'
FILES = {
    "hiera.yaml": HIERA,
    "data/c.yaml": 'k: "x %{nope2} y"\nl: z\n',
    "manifests/site.pp": "notify { 'a': message => lookup($facts['key']) }\n",
}


@pytest.fixture
def site(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return tmp_path


def message(site: Path, key: str, version: int) -> object:
    """The message of the notify, or why there is none."""
    try:
        catalog = compile_code(site, facts={"key": key}, puppet_version=version)
    except CompileError as error:
        return error.message
    return next(r for r in catalog.resources if r.type == "Notify").parameters["message"]


# As Puppet 7.23, Puppet 8.11 and OpenVox 9 answer.
@pytest.mark.parametrize(
    ("key", "version", "said"),
    [
        ("k", 7, "x  y"),
        ("k", 8, "Undefined variable 'nope2'; "),
        ("l", 7, "z"),
        ("l", 8, "z"),
    ],
)
def test_unknown_variable(key: str, version: int, said: str, site: Path) -> None:
    assert message(site, key, version) == said
