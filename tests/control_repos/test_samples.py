"""Nodes of the sample control repos compile to the catalogs and cycles of real Puppet."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from analyzer.export.catalog_json import to_json
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.model.completeness import hiding
from analyzer.session.inputs import compile_manifests, graph_of

from .cases import NODES, SAMPLES, Case, cases_of, lines_of, recorded

CASES = [case for sample in NODES for case in cases_of(sample)]


def settings_of(case: Case) -> Settings:
    """Return how a case is compiled."""
    folder = SAMPLES / case.sample
    of_module = case.sample == "single_module"
    return Settings(
        node=case.node,
        fact_values=case.facts,
        nodes_dir=str(folder / "nodes") if case.sample == "classifier" else None,
        classes=("mirror",) if of_module else (),
        parameters={f"mirror::{key}": value for key, value in case.parameters.items()},
        puppet_version=7,
    )


def ours(case: Case) -> Iterator[str]:
    """Yield our answer for a case, as Puppet's is recorded."""
    (catalog,) = compile_manifests(str(SAMPLES / case.sample), settings_of(case)).all()
    answer: dict[str, Any] = {"catalog": json.loads(to_json(catalog))}
    answer["cycles"] = [
        [str(member) for member in cycle.members] for cycle in graph_of(catalog).cycles()
    ]
    return lines_of(answer)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.sample} {case.name}")
def test_case(case: Case) -> None:
    expected = recorded(case.sample)[case.name]
    if expected[0].startswith("!"):
        check_refused(case, expected[0])
        return
    found = list(ours(case))
    given = [f'"{name}"' for name in case.parameters]
    assert len(found) == len(expected)
    for line, row in zip(found, expected, strict=True):
        # The parameters of the class are given as data, and by Puppet in a declaration.
        assert line == row or (given and line.startswith("Class[Mirror]"))


def check_refused(case: Case, message: str) -> None:
    """Check that what Puppet refuses is refused or incomplete, for the same reason."""
    outcome = compile_manifests(str(SAMPLES / case.sample), settings_of(case))
    for catalog in outcome.catalogs:
        assert hiding(catalog.gaps)
    if not outcome.catalogs:
        assert outcome.error is not None
        assert outcome.error.message in message


def test_every_record_has_a_case() -> None:
    for sample in NODES:
        assert list(recorded(sample)) == [case.name for case in cases_of(sample)]
