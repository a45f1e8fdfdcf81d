"""Finds the parts of a repository that nothing uses, with the reasons."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from analyzer.model.nouns import counted
from analyzer.session.repository.unused.items import CodeFile, Item
from analyzer.session.repository.unused.names import NamesInTexts, Pattern, names_in
from analyzer.session.repository.unused.texts import RepositoryTexts

PERHAPS = "only code whose use cannot be known has its name"
NOT_NAMED = {
    "class": "no node block, code or data that is in use names it",
    "define": "no code that is in use declares it",
    "function": "no code that is in use calls it",
    "template": "no code that is in use names it",
    "file": "no code that is in use names it",
}


@dataclass(frozen=True, slots=True)
class Unused:
    """A part that nothing uses, and why; `open`: that cannot be known, and why."""

    item: Item
    reason: str
    open: bool = False


def find_unused(repository: RepositoryTexts) -> Iterator[Unused]:
    """Yield the parts that nothing uses, and those of which that cannot be known."""
    names = {one.file: names_in(one.text, one.file, one.module) for one in repository.code}
    narrow = wide = UseSearch(repository, names, repository.entries)
    while maybe := wide.maybe() - wide.entries:
        # What a computed name may bring in uses more in turn.
        wide = UseSearch(repository, names, wide.entries | maybe)
    for item in repository.items:
        found = narrow.judge(item)
        if found is not None and not found.open:
            wider = wide.judge(item)
            found = wider if wider is not None else Unused(item, PERHAPS, open=True)
        if found is not None:
            yield found


class UseSearch:
    """Follows the names from what a node begins with to all code that is in use.

    `names` are those of each file of code, `entries` the definitions that are in use in any case.
    """

    def __init__(
        self,
        repository: RepositoryTexts,
        names: Mapping[str, NamesInTexts],
        entries: frozenset[str],
    ) -> None:
        self.repository = repository
        self.entries = entries
        self.by_file = names
        self.names = NamesInTexts()
        self.used: set[str] = set()
        self.by_name: dict[str, list[CodeFile]] = defaultdict(list)
        for one in repository.code:
            for item in one.items:
                self.by_name[item.name].append(one)
        # The code that is not in use and has a name or a path, for the reasons.
        self.namers: dict[str, list[CodeFile]] = defaultdict(list)
        self.follow()

    def follow(self) -> None:
        """Take in the names of all code that is in use."""
        pending = [one for one in self.repository.code if self.is_root(one)]
        self.used.update(one.file for one in pending)
        for root in self.repository.roots:
            self.names.add(root)
        pending += self.reached(self.names.words)
        while pending:
            names = self.by_file[pending.pop().file]
            new = names.words - self.names.words
            self.names.add(names)
            pending += self.reached(new)
        for one in self.repository.code:
            if one.file not in self.used:
                names = self.by_file[one.file]
                for name in (names.words & self.by_name.keys()) | names.paths:
                    self.namers[name].append(one)

    def maybe(self) -> frozenset[str]:
        """Return the definitions of which it cannot be known whether anything uses them."""
        items = (item for one in self.repository.code for item in one.items)
        found = ((item.name, self.judge(item)) for item in items)
        return frozenset(name for name, one in found if one is not None and one.open)

    def is_root(self, one: CodeFile) -> bool:
        """Return whether a file is in use whoever names it."""
        return not one.items or any(item.name in self.entries for item in one.items)

    def reached(self, words: Iterable[str]) -> list[CodeFile]:
        """Return the files that words bring in, and mark them as used."""
        files = {one.file: one for word in words for one in self.by_name.get(word, ())}
        found = [one for file, one in files.items() if file not in self.used]
        self.used.update(one.file for one in found)
        return found

    def judge(self, item: Item) -> Unused | None:
        """Return why nothing uses a part, None if it is in use."""
        if item.kind == "key":
            return self.judge_key(item)
        if item.kind in ("file", "template"):
            return self.judge_file(item)
        if item.name in self.names.words or item.name in self.entries:
            return None
        pattern = self.matching(item.name)
        if pattern is not None:
            return Unused(item, computed(pattern), open=True)
        if item.kind == "class" and self.names.open_classes:
            file, line = self.names.open_classes[0]
            return Unused(item, f"{file}:{line} includes a class that is computed", open=True)
        namers = [one for one in self.namers.get(item.name, []) if item not in one.items]
        return Unused(item, by_unused(namers) if namers else NOT_NAMED[item.kind])

    def judge_file(self, item: Item) -> Unused | None:
        """Return why nothing uses a file of a module, None if code names it or its folder."""
        parts = item.name.split("/")
        folders = ["/".join(parts[:count]) for count in range(2, len(parts) + 1)]
        if any(one in self.names.paths for one in folders) or (
            f"modules/{parts[0]}" in self.names.quoted
            or f"puppet:///modules/{parts[0]}" in self.names.quoted
        ):
            return None
        pattern = self.matching(*folders)
        if pattern is not None:
            return Unused(item, computed(pattern), open=True)
        if parts[-1] in self.names.quoted or any(
            one.endswith(f"/{parts[-1]}") for one in self.names.paths
        ):
            return Unused(item, f"code that is in use has a name with {parts[-1]}", open=True)
        namers = [one for name in folders for one in self.namers.get(name, ())]
        return Unused(item, by_unused(namers) if namers else NOT_NAMED[item.kind])

    def judge_key(self, item: Item) -> Unused | None:
        """Return why nothing uses a key of Hiera, None if a class has it or code looks it up."""
        name, owner = item.name, item.name.rpartition("::")[0]
        if name == "lookup_options" or name in self.looked_up or name in self.names.words:
            return None
        pattern = self.matching(name)
        if pattern is not None:
            return Unused(item, computed(pattern), open=True)
        if owner:
            return self.judge_parameter(item, owner)
        if self.names.open_keys:
            file, line = self.names.open_keys[0]
            return Unused(item, f"{file}:{line} looks up a key that is computed", open=True)
        return Unused(item, "no code that is in use looks it up")

    def judge_parameter(self, item: Item, owner: str) -> Unused | None:
        """Return why no class has a key as a parameter, None if one in use has."""
        module = owner.partition("::")[0]
        files = [one for one in self.by_name.get(owner, ()) if is_class(one, owner)]
        if any(item.name in one.parameters for one in files):
            if any(one.file in self.used for one in files):
                return None
            pattern = self.matching(owner)
            why = f"class {owner} is used by nothing" if pattern is None else computed(pattern)
            return Unused(item, why, open=pattern is not None)
        if not files and module not in self.repository.modules:
            return Unused(item, f"module {module} is not here", open=True)
        parameter = item.name.rpartition("::")[2]
        missing = f"class {owner} has no parameter {parameter}"
        return Unused(item, missing if files else f"there is no class {owner}")

    @cached_property
    def looked_up(self) -> set[str]:
        """Return the texts that may be keys, with the first parts of those with dots."""
        return {*self.names.quoted, *(one.partition(".")[0] for one in self.names.quoted)}

    def matching(self, *names: str) -> Pattern | None:
        """Return the first computed name that may be one of some names."""
        for pattern in self.names.patterns:
            if any(pattern.matching.fullmatch(name) for name in names):
                return pattern
        return None


def is_class(one: CodeFile, name: str) -> bool:
    """Return whether a file has a class of a name."""
    return any(item.kind == "class" and item.name == name for item in one.items)


def computed(pattern: Pattern) -> str:
    """Return the reason why a name cannot be known."""
    return f"{pattern.file}:{pattern.line} computes a name that may be this"


def by_unused(namers: Sequence[CodeFile]) -> str:
    """Return the reason about code that is not in use itself."""
    names = sorted({f"{item.kind} {item.name}" for one in namers for item in one.items[:1]})
    more = f" and {counted(len(names) - 1, 'other')}" if len(names) > 1 else ""
    return f"named only by {names[0]}{more}, which nothing uses"
