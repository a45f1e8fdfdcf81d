"""Finds words of an expression that match nothing: kinds of edges, origins, types, parameters."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterator, Set
from dataclasses import dataclass
from difflib import get_close_matches
from fnmatch import fnmatchcase
from functools import lru_cache
from glob import escape, glob

from analyzer.frontends.puppet.compiler.declared.overrides import METAPARAMETERS
from analyzer.frontends.puppet.compiler.definitions.native import OWN, WITH_PACKAGE
from analyzer.graph.phrases import PHRASES
from analyzer.graph.query.ast import (
    And,
    Compare,
    Expr,
    Not,
    Or,
    Query,
    Relation,
    Value,
    comparisons,
)
from analyzer.graph.query.fields import FIELDS, PARAMETER
from analyzer.linter.puppet.subjects import Compiled
from analyzer.model.names import capitalize_type

# The values that fields of edges can have.
EDGES: dict[str, tuple[str, ...]] = {
    "kind": ("before", "notify", "contains"),
    "origin": (*PHRASES, "arrow"),
}

# The types of Puppet and of its packaged modules, and the attributes of both.
BUILT_IN = {capitalize_type(name): one for name, one in OWN.items()}
TYPES = {*BUILT_IN, *map(capitalize_type, WITH_PACKAGE), "Class", "Stage", "Component"}
OF_PACKAGE = """
    arguments atboot autoexpand blockdevice bootproto changes clone comment context copies cost
    description device dump enabled enablegroups exclude failovermethod force_standard fstype
    gpgcakey gpgcheck gpgkey host_aliases hour id include includepkgs incl inherit ip iptype key
    keepalive lens load_path mergelist metadata_expire metalink minute mirror mirrorlist
    mirrorlist_expire month monthday mountpoint onlyif options pass persistent pool priority
    protect proxy proxy_password proxy_username quota raidz realhostname recordsize refquota
    refreservation remounts repo_gpgcheck reservation returns root s3_enabled selmoduledir
    selmodulepath setuid shares sharenfs sharesmb skip_if_unavailable snapdir spare special
    sslcacert sslclientcert sslclientkey sslverify syncversion sysidcfg throttle timeout trigger
    type_check value volsize vscan weekday working_dir xattr zoned
"""
ATTRIBUTES = frozenset((*METAPARAMETERS, *OF_PACKAGE.split())).union(
    *(one.attributes for one in OWN.values())
)

WORD = re.compile(r"[a-z_]\w*(?:::\w+)*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Mistake:
    """A word that matches nothing: its column in the expression, and the message."""

    column: int
    message: str
    hint: str = ""

    def __str__(self) -> str:
        return self.message + self.hint


@dataclass(frozen=True, slots=True)
class Word:
    """A type, parameter or class of an expression, which a catalog or its code should have."""

    what: str
    text: str
    column: int

    def is_known(self, compiled: Compiled) -> bool:
        """Return whether a catalog contains the word, or the code that it was compiled from."""
        if self.text in names_in(compiled, self.what):
            return True
        return self.text.lower() in words_in(folders_of(compiled.files), compiled.text_of)

    def mistake(self, compiled: Compiled) -> Mistake:
        """Return the mistake, with a suggested name."""
        known = names_in(compiled, self.what)
        if self.what == "parameter":
            known |= FIELDS.keys()
        said = f"no {self.what} of this code has the name '{self.text}'"
        return Mistake(self.column, said, hint(self.text, known))


def names_in(compiled: Compiled, what: str) -> Set[str]:
    """Return the types, classes or parameter names of a catalog, and those of Puppet."""
    resources = compiled.graph.resources
    if what == "type":
        return TYPES.union(one.type for one in resources)
    if what == "class":
        return {one.title.lower() for one in resources if one.type == "Class"}
    return ATTRIBUTES.union(*(one.parameters for one in resources))


def hint(text: str, known: Collection[str]) -> str:
    """Return a suggestion of a similar word, or an empty string."""
    near = get_close_matches(text, sorted(known), 1, 0.7)
    return f"; did you mean '{near[0]}'?" if near else ""


def folders_of(files: frozenset[str]) -> frozenset[str]:
    """Return patterns for folders: the modules next to those used, and the site's manifests."""
    found = set()
    for file in files:
        module, inside, _ = file.rpartition(f"{os.sep}manifests{os.sep}")
        beside = os.path.join(escape(os.path.dirname(module)), "*")
        found.add(beside if inside else escape(os.path.dirname(file)))
    return frozenset(found)


