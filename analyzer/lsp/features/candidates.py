"""The names that complete each kind of place in a manifest, and keys of data."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from heapq import nsmallest
from typing import NamedTuple

from lsprotocol import types

from analyzer.frontends.puppet.syntax.lexing.tokens import KEYWORDS
from analyzer.lsp.index.manifest import DATA_TYPES
from analyzer.lsp.reference import functions, metaparameters, puppet_types
from analyzer.lsp.reference.attributes import attribute_of, attributes_of
from analyzer.lsp.reference.cursor import Where
from analyzer.lsp.reference.definitions import (
    Parameter,
    definition_of,
    members,
    shortened,
)
from analyzer.lsp.reference.values import fact, facts_of, worlds
from analyzer.lsp.state.snapshot import Asked, Snapshot, parent_of

Kind = types.CompletionItemKind

# Items of one answer; an editor asks again when more is typed.
MOST = 100


class Candidate(NamedTuple):
    """A name: `rank` 0 comes first; `insert` is what is written, if not the label; `ask` names
    what has more documentation, as `function split`.
    """

    label: str
    kind: types.CompletionItemKind
    detail: str = ""
    text: str = ""
    rank: int = 1
    insert: str = ""
    ask: str = ""


Candidates = list[Candidate]

# Data types in the case in which they are written, where that is more than the first letter.
SPELLED = {
    name.lower(): name
    for name in (
        *("CatalogEntry", "NotUndef", "RegexpScalar", "RichData", "ScalarData", "SemVer"),
        *("SemVerRange", "TypeSet"),
    )
}
EVERYWHERE = {
    "facts": "the facts of the node",
    "trusted": "what the node's certificate says",
    "server_facts": "the server that compiles",
    "environment": "the name of the environment",
}
INSIDE = {
    "title": "the title of this class or resource",
    "name": "the name of this class or resource",
    "module_name": "the module of this code",
}
KEY_LINE = re.compile(r"(?P<quote>['\"]?)(?P<word>[\w:]*)\Z")
PARENTS = 20


def nothing(snapshot: Snapshot, asked: Asked, where: Where) -> Candidates:
    """Return no names."""
    return []


def spelled(name: str) -> str:
    """Return the name of a type as references have it: `Apache::Vhost`."""
    return SPELLED.get(name) or "::".join(part.capitalize() for part in name.split("::"))


def starting(snapshot: Snapshot, kind: str, word: str) -> list[str]:
    """Return the first names of a kind in the workspace that begin with a word, else have it."""
    return nsmallest(MOST + 1, matching(snapshot, kind, word))


def matching(snapshot: Snapshot, kind: str, word: str) -> list[str]:
    """Return all names of a kind in the workspace that begin with a word, else have it inside."""
    wanted = word.lower().removeprefix("::")
    names = [*snapshot.index.names(kind)]
    if not wanted:
        return names
    begin = [name for name in names if name.startswith(wanted)]
    return begin or [name for name in names if wanted in name]


def classes(snapshot: Snapshot, asked: Asked, where: Where) -> Candidates:
    """Return classes; those of the same module come first."""
    own = next((s.name for s in asked.facts.symbols if s.kind == "class"), "").partition("::")[0]
    return [
        Candidate(name, Kind.Class, "class", rank=name.partition("::")[0] != own,
                  ask=f"class {name}")
        for name in matching(snapshot, "class", where.word)
    ]  # fmt: skip


def titles(snapshot: Snapshot, asked: Asked, where: Where) -> Candidates:
    """Return the titles of the resources of a type that manifests declare."""
    here = {s.name for s in asked.facts.symbols if s.kind == "resource"}
    begin = f"{where.owner}["
    found = []
    for name in snapshot.index.names("resource"):
        if name.startswith(begin) and "$" not in name:
            title = name[len(begin) : -1]
            found.append(Candidate(title, Kind.Reference, spelled(where.owner),
                                   rank=name not in here, insert=f"'{title}'"))  # fmt: skip
    return found


def of_parameter(one: Parameter, rank: int, insert: str) -> Candidate:
    """Return an attribute."""
    kind = Kind.Field if one.type != "metaparameter" else Kind.Property
    detail = one.type or " | ".join(one.values)
    default = f" = {shortened(one.default)}" if one.default else ""
    return Candidate(one.name, kind, detail + default, one.text, rank, insert)


def metaparameter_candidates(
    given: Iterable[str], insert: str, *, of_class: bool = False
) -> Candidates:
    """Return the metaparameters that are not there yet."""
    return [
        of_parameter(Parameter(name, "metaparameter", text=text), 3, f"{name}{insert}")
        for name, text in metaparameters.MEANINGS.items()
        if name not in given and (name != "stage" or of_class)
    ]


def attributes(snapshot: Snapshot, asked: Asked, where: Where) -> Candidates:
    """Return the attributes of a type that are not there yet: required ones, others, all types'."""
    found = attributes_of(snapshot, where.owner, asked.path)
    declared = not any(one.type == "namevar" for one in found)
    rows = [
        of_parameter(one, rank_of(one, declared), f"{one.name} => ")
        for one in found
        if one.name not in where.given
    ]
    of_class = where.owner.startswith("class")
    return rows + metaparameter_candidates(where.given, " => ", of_class=of_class)


