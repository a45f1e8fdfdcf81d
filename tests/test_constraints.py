"""constraints.txt has a release of everything that `make` installs, for each Python."""

from __future__ import annotations

import tomllib

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.conftest import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LINES = [
    line
    for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]
PYTHONS = [
    text.rsplit(" ", 1)[1]
    for text in PROJECT["project"]["classifiers"]
    if text.startswith("Programming Language :: Python :: ")
]


def test_exact_releases_and_nothing_else() -> None:
    for line in LINES:
        requirement = Requirement(line)
        assert [specifier.operator for specifier in requirement.specifier] == ["=="], line
        assert [word for word in ("@", "[", "--", "*", "://") if word in line] == []


@pytest.mark.parametrize("python", PYTHONS)
def test_each_requirement_has_its_release(python: str) -> None:
    wanted = [
        *PROJECT["build-system"]["requires"],
        *PROJECT["project"]["dependencies"],
        *(text for texts in PROJECT["project"]["optional-dependencies"].values() for text in texts),
    ]
    releases: dict[str, str] = {}
    for requirement in map(Requirement, LINES):
        if not requirement.marker or requirement.marker.evaluate({"python_version": python}):
            assert requirement.name not in releases
            releases[requirement.name] = str(requirement.specifier)[2:]
    for requirement in map(Requirement, wanted):
        if requirement.name != "catgraph":
            assert requirement.specifier.contains(releases[canonicalize_name(requirement.name)])
    assert {"pip", "editables"} <= set(releases)