@lru_cache(maxsize=4)
def words_in(folders: frozenset[str], text_of: Callable[[str], str | None]) -> frozenset[str]:
    """Return the words of the manifests and Ruby types below folders, in lower case."""
    found: set[str] = set()
    for folder in folders:
        for pattern in ("*.pp", "manifests/**/*.pp", "lib/puppet/type/*.rb"):
            for file in glob(os.path.join(folder, pattern), recursive=True):
                found.update(map(str.lower, WORD.findall(text_of(file) or "")))
    return frozenset(found)


def mistakes_in(query: Query) -> Iterator[Mistake]:
    """Yield the values and names that match nothing in any catalog."""
    for one in [] if query.over == "resources" else comparisons(query.where, deep=False):
        known = EDGES.get(one.name.text.lower(), ())
        for value in one.values if known else ():
            if value.kind not in ("undef", "regex") and not fits_any(one, value, known):
                listed = ", ".join(known)
                said = f"no edge has the {one.name.text.lower()} '{value.text}'"
                near = hint(value.text, known) or f"; it is one of {listed}"
                yield Mistake(value.column, said, near)
    for expr in about_resources(query):
        yield from unknown_attributes(expr, frozenset())


def about_resources(query: Query) -> Iterator[Expr]:
    """Yield the parts of a query that are about resources; in a query over edges, the operands."""
    pending = [] if query.where is None else [query.where]
    while pending:
        match pending.pop():
            case expr if query.over == "resources":
                yield expr
            case And(parts) | Or(parts):
                pending += parts
            case Not(part):
                pending.append(part)
            case Relation(operands=parts):
                yield from parts


def fits_any(asked: Compare, value: Value, known: Collection[str]) -> bool:
    """Return whether a value of a comparison matches one of the known values."""
    wanted = value.text.lower()
    if asked.operator == "~":
        return any(fnmatchcase(one, wanted.replace("[", "[[]")) for one in known)
    return wanted in known


def unknown_attributes(expr: Expr, types: frozenset[str]) -> Iterator[Mistake]:
    """Yield the parameters that no type of the same `and` has."""
    match expr:
        case And(parts):
            asked = (types_of(part) for part in parts if isinstance(part, Compare))
            types = next(filter(None, asked), types)
            yield from (one for part in parts for one in unknown_attributes(part, types))
        case Or(parts):
            yield from (one for part in parts for one in unknown_attributes(part, types))
        case Not(part):
            yield from unknown_attributes(part, types)
        case Relation(operands=parts):
            yield from (one for part in parts for one in unknown_attributes(part, frozenset()))
        case Compare() if types and (name := parameter_of(expr)):
            yield from unknown_attribute(name, types, expr.name.column)


def unknown_attribute(name: str, types: frozenset[str], column: int) -> Iterator[Mistake]:
    """Yield a mistake if none of the types has the attribute."""
    known = {*METAPARAMETERS}.union(*(BUILT_IN[one].attributes for one in types))
    if name not in known:
        has = "has" if len(types) == 1 else "have"
        said = f"{' and '.join(sorted(types))} {has} no parameter '{name}'"
        yield Mistake(column, said, hint(name, {*known, *FIELDS}))


def types_of(asked: Compare) -> frozenset[str]:
    """Return the types that a comparison allows, or none if one of them is not Puppet's own."""
    found = {capitalize_type(value.text) for value in asked.values}
    is_type = asked.name.text.lower() == "type" and asked.operator == "="
    whole = is_type and found <= BUILT_IN.keys()
    return frozenset(found) if whole else frozenset()


def words_of(query: Query) -> Iterator[Word]:
    """Yield the words of an expression that a catalog or its code should have."""
    for one in (found for expr in about_resources(query) for found in comparisons(expr)):
        name = one.name.text.lower()
        if parameter := parameter_of(one):
            yield Word("parameter", parameter, one.name.column)
        for value in one.values if name in ("type", "class") and one.operator == "=" else ():
            if value.kind == "text":
                text = value.text.lower().removeprefix("::")
                yield Word(name, capitalize_type(text) if name == "type" else text, value.column)


def parameter_of(asked: Compare) -> str:
    """Return the parameter that a comparison is about, or an empty string for a field."""
    name = asked.name.text
    if name.lower() in FIELDS:
        return ""
    return name.removeprefix(PARAMETER).partition(".")[0]