def rank_of(one: Parameter, declared: bool) -> int:
    """Return which attributes come first: required ones of a define or class, then `ensure`."""
    if declared:
        return 1 if one.default else 0
    return 0 if one.name == "ensure" else 2 if one.type == "namevar" else 1


def queried(snapshot: Snapshot, asked: Asked, where: Where) -> Candidates:
    """Return the attributes that a collector may ask for."""
    found = attributes_of(snapshot, where.owner, asked.path)
    rows = [of_parameter(one, 1, f"{one.name} == ") for one in found]
    extra = [Candidate("title", Kind.Field, "the title", insert="title == ")]
    return rows + extra + metaparameter_candidates((), " == ")


def values(snapshot: Snapshot, asked: Asked, where: Where) -> Candidates:
    """Return the values that an attribute takes, then expressions."""
    one = attribute_of(snapshot, where.owner, where.name, asked.path)
    found = [
        Candidate(value, Kind.EnumMember, where.name, rank=0)
        for value in (one.values if one else ())
    ]
    if where.name in metaparameters.RELATIONSHIPS:
        found += references(snapshot, asked, where)
    if where.quoted or where.word[:1].isupper():
        return found or data_types(snapshot, asked, where)
    return found + expressions(snapshot, asked, where)


def references(snapshot: Snapshot, asked: Asked, where: Where) -> Candidates:
    """Return the resources of this file, as references, and all types."""
    rows = [s.name for s in asked.facts.symbols if s.kind == "resource" and "$" not in s.name]
    found = []
    for name in rows:
        kind, _, title = name[:-1].partition("[")
        found.append(Candidate(f"{spelled(kind)}['{title}']", Kind.Reference, rank=0))
    return found + types_of_resources(snapshot, asked, where)


def types_of_resources(snapshot: Snapshot, asked: Asked, where: Where) -> Candidates:
    """Return the types of resources and defines as references have them."""
    names = resource_types(snapshot, asked, where)
    return [Candidate(spelled(one.label), Kind.Struct, one.detail, one.text, 1, ask=one.ask)
            for one in names]  # fmt: skip


def resource_types(snapshot: Snapshot, asked: Asked, where: Where) -> Candidates:
    """Return the types of resources and the defines, as declarations have them."""
    own = [
        Candidate(name, Kind.Struct, "type", text) for name, text in puppet_types.MEANINGS.items()
    ]
    ruby = [
        Candidate(name, Kind.Struct, "type", ask=f"type {name}")
        for name in starting(snapshot, "ruby type", where.word)
    ]
    defines = [
        Candidate(name, Kind.Struct, "define", ask=f"type {name}")
        for name in starting(snapshot, "define", where.word)
    ]
    return own + ruby + defines


