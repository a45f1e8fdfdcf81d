"""The facts of all files of a workspace, and which file declares or uses which name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from types import MappingProxyType

from analyzer.lsp.index import data, manifest, ruby
from analyzer.lsp.index.facts import NOTHING, Facts, Packed, pack, unpack

Names = Mapping[tuple[str, str], tuple[str, ...]]

EMPTY: Mapping[str, Packed] = MappingProxyType({})
NO_NAMES: Names = MappingProxyType({})

# Characters of a file that are looked at: generated ones have no end.
MOST = 4 << 20


def is_indexed(path: str) -> bool:
    """Return whether a file may declare or use something."""
    return path.endswith((".pp", ".epp", ".cf", ".yaml", ".yml", ".eyaml")) or ruby.brings(path)


def facts_of(path: str, text: str) -> Facts:
    """Return the facts of a text; what it is, its path says."""
    if len(text) > MOST:
        return NOTHING
    if path.endswith(".pp"):
        return manifest.facts_of(text, tasks="/plans/" in path)
    if path.endswith(".epp"):
        return manifest.facts_of(text, epp=True)
    if path.endswith(".cf"):
        # Its lexer takes longer to load than an editor without policies should wait for.
        from analyzer.lsp.index import policy

        return policy.facts_of(text)
    if path.endswith((".yaml", ".yml", ".eyaml")):
        return data.facts_of(text)
    return ruby.facts_of(text, path) if ruby.brings(path) else NOTHING


def digest_of(text: str) -> bytes:
    """Return what identifies a text."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def packed_of(path: str, text: str) -> Packed:
    """Return the facts of a text, packed."""
    return pack(facts_of(path, text), digest_of(text))


@dataclass(frozen=True, slots=True)
class Index:
    """The files by path; `declared` and `used` are paths by kind and name, in order."""

    files: Mapping[str, Packed] = field(default_factory=lambda: EMPTY)
    declared: Names = field(default_factory=lambda: NO_NAMES)
    used: Names = field(default_factory=lambda: NO_NAMES)

    def facts(self, path: str) -> Facts:
        """Return the facts of a file, none if it is not known."""
        packed = self.files.get(path)
        return NOTHING if packed is None else unpack(packed)

    def names(self, kind: str) -> Iterator[str]:
        """Yield the names of a kind that are declared somewhere."""
        return (name for of, name in self.declared if of == kind)

    def changed(self, files: Mapping[str, Packed | None]) -> Index:
        """Return the index with other facts of some files; None removes a file."""
        before = {path: self.files.get(path) for path in files}
        return Index(
            without_none({**self.files, **files}),
            merged(self.declared, before, files, lambda packed: packed.declared),
            merged(self.used, before, files, lambda packed: packed.used),
        )


def without_none(files: dict[str, Packed | None]) -> dict[str, Packed]:
    """Return the files that there are."""
    return {path: packed for path, packed in files.items() if packed is not None}


def merged(
    names: Names,
    before: Mapping[str, Packed | None],
    after: Mapping[str, Packed | None],
    of: Callable[[Packed], tuple[tuple[str, str], ...]],
) -> Names:
    """Return the paths by name after some files changed; those of a name are sorted."""
    found = dict(names)
    for path, packed in after.items():
        old = before[path]
        gone = set(of(old)) if old is not None else set()
        come = set(of(packed)) if packed is not None else set()
        for name in gone - come:
            left = tuple(one for one in found[name] if one != path)
            if left:
                found[name] = left
            else:
                del found[name]
        for name in come - gone:
            found[name] = tuple(sorted((*found.get(name, ()), path)))
    return found


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
