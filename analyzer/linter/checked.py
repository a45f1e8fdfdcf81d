"""Results of rules on a subject that another process, or an earlier run, checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from analyzer.compiles.outlined import Outlined
from analyzer.linter.failures import Failure
from analyzer.linter.puppet.purges import Traces, traces_of
from analyzer.linter.puppet.subjects import Compiled, Manifest
from analyzer.linter.puppet.together import compared
from analyzer.model.completeness import Gap

# The results of a rule in one subject, as `run.Found`, and its failures.
Results = tuple[Sequence[Any], Sequence[Failure]]


@dataclass(frozen=True)
class CheckedManifest:
    """The results of rules on a manifest, by the codes of the rules that have any."""

    file: str
    found: Mapping[str, Results]

    # The type of subject that its rules have.
    on = Manifest


@dataclass(frozen=True)
class CheckedCatalog:
    """The results of rules on a catalog, by their codes, and the text that reports show about it.

    The fields have the names of a `Compiled`.
    """

    name: str
    path: str
    partial: bool
    complete: bool
    cyclic: bool
    gaps: Sequence[Gap]
    files: frozenset[str]
    size: int
    found: Mapping[str, Results]
    machine: tuple[str, str] | None
    traces: Traces
    definitions: frozenset[str]
    without_node: bool
    outlined: Outlined | None

    on = Compiled


CheckedSubject = CheckedManifest | CheckedCatalog


def checked_catalog(one: Compiled, found: Mapping[str, Results]) -> CheckedCatalog:
    """Return the results of rules on a catalog."""
    return CheckedCatalog(
        one.name, one.path, one.partial, one.complete, one.cyclic,
        tuple(one.gaps), one.files, one.size, found, one.machine, traces_of(one),
        definitions_of(one), one.without_node, one.outlined,
    )  # fmt: skip


def definitions_of(one: Compiled | CheckedCatalog) -> frozenset[str]:
    """Return the classes of a catalog, and the defined types of its resources."""
    if isinstance(one, CheckedCatalog):
        return one.definitions
    return one.graph.catalog.definitions


def compared_with_graphs(
    catalogs: Sequence[Compiled | CheckedCatalog],
) -> list[Compiled | CheckedCatalog]:
    """Return the catalogs that rules compare, if some are stored results."""
    if not any(isinstance(one, CheckedCatalog) for one in catalogs):
        return []
    return compared([(one, traces_in(one)) for one in catalogs])


def traces_in(one: Compiled | CheckedCatalog) -> Traces:
    """Return the traces of a catalog."""
    return one.traces if isinstance(one, CheckedCatalog) else traces_of(one)