def data_types(snapshot: Snapshot, asked: Asked, where: Where) -> Candidates:
    """Return data types, aliases, and the types of resources."""
    found = [
        Candidate(spelled(name), Kind.TypeParameter, "data type", rank=0) for name in DATA_TYPES
    ]
    found += [
        Candidate(spelled(name), Kind.TypeParameter, "type alias", ask=f"type {name}")
        for name in starting(snapshot, "type", where.word)
    ]
    found.append(Candidate("Class", Kind.Class, "reference", rank=0))
    return found + types_of_resources(snapshot, asked, where)


@cache
def own_functions() -> tuple[Candidate, ...]:
    """Return the functions of Puppet and stdlib."""
    return tuple(Candidate(name, Kind.Function, "function", ask=f"function {name}")
                 for name in functions.names())  # fmt: skip


def function_names(snapshot: Snapshot, asked: Asked, where: Where) -> Candidates:
    """Return functions: Puppet's, those of stdlib, and those in the workspace."""
    found = [*own_functions()]
    for kind in ("function", "ruby function"):
        found += [
            Candidate(name, Kind.Function, "function", ask=f"function {name}")
            for name in starting(snapshot, kind, where.word)
        ]
    return found


def expressions(snapshot: Snapshot, asked: Asked, where: Where) -> Candidates:
    """Return what may stand in an expression: functions, and values of the language."""
    words = [Candidate(word, Kind.Keyword) for word in ("true", "false", "undef")]
    return words + function_names(snapshot, asked, where)


def arguments(snapshot: Snapshot, asked: Asked, where: Where) -> Candidates:
    """Return what may be the argument of a function; nothing in a text."""
    return [] if where.quoted else expressions(snapshot, asked, where)


def statements(snapshot: Snapshot, asked: Asked, where: Where) -> Candidates:
    """Return what may begin a statement: types, defines, functions, keywords."""
    if where.quoted:
        return []
    words = [Candidate(word, Kind.Keyword) for word in KEYWORDS if word not in ("attr", "private")]
    found = resource_types(snapshot, asked, where) + function_names(snapshot, asked, where)
    return words + found


def keys(snapshot: Snapshot, asked: Asked, where: Where) -> Candidates:
    """Return the keys that data has."""
    found = starting(snapshot, "key", where.word)
    return [Candidate(name, Kind.Constant, "key of data", insert=f"'{name}'") for name in found]


def variables(snapshot: Snapshot, asked: Asked, where: Where) -> Candidates:
    """Return the variables in scope; of a class where its name is written: `$apache::port`."""
    scope, _, _ = where.word.rpartition("::")
    if scope:
        return of_class(snapshot, asked, scope.lower())
    found = in_scopes(snapshot, asked)
    if asked.facts.around(asked.start):
        found += [Candidate(name, Kind.Variable, text, rank=4) for name, text in INSIDE.items()]
    found += [Candidate(name, Kind.Variable, text, rank=4) for name, text in EVERYWHERE.items()]
    tops = starting(snapshot, "variable", where.word)
    return found + [Candidate(name, Kind.Variable, "of the top scope", rank=5) for name in tops]


def of_class(snapshot: Snapshot, asked: Asked, name: str) -> Candidates:
    """Return the variables of a class by their full names."""
    found = []
    for one in snapshot.find("class", name, asked.path):
        types_of = {p.name: p.type for p in definition_of(snapshot, one).parameters}
        for member in members(snapshot, one, ("parameter", "variable")):
            label = f"{name}::{member.symbol.name}"
            found.append(Candidate(label, Kind.Variable, types_of.get(member.symbol.name, "")))
    wider = starting(snapshot, "class", f"{name}::")
    return found + [Candidate(f"{one}::", Kind.Class, "class", rank=2) for one in wider]


