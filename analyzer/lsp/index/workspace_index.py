"""The facts of all files of a workspace, and the files by the names that they declare or use."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType

from analyzer.digest import blake2b
from analyzer.lsp.index import data, manifest, ruby
from analyzer.lsp.index.facts import NOTHING, FileFacts, Packed, pack, unpack

Names = Mapping[tuple[str, str], tuple[str, ...]]
Kinds = dict[str, dict[str, None]]

EMPTY: Mapping[str, Packed] = MappingProxyType({})
NO_NAMES: Names = MappingProxyType({})

# The most characters of a file that are indexed: generated files can be huge.
MOST = 4 << 20


def is_indexed(path: str) -> bool:
    """Return whether a file may have declarations or uses."""
    return path.endswith((".pp", ".epp", ".cf", ".yaml", ".yml", ".eyaml")) or ruby.brings(path)


def facts_of(path: str, text: str) -> FileFacts:
    """Return the facts of a text; its path determines the language."""
    if len(text) > MOST:
        return NOTHING
    if path.endswith(".pp"):
        return manifest.facts_of(text, tasks="/plans/" in path)
    if path.endswith(".epp"):
        return manifest.facts_of(text, epp=True)
    if path.endswith(".cf"):
        # Its lexer is slow to load, and most editors have no policies.
        from analyzer.lsp.index import policy

        return policy.facts_of(text)
    if path.endswith((".yaml", ".yml", ".eyaml")):
        return data.facts_of(text)
    return ruby.facts_of(text, path) if ruby.brings(path) else NOTHING


def digest_of(text: str) -> bytes:
    """Return the digest of a text."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def packed_of(path: str, text: str) -> Packed:
    """Return the facts of a text, packed."""
    return pack(facts_of(path, text), digest_of(text))


@dataclass(frozen=True)
class Index:
    """The files by path; `declared` and `used` have the sorted paths by kind and name."""

    files: Mapping[str, Packed] = field(default_factory=lambda: EMPTY)
    declared: Names = field(default_factory=lambda: NO_NAMES)
    used: Names = field(default_factory=lambda: NO_NAMES)

    def facts(self, path: str) -> FileFacts:
        """Return the facts of a file, none if it is not known."""
        packed = self.files.get(path)
        return NOTHING if packed is None else unpack(packed)

    def names(self, kind: str) -> Iterator[str]:
        """Yield the names of a kind that are declared somewhere, in no order."""
        return iter(self._declared_kinds.get(kind, ()))

    def used_names(self, kind: str) -> Iterator[str]:
        """Yield the names of a kind that are used somewhere, in no order."""
        return iter(self._used_kinds.get(kind, ()))

    @cached_property
    def _declared_kinds(self) -> Kinds:
        return by_kind(self.declared)

    @cached_property
    def _used_kinds(self) -> Kinds:
        return by_kind(self.used)

    def changed(self, files: Mapping[str, Packed | None]) -> Index:
        """Return the index with new facts of some files; None removes a file."""
        before = {path: self.files.get(path) for path in files}
        made = Index(
            without_none({**self.files, **files}),
            merged(self.declared, before, files, lambda packed: packed.declared),
            merged(self.used, before, files, lambda packed: packed.used),
        )
        touched = [one for one in (*before.values(), *files.values()) if one is not None]
        declared = {name for packed in touched for name in packed.declared}
        used = {name for packed in touched for name in packed.used}
        vars(made)["_declared_kinds"] = kinds_after(self._declared_kinds, declared, made.declared)
        vars(made)["_used_kinds"] = kinds_after(self._used_kinds, used, made.used)
        return made


def by_kind(names: Names) -> Kinds:
    """Return the names of each kind."""
    found: Kinds = {}
    for kind, name in names:
        found.setdefault(kind, {})[name] = None
    return found


def kinds_after(kinds: Kinds, touched: set[tuple[str, str]], names: Names) -> Kinds:
    """Return the names of each kind after some of them may have been added or removed."""
    found = dict(kinds)
    for kind, name in touched:
        there = (kind, name) in names
        if there != (name in found.get(kind, ())):
            if found.get(kind) is kinds.get(kind):
                found[kind] = dict(kinds.get(kind, {}))
            if there:
                found[kind][name] = None
            else:
                del found[kind][name]
    return found


def without_none(files: dict[str, Packed | None]) -> dict[str, Packed]:
    """Return the files without those that are None."""
    return {path: packed for path, packed in files.items() if packed is not None}


def merged(
    names: Names,
    before: Mapping[str, Packed | None],
    after: Mapping[str, Packed | None],
    of: Callable[[Packed], tuple[tuple[str, str], ...]],
) -> Names:
    """Return the paths by name after some files changed; those of a name are sorted.

    If no name was added or removed, the same object is returned.
    """
    found: dict[tuple[str, str], tuple[str, ...]] | None = None
    for path, packed in after.items():
        old = before[path]
        gone = set(of(old)) if old is not None else set()
        come = set(of(packed)) if packed is not None else set()
        if gone == come:
            continue
        found = dict(names) if found is None else found
        for name in gone - come:
            left = tuple(one for one in found[name] if one != path)
            if left:
                found[name] = left
            else:
                del found[name]
        for name in come - gone:
            found[name] = tuple(sorted((*found.get(name, ()), path)))
    return names if found is None else found


def built(files: Iterable[tuple[str, Packed]]) -> Index:
    """Return the index of many files at once."""
    known = dict(sorted(files))
    declared: dict[tuple[str, str], list[str]] = {}
    used: dict[tuple[str, str], list[str]] = {}
    for path, packed in known.items():
        for name in packed.declared:
            declared.setdefault(name, []).append(path)
        for name in packed.used:
            used.setdefault(name, []).append(path)
    return Index(
        known,
        {name: tuple(paths) for name, paths in declared.items()},
        {name: tuple(paths) for name, paths in used.items()},
    )
