"""The origins of resources and values of an open project, from one more compile of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from analyzer.diagnostics import CompileError, InputError
from tui.project.child import in_child

if TYPE_CHECKING:
    from analyzer.frontends.puppet.node.environment import Settings
    from analyzer.frontends.puppet.origins.telling import OriginRow
    from tui.project.project import Project


@dataclass(frozen=True, slots=True)
class ResourceOrigins:
    """The rows about the existence of a resource, and the nearest cause of each of its values."""

    presence: tuple[OriginRow, ...] = ()
    values: Mapping[str, OriginRow] = field(default_factory=dict)


# By reference; empty until the compile has ended, and where there is nothing to compile.
Origins = Mapping[str, ResourceOrigins]


def origins_of(project: Project) -> Origins:
    """Compile the manifests of a project once more in another process; return all origins."""
    settings = project.compiled_with
    if project.kind != "manifests" or settings is None:
        return {}
    name = project.catalog.name
    settings = replace(settings, progress=None)
    try:
        return in_child(partial(explained, project.path, settings, name), project.path)
    except (CompileError, InputError):
        return {}


def explained(path: str, settings: Settings, name: str) -> dict[str, ResourceOrigins]:
    """Return the origins in the catalog of a name."""
    from analyzer.compiles.explaining import explain_path
    from analyzer.reach import user_files

    found: dict[str, ResourceOrigins] = {}
    with user_files():
        for node in explain_path(path, settings, (name,)):
            explanation = node.explanation
            if explanation is None:
                continue
            for entry in explanation.entries():
                found[entry.ref] = ResourceOrigins(
                    tuple(explanation.why(entry)), explanation.causes(entry)
                )
    return found
