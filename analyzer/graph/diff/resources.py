"""Compares resources: added, removed and changed ones."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.graph.diff.values import ParameterChange, ResourceChange, UndecidedParameter
from analyzer.graph.kernel import Kernel
from analyzer.graph.labels import METAPARAMETERS
from analyzer.model.refs import ResourceRef
from analyzer.model.resource import REDACTED, Resource, is_sensitive
from analyzer.model.tags import tags_of
from analyzer.model.values import Unknown

RELATIONS = frozenset(name for name, _ in METAPARAMETERS)


class DeclaredResources:
    """The catalog's own resources by reference, the first of several."""

    def __init__(self, kernel: Kernel) -> None:
        self.name = kernel.catalog.name
        self.resources: dict[str, Resource] = {}
        for resource in kernel.resources[: len(kernel.catalog.resources)]:
            self.resources.setdefault(str(resource), resource)
        names = [str(resource) for resource in kernel.resources]
        self.named = dict(zip(names, kernel.resources, strict=True))
        self.containers: dict[str, set[str]] = {}
        for x, contents in kernel.contents.items():
            for v in contents:
                self.containers.setdefault(names[v], set()).add(names[x])

    def refs(self, names: set[str]) -> tuple[ResourceRef, ...]:
        """Return names as references."""
        return tuple(self.named[name].ref for name in sorted(names))


def changes(
    old: DeclaredResources, new: DeclaredResources, undecided: list[UndecidedParameter]
) -> Iterator[ResourceChange]:
    """Yield the resources that are in both and differ, in the order of the second."""
    nothing: set[str] = set()
    # Everything of a node carries its name: that two nodes differ in it is no difference.
    own = {old.name, new.name} if old.name != new.name else nothing
    nodes = {f"Node[{name}]" for name in own}
    for name, after in new.resources.items():
        before = old.resources.get(name)
        if before is None:
            continue
        parameters = tuple(parameter_changes(before, after, undecided))
        tags = tag_changes(before, after, own)
        left = old.containers.get(name, nothing) - nodes
        entered = new.containers.get(name, nothing) - nodes
        exported = None if before.exported == after.exported else after.exported
        if parameters or tags != ((), ()) or left != entered or exported is not None:
            yield ResourceChange(
                after.ref,
                parameters,
                *tags,
                new.refs(entered - left),
                old.refs(left - entered),
                exported,
                before.span,
                after.span,
            )


def parameter_changes(
    before: Resource, after: Resource, undecided: list[UndecidedParameter]
) -> Iterator[ParameterChange]:
    """Yield the parameters that differ, by name; record those that may differ."""
    if before.parameters == after.parameters and not any(
        map(has_unknown, after.parameters.values())
    ):
        return
    for name in sorted({*before.parameters, *after.parameters} - RELATIONS):
        old, new = before.parameters.get(name), after.parameters.get(name)
        equal = same(old, new)
        if equal is None:
            undecided.append(UndecidedParameter(after.ref, name, reason_of(new) or reason_of(old)))
        elif not equal:
            secret = any(
                name in (one.sensitive or ()) or is_sensitive(one.parameters.get(name))
                for one in (before, after)
            )
            # An absent value is not a secret.
            yield ParameterChange(
                name,
                REDACTED if secret and old is not None else old,
                REDACTED if secret and new is not None else new,
            )


def same(old: object, new: object) -> bool | None:
    """Return whether two values are equal, None if that is unknown."""
    if isinstance(old, Unknown) or isinstance(new, Unknown):
        return None
    if isinstance(old, list) and isinstance(new, list):
        if len(old) != len(new) and not has_unknown(old) and not has_unknown(new):
            return False
        parts = [same(a, b) for a, b in zip(old, new, strict=False)]
        return None if len(old) != len(new) else all_of(parts)
    if isinstance(old, dict) and isinstance(new, dict):
        if "__unknown" in old or "__unknown" in new:
            return None
        if old.keys() != new.keys():
            return False
        return all_of([same(old[key], new[key]) for key in old])
    if isinstance(old, dict | list) or isinstance(new, dict | list):
        return None if has_unknown(old) or has_unknown(new) else False
    return bool(type(old) is type(new) and old == new)


def all_of(parts: list[bool | None]) -> bool | None:
    """Return whether all hold, None if that depends on unknown values."""
    return False if False in parts else None if None in parts else True


def has_unknown(value: object) -> bool:
    """Return whether a value, or a part of it, is unknown."""
    return bool(reason_of(value))


def reason_of(value: object) -> str:
    """Return the reason why a value is unknown, empty if it is known."""
    if isinstance(value, Unknown):
        return value.reason
    if isinstance(value, dict):
        if "__unknown" in value:
            return str(value["__unknown"])
        value = list(value.values())
    if isinstance(value, list):
        return next((reason for entry in value if (reason := reason_of(entry))), "")
    return ""


def tag_changes(
    before: Resource, after: Resource, ignored: set[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the tags gained and lost, without those that are ignored."""
    if before.tags == after.tags and before.parameters.get("tag") == after.parameters.get("tag"):
        return (), ()
    old, new = tags_of(before) - ignored, tags_of(after) - ignored
    return tuple(sorted(new - old)), tuple(sorted(old - new))
