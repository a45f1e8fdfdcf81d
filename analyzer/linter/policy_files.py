"""The files of a policy for the lint: all existing files that its inputs may name."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from analyzer.frontends.cfengine.policy.augments import read_augments
from analyzer.frontends.cfengine.policy.blocks import ENTRY, MAIN, Policy, entry_point
from analyzer.frontends.cfengine.policy.possible_values import WILD, Values
from analyzer.frontends.cfengine.syntax.ast import Attribute, Body, PolicyFile, Scalar
from analyzer.frontends.cfengine.syntax.check import Checked, check_text
from analyzer.frontends.cfengine.syntax.problems import PolicyError, Problem
from analyzer.source import Span

# Folders of the agent's inputs, relative to the folder of the policy.
FOLDERS = {
    "sys.inputdir": "",
    "sys.masterdir": "",
    "sys.policy_entry_dirname": "",
    "sys.libdir": "lib",
    "sys.local_libdir": "lib",
}
ROUNDS = 20
# Precedes a path that begins with one of these folders.
HERE = "\1"

Read = Callable[[str], str | None]


@lru_cache(maxsize=4096)
def checked(text: str, path: str) -> Checked:
    """Return a file's tree, with the problems that make CFEngine refuse it."""
    try:
        return check_text(text, path)
    except RecursionError:
        deep = Problem("the policy is nested too deeply", Span(path, 1, 1), 1)
        return Checked(text, PolicyFile(path, (), ()), (deep,))


@dataclass(slots=True)
class Loaded:
    """A policy with its files; `whole` is true if all of its inputs were found.

    `missing` are inputs, under any guard, whose names are known and that do not exist.
    """

    path: str
    policy: Policy = field(default_factory=Policy)
    whole: bool = True
    missing: list[tuple[Attribute, str]] = field(default_factory=list)
    refused: list[PolicyError] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)


def load_all(path: str, read: Read) -> Loaded:
    """Load a policy and every file that its inputs may name, under any guard."""
    loaded = Loaded(path)
    folder = os.path.dirname(path) or "."
    known = {name: HERE + os.path.join(folder, below) for name, below in FOLDERS.items()}
    values = Values(loaded.policy, known)
    loaded.policy.augments = read_augments(os.path.dirname(path))
    add_file(path, loaded, read)
    for _ in range(ROUNDS):
        count = len(loaded.policy.files)
        values.update()
        loaded.whole, loaded.missing = True, []
        for tree in list(loaded.policy.files):
            for body, attribute in inputs_of(tree):
                for name in input_names(values, body, attribute, tree):
                    add_input(name, attribute, loaded, read, tree.path)
        if len(loaded.policy.files) == count:
            break
    return loaded


def add_file(path: str, loaded: Loaded, read: Read) -> bool:
    """Load a file unless it is loaded already; return False if it does not exist."""
    real = os.path.realpath(path)
    if real in loaded.seen:
        return True
    text = read(path)
    if text is None:
        return False
    loaded.seen.add(real)
    found = checked(text, path)
    if found.problems:
        loaded.refused.append(PolicyError(list(found.problems), text))
        loaded.whole = False
        return True
    tree = entry_point(found.tree, entry=path == loaded.path)
    loaded.policy.add(tree)
    loaded.policy.rounds.append(tree.bundles)
    return True


def add_input(name: str, attribute: Attribute, loaded: Loaded, read: Read, source: str) -> None:
    """Load an input, or record that it is unknown or missing."""
    if WILD in name or "$" in name or "@" in name:
        loaded.whole = False
        return
    folders = (os.path.dirname(loaded.path), os.path.dirname(source))
    exact = name.startswith(HERE) or os.path.isabs(name)
    plain = name.removeprefix(HERE)
    places = [plain] if exact else [os.path.join(folder, plain) for folder in folders]
    if not any(add_file(os.path.normpath(place), loaded, read) for place in places):
        loaded.whole = False
        if not os.path.isabs(name) and not any(map(os.path.exists, places)):
            loaded.missing.append((attribute, places[0]))


def inputs_of(tree: PolicyFile) -> Iterator[tuple[Body, Attribute]]:
    """Yield the lists of inputs of a file."""
    for body in tree.bodies:
        if body.name == "control" and body.type in ("common", "file"):
            for attribute in body.attributes:
                if attribute.name == "inputs":
                    yield body, attribute


def input_names(
    values: Values, body: Body, attribute: Attribute, tree: PolicyFile
) -> Iterator[str]:
    """Yield the names that a list of inputs may have."""
    from analyzer.frontends.cfengine.syntax.ast import Bundle

    place = Bundle("common", "", body.namespace, (), (), body.line, body.span)
    values.known["this.promise_dirname"] = HERE + (os.path.dirname(tree.path) or ".")
    # CFEngine's value for an empty list.
    return (name for name in values.items(attribute.value, place) if name != "cf_null")


def is_entry(tree: PolicyFile) -> bool:
    """Return whether a file may be an entry of a policy: it has a bundlesequence or main bundle."""
    for body in tree.bodies:
        if (body.type, body.name) == ("common", "control"):
            names = {attribute.name for attribute in body.attributes}
            if "bundlesequence" in names:
                return True
    return any(
        bundle.type in ("agent", "common")
        and bundle.namespace == "default"
        and bundle.name in (ENTRY, MAIN)
        for bundle in tree.bundles
    )


def sequence_of(policy: Policy, values: Values) -> list[str]:
    """Return the names of the bundles that the sequence may have; WILD stands for unknown text."""
    found: list[str] = []
    from analyzer.frontends.cfengine.syntax.ast import Bundle, Call, ListValue

    place = Bundle("common", "", "default", (), (), 0, Span(""))
    for attribute in policy.control("common", "bundlesequence"):
        value = attribute.value
        for item in value.items if isinstance(value, ListValue) else (value,):
            one = Scalar(item.name) if isinstance(item, Call) else item
            found += values.items(one, place)
    return [name for name in found if name != "cf_null"] or [MAIN]


def policies_in(paths: list[str], read: Read) -> list[Loaded]:
    """Return the policies among files: the entries with their inputs, then the remaining files.

    A file that is an input of another one belongs only to that policy.
    """
    trees = {}
    found: list[Loaded] = []
    for path in paths:
        text = read(path)
        if text is not None:
            trees[path] = checked(text, path)
    entries = [path for path, one in trees.items() if not one.problems and is_entry(one.tree)]
    loaded = [load_all(path, read) for path in entries]
    inside = {real for one in loaded for real in one.seen if real != os.path.realpath(one.path)}
    found += [one for one in loaded if os.path.realpath(one.path) not in inside]
    done = {real for one in found for real in one.seen}
    for path in trees:
        if os.path.realpath(path) not in done:
            rest = load_all(path, read)
            rest.whole = False
            found.append(rest)
    return found