def in_scopes(snapshot: Snapshot, asked: Asked) -> Candidates:
    """Return the variables that are declared around a place, the innermost first, and inherited."""
    facts = asked.facts
    around = facts.around(asked.start)
    found = []
    for symbol in facts.symbols:
        if symbol.kind in ("parameter", "variable") and symbol.within in (*around, -1):
            if symbol.start <= asked.start <= symbol.end:
                continue
            rank = around.index(symbol.within) if symbol.within in around else 3
            found.append(Candidate(symbol.name, Kind.Variable, symbol.kind, rank=min(rank, 2)))
    for number in around:
        if facts.symbols[number].kind == "class":
            parent = parent_of(facts, number)
            for name in ancestors(snapshot, parent, asked.path):
                found += [
                    one._replace(label=one.label.rpartition("::")[2], rank=3)
                    for one in of_class(snapshot, asked, name)
                    if one.kind is Kind.Variable
                ]
    return found


def ancestors(snapshot: Snapshot, name: str | None, path: str) -> list[str]:
    """Return a class and those that it inherits from."""
    found: list[str] = []
    while name is not None and name not in found and len(found) < PARENTS:
        found.append(name)
        above = next(iter(snapshot.find("class", name, path)), None)
        if above is None:
            break
        facts = snapshot.facts(above.path)
        name = parent_of(facts, facts.symbols.index(above.symbol))
    return found


def facts_below(snapshot: Snapshot, asked: Asked, where: Where) -> Candidates:
    """Return the names of facts below some keys, with their values on the systems that count."""
    found: dict[str, Candidate] = {}
    for world in worlds(snapshot, asked.path):
        level = fact(facts_of(world), [*where.given])
        for name, value in level.items() if isinstance(level, dict) else ():
            shown = "" if isinstance(value, dict | list) else f"{value} on {world}"
            insert = name if where.quoted else f"'{name}'"
            found.setdefault(name, Candidate(name, Kind.Property, shown, insert=insert))
    if not where.given:
        for name in snapshot.index.names("fact"):
            found.setdefault(name, Candidate(name, Kind.Property, "fact of a module"))
    return [*found.values()]


def of_data(snapshot: Snapshot, asked: Asked) -> tuple[Where, Candidates]:
    """Return the keys of data that set parameters: those of a class, or classes that go on."""
    begin = asked.text.rfind("\n", 0, asked.start) + 1
    line = KEY_LINE.fullmatch(asked.text[begin : asked.start])
    if line is None:
        return Where("nothing", start=asked.start), []
    word = line["word"]
    where = Where("key", word, asked.start - len(word), quoted=bool(line["quote"]))
    there = {s.name for s in asked.facts.symbols if s.kind == "key" and s.first != begin}
    end = "" if line["quote"] else ": "
    found = []
    for one in snapshot.find("class", word.rpartition("::")[0], asked.path):
        for p in definition_of(snapshot, one).parameters:
            label = f"{one.symbol.name}::{p.name}"
            if label not in there:
                default = f" = {shortened(p.default)}" if p.default else ""
                rank = 0 if p.required else 1
                found.append(Candidate(label, Kind.Field, (p.type or "Any") + default, p.text, rank,
                                       label + end))  # fmt: skip
    for name in starting(snapshot, "class", word):
        found.append(Candidate(f"{name}::", Kind.Class, "class", rank=2, ask=f"class {name}"))
    used = (name for kind, name in snapshot.index.used if kind == "key" and word in name)
    found += [Candidate(name, Kind.Field, "looked up", rank=1, insert=name + end)
              for name in used if name not in there]  # fmt: skip
    return where, found


CANDIDATES: dict[str, Callable[[Snapshot, Asked, Where], Candidates]] = {
    "argument": arguments,
    "attribute": attributes,
    "class": classes,
    "fact": facts_below,
    "function": function_names,
    "key": keys,
    "nothing": nothing,
    "query": queried,
    "resource type": resource_types,
    "statement": statements,
    "title": titles,
    "type": data_types,
    "value": values,
    "variable": variables,
}
