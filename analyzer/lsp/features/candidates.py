"""The names that complete each kind of place in a manifest, and keys of data."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace

from analyzer.frontends.puppet.syntax.lexing.tokens import KEYWORDS
from analyzer.lsp.features.offered import (
    USED,
    Candidate,
    Candidates,
    Kind,
    foreign,
    function_names,
    matching,
    starting,
)
from analyzer.lsp.features.offered_variables import facts_below, variables
from analyzer.lsp.index.manifest import DATA_TYPES
from analyzer.lsp.reference import metaparameters, puppet_types
from analyzer.lsp.reference.attributes import attribute_of, attributes_of
from analyzer.lsp.reference.cursor import Where
from analyzer.lsp.reference.definitions import DocumentedParameter, definition_of, shortened
from analyzer.lsp.state.snapshot import EditorRequest, Snapshot

# Data types that have more capital letters than the first.
SPELLED = {
    name.lower(): name
    for name in (
        *("CatalogEntry", "NotUndef", "RegexpScalar", "RichData", "ScalarData", "SemVer"),
        *("SemVerRange", "TypeSet"),
    )
}
KEY_LINE = re.compile(r"(?P<quote>['\"]?)(?P<word>[\w:]*)\Z")


def nothing(snapshot: Snapshot, asked: EditorRequest, where: Where) -> Candidates:
    """Return no names."""
    return []


def spelled(name: str) -> str:
    """Return the name of a type as in references: `Apache::Vhost`."""
    return SPELLED.get(name) or "::".join(part.capitalize() for part in name.split("::"))


def classes(snapshot: Snapshot, asked: EditorRequest, where: Where) -> Candidates:
    """Return classes; those of the same module come first."""
    own = next((s.name for s in asked.facts.symbols if s.kind == "class"), "").partition("::")[0]
    elsewhere = foreign(snapshot, asked, where, "class", ("class",))
    return [Candidate(name, Kind.Class, USED, rank=2) for name in elsewhere] + [
        Candidate(name, Kind.Class, "class", rank=name.partition("::")[0] != own,
                  ask=f"class {name}")
        for name in matching(snapshot.index.names("class"), where.word)
    ]  # fmt: skip


def titles(snapshot: Snapshot, asked: EditorRequest, where: Where) -> Candidates:
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


def of_parameter(one: DocumentedParameter, rank: int, insert: str) -> Candidate:
    """Return an attribute as a candidate."""
    kind = Kind.Field if one.type != "metaparameter" else Kind.Property
    detail = one.type or " | ".join(one.values)
    default = f" = {shortened(one.default)}" if one.default and one.type != USED else ""
    return Candidate(one.name, kind, detail + default, one.text, rank, insert)


def metaparameter_candidates(
    given: Iterable[str], insert: str, *, of_class: bool = False
) -> Candidates:
    """Return the metaparameters that are not given yet."""
    return [
        of_parameter(DocumentedParameter(name, "metaparameter", text=text), 3, f"{name}{insert}")
        for name, text in metaparameters.MEANINGS.items()
        if name not in given and (name != "stage" or of_class)
    ]


def attributes(snapshot: Snapshot, asked: EditorRequest, where: Where) -> Candidates:
    """Return the attributes that are not given yet: required ones, others, metaparameters."""
    found = attributes_of(snapshot, where.owner, asked.path) or elsewhere(snapshot, asked, where)
    declared = not any(one.type == "namevar" for one in found)
    rows = [
        of_parameter(one, rank_of(one, declared), f"{one.name} => ")
        for one in found
        if one.name not in where.given
    ]
    of_class = where.owner.startswith("class")
    return rows + metaparameter_candidates(where.given, " => ", of_class=of_class)


def elsewhere(
    snapshot: Snapshot, asked: EditorRequest, where: Where
) -> tuple[DocumentedParameter, ...]:
    """Return the attributes that manifests give to a type that no file declares."""
    begin = f"{where.owner}/"
    names = foreign(snapshot, asked, replace(where, word=begin + where.word), "attribute", ())
    return tuple(
        DocumentedParameter(name.removeprefix(begin), USED, "?")
        for name in names
        if name.startswith(begin)
    )


def rank_of(one: DocumentedParameter, declared: bool) -> int:
    """Return the rank of an attribute: required ones of a define or class first, or `ensure`."""
    if declared:
        return 1 if one.default else 0
    return 0 if one.name == "ensure" else 2 if one.type == "namevar" else 1


def queried(snapshot: Snapshot, asked: EditorRequest, where: Where) -> Candidates:
    """Return the attributes that a collector may query."""
    found = attributes_of(snapshot, where.owner, asked.path)
    rows = [of_parameter(one, 1, f"{one.name} == ") for one in found]
    extra = [Candidate("title", Kind.Field, "the title", insert="title == ")]
    return rows + extra + metaparameter_candidates((), " == ")


def values(snapshot: Snapshot, asked: EditorRequest, where: Where) -> Candidates:
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


def references(snapshot: Snapshot, asked: EditorRequest, where: Where) -> Candidates:
    """Return the resources of this file, as references, and all types."""
    rows = [s.name for s in asked.facts.symbols if s.kind == "resource" and "$" not in s.name]
    found = []
    for name in rows:
        kind, _, title = name[:-1].partition("[")
        found.append(Candidate(f"{spelled(kind)}['{title}']", Kind.Reference, rank=0))
    return found + types_of_resources(snapshot, asked, where)


def types_of_resources(snapshot: Snapshot, asked: EditorRequest, where: Where) -> Candidates:
    """Return the types of resources and defines as in references."""
    names = resource_types(snapshot, asked, where)
    return [one._replace(label=spelled(one.label)) for one in names]


def resource_types(snapshot: Snapshot, asked: EditorRequest, where: Where) -> Candidates:
    """Return the types of resources and the defines as in declarations."""
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
    found = own + ruby + defines
    for name in foreign(snapshot, asked, where, "type", ("define", "type", "ruby type")):
        if name not in puppet_types.MEANINGS and name not in DATA_TYPES and name != "class":
            found.append(Candidate(name, Kind.Struct, USED, rank=2))
    return found


def data_types(snapshot: Snapshot, asked: EditorRequest, where: Where) -> Candidates:
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


def expressions(snapshot: Snapshot, asked: EditorRequest, where: Where) -> Candidates:
    """Return the candidates in an expression: functions, and values of the language."""
    words = [Candidate(word, Kind.Keyword) for word in ("true", "false", "undef")]
    return words + function_names(snapshot, asked, where)


def arguments(snapshot: Snapshot, asked: EditorRequest, where: Where) -> Candidates:
    """Return the candidates for the argument of a function; none in a string."""
    return [] if where.quoted else expressions(snapshot, asked, where)


def statements(snapshot: Snapshot, asked: EditorRequest, where: Where) -> Candidates:
    """Return the candidates that begin a statement: types, defines, functions, keywords."""
    if where.quoted:
        return []
    words = [Candidate(word, Kind.Keyword) for word in KEYWORDS if word not in ("attr", "private")]
    found = resource_types(snapshot, asked, where) + function_names(snapshot, asked, where)
    return words + found


def keys(snapshot: Snapshot, asked: EditorRequest, where: Where) -> Candidates:
    """Return the keys in data."""
    found = starting(snapshot, "key", where.word)
    return [Candidate(name, Kind.Constant, "key of data", insert=f"'{name}'") for name in found]


def of_data(snapshot: Snapshot, asked: EditorRequest) -> tuple[Where, Candidates]:
    """Return the keys of data that set parameters of a class, or longer names of classes."""
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
    others = [(name, "looked up") for name in foreign(snapshot, asked, where, "key", ())]
    others += [(name, USED) for name in starting(snapshot, "key", word) if word]
    found += [
        Candidate(name, Kind.Field, how, rank=2, insert=name + end)
        for name, how in others
        if name not in there and name != word
    ]
    return where, found


CANDIDATES: dict[str, Callable[[Snapshot, EditorRequest, Where], Candidates]] = {
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
