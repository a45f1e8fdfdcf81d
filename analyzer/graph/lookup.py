"""Finds the resource of a reference (Puppet::Resource::Catalog#resource)."""

from __future__ import annotations

from analyzer.model.names import canonical_ref, split_ref
from analyzer.model.resource import Resource
from analyzer.model.types import COMPOSITE, NAMEVARS, NOT_ISOMORPHIC, RETITLED, SECOND_NAMED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from analyzer.model.catalog import Catalog


NO_ALIASES: Mapping[str, str] = {}


class CatalogLookup:
    """Titles, aliases and namevars of a catalog, each leading to a resource's place in it.

    `resources` is the catalog's list and the resources that Puppet adds. Some types change the
    title of their resources: `resources` has the new title, `retitled` the reference with the old
    one. An id is an index into `resources`. `ids` are all ids, since large numbers take less memory
    if each is one object. `aliases` maps further references to the titles that they stand for.
    `repeated` is true if several resources have the same reference. `nearest` caches the results of
    automatic rules for folders, by type.
    """

    __slots__ = ("by_ref", "ids", "nearest", "repeated", "resources", "retitled", "typed")

    def __init__(
        self,
        resources: list[Resource],
        namevars: Mapping[str, str] = NAMEVARS,
        aliases: Mapping[str, str] = NO_ALIASES,
    ) -> None:
        self.resources = resources
        self.ids = list(range(len(resources)))
        self.repeated = False
        self.by_ref: dict[str, int] = {}
        self.typed: dict[str, list[int]] = {}
        self.retitled: dict[str, int] = {}
        self.nearest: dict[str, dict[str, tuple[int, ...]]] = {}
        self._register(namevars)
        for alias, ref in aliases.items():
            found = self.find_declared(ref)
            if found is not None:
                self.by_ref.setdefault(alias, found)

    def _register(self, namevars: Mapping[str, str]) -> None:
        by_ref, typed = self.by_ref, self.typed
        aliased = []
        for i, resource in zip(self.ids, self.resources, strict=True):
            kind = resource.type
            by_ref.setdefault(f"{kind}[{resource.title}]", i)
            try:
                typed[kind].append(i)
            except KeyError:
                typed[kind] = [i]
            if "alias" in resource.parameters:
                aliased.append(i)
        self.repeated = len(by_ref) < len(self.resources)
        for kind in RETITLED.intersection(typed):
            self._retitle(typed[kind])
        for kind, ids in typed.items():
            if kind in SECOND_NAMED:
                self._register_second_names(kind, ids)
            elif kind not in NOT_ISOMORPHIC and kind not in COMPOSITE:
                namevar = namevars.get(kind, "name")
                if namevar:
                    self._register_names(kind, ids, namevar)
        self._register_aliases(aliased)

    def _retitle(self, ids: list[int]) -> None:
        from analyzer.graph.second_names import ral_title

        for i in ids:
            r = self.resources[i]
            self.retitled[str(r)] = i
            self.by_ref.pop(str(r), None)
            title, parameters = ral_title(r), r.parameters
            self.resources[i] = found = Resource(
                r.type, title, parameters, r.file, r.line, r.kind, r.tags, r.exported, r.sensitive
            )
            found.written, found.exporter = r.written, r.exporter
        for i in ids:
            self.by_ref.setdefault(str(self.resources[i]), i)

    def _register_aliases(self, ids: list[int]) -> None:
        for i in ids:
            resource = self.resources[i]
            for name in as_list(resource.parameters["alias"]):
                self.by_ref.setdefault(f"{resource.type}[{name}]", i)

    def _register_names(self, kind: str, ids: list[int], namevar: str) -> None:
        munge = MUNGES.get(kind)
        by_ref, resources = self.by_ref, self.resources
        for i in ids:
            resource = resources[i]
            name = resource.parameters.get(namevar)
            if munge is not None:
                name = munge(resource.title if name is None else str(name))
            if name is not None and name != resource.title:
                by_ref.setdefault(f"{kind}[{name}]", i)

    def _register_second_names(self, kind: str, ids: list[int]) -> None:
        from analyzer.graph.second_names import SECOND_NAMES

        name_of = SECOND_NAMES[kind]
        for i in ids:
            self.by_ref.setdefault(f"{kind}[{name_of(self.resources[i])}]", i)

    def find(self, kind: str, title: str) -> int | None:
        """Return the id of the resource `Type[title]`; `kind` is the type in Puppet's capitals."""
        found = self.by_ref.get(f"{kind}[{title}]")
        if found is None and kind == "File" and len(title) > 1 and title[-1] == "/":
            return self.by_ref.get(f"File[{title.rstrip('/') or '/'}]")
        return found

    def find_ref(self, ref: object) -> int | None:
        """Return the id of a reference, in any spelling that Puppet accepts."""
        if type(ref) is not str:
            return None
        found = self.by_ref.get(ref)
        if found is None:
            parts = split_ref(ref)
            if parts is not None:
                canonical = split_ref(canonical_ref(*parts))
                found = self.find(*canonical) if canonical else None
        return found

    def find_declared(self, ref: str) -> int | None:
        """Return the id of a reference in the edges that the catalog itself lists."""
        found = self.retitled.get(ref)
        return self.find_ref(ref) if found is None else found

    def of_type(self, kind: str) -> list[int]:
        """Return the ids of a type's resources in catalog order."""
        return self.typed.get(kind, [])


def namevars_of(catalog: Catalog) -> Mapping[str, str]:
    """Return the namevars of the known types, and of the types that the compile has read."""
    return {**NAMEVARS, **catalog.namevars} if catalog.namevars else NAMEVARS


def file_path(value: str) -> str:
    """Return a path as Puppet's file type munges it: absolute, without `..` and `//`."""
    if "//" in value or "/." in value:
        from posixpath import normpath

        if not value.strip("/"):
            return value  # To Puppet, this is a Windows share.
        value = normpath(value)
        if value.startswith("//"):
            value = value[1:]
    return value.rstrip("/") or "/" if value[-1:] == "/" else value


def mount_point(value: str) -> str:
    """Return a mount's name without trailing slashes (mount_core, type/mount.rb)."""
    return value.rstrip("/") or "/"


# Namevars that Puppet rewrites, so that other spellings find the resource.
MUNGES = {"File": file_path, "Mount": mount_point}


def as_list(value: object) -> Iterator[Any]:
    """Yield the entries of a parameter: one value, or nested lists; nulls are left out."""
    if type(value) is list:
        for entry in value:
            yield from as_list(entry)
    elif value is not None:
        yield value
