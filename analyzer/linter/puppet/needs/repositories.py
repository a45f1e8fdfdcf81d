"""Finds packages that need a repository, because they have its name."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from posixpath import basename

from analyzer.linter.puppet.needs.packages import provider_of
from analyzer.linter.puppet.needs.words import words
from analyzer.linter.puppet.related_resources import (
    GONE,
    is_present,
    module,
    name_of,
)
from analyzer.linter.puppet.shared_targets import (
    Pair,
    texts,
)
from analyzer.linter.puppet.subjects import Compiled
from analyzer.model.resource import Resource

# Types that define package repositories, and words in titles that do not identify one.
REPOSITORIES = ("Yumrepo", "Zypprepo", "Apt::Source", "Apt::Ppa")

COMMON_WORDS = words(
    """
    apt deb debian main release repo repository stable the ubuntu yum
    """
)

# A required class that defines repositories or reads them.
REQUIRED = re.compile(r"Class\[\W*(?:[\w:]*::repos?(?:itory)?|apt::update)\b", re.IGNORECASE)

# Providers that install from repositories.
SYSTEM = ("", "apt", "aptitude", "dnf", "yum", "zypper")

INDEX = re.compile(r"\b(?:apt-get|apt|aptitude)(?:\s+-\S+)*\s+update\b")


def repository_and_package(compiled: Compiled) -> Iterator[Pair]:
    """Yield a repository, or the command that reads it, with a package of its name and module."""
    words: dict[tuple[str, str], list[Resource]] = defaultdict(list)
    for package in compiled.by_type.get("Package", ()):
        is_system = provider_of(package) in SYSTEM and not package.parameters.get("source")
        if is_present(package) and is_system:
            words[module(compiled, package), first_word(name_of(package))].append(package)
    updates = [
        one
        for one in compiled.by_type.get("Exec", ())
        if any(INDEX.search(text) for text in texts(one.parameters.get("command", one.title)))
    ]
    repositories = [one for kind in REPOSITORIES for one in compiled.by_type.get(kind, ())]
    known = known_after(compiled, repositories) if words else {}
    for repository in repositories:
        word, home = first_word(repository.title), module(compiled, repository)
        if repository.parameters.get("ensure") in GONE or word in COMMON_WORDS:
            continue
        for package in words.get((home, word), ()):
            named = REQUIRED.search(str(package.parameters.get("require")))
            if not named and compiled.number(package) not in known[home]:
                yield Pair(repository, package, "the repository")
            if repository.type.startswith("Apt::") and compiled.is_before(repository, package):
                yield from late_index(compiled, updates, repository, package)


def known_after(compiled: Compiled, repositories: list[Resource]) -> dict[str, set[int]]:
    """Return the nodes of each module that come after one of its repositories or its file."""
    starts: dict[str, list[int]] = defaultdict(list)
    for repository in repositories:
        files = (one for one in compiled.resources_in(repository) if one.type == "File")
        ids = (compiled.number(one) for one in (repository, *files))
        ends = [compiled.graph.completed[i] for i in ids if i is not None]
        starts[module(compiled, repository)] += ends
    return {home: compiled.after(ids) for home, ids in starts.items()}


def late_index(
    compiled: Compiled, updates: list[Resource], repository: Resource, package: Resource
) -> Iterator[Pair]:
    """Yield the command that reads a repository, if no such command is ordered with its package."""
    later = [one for one in updates if compiled.is_before(repository, one)]
    told = [one for one in updates if compiled.is_notified(repository, one)]
    if told and not any(compiled.ordered(one, package) for one in {*told, *later}):
        yield Pair(told[0], package, "the index of the repository")


def first_word(name: str) -> str:
    """Return the first word of a name, without a number: `docker` for `docker-ce`."""
    return re.split(r"[\s/._-]", basename(name.lower()))[0].rstrip("0123456789")
