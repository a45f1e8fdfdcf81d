"""The variables and facts that complete a word."""

from __future__ import annotations

from analyzer.lsp.features.offered import (
    Candidate,
    Candidates,
    Kind,
    function_names,
    starting,
)
from analyzer.lsp.reference.cursor import Where
from analyzer.lsp.reference.definitions import definition_of, members
from analyzer.lsp.reference.values import fact, facts_of, worlds
from analyzer.lsp.state.snapshot import EditorRequest, Snapshot, parent_of

# The most ancestors of a class that are searched.
PARENTS = 20
EVERYWHERE = {
    "facts": "the facts of the node",
    "trusted": "what the node's certificate says",
    "server_facts": "the server that compiles",
    "environment": "the name of the environment",
    "clientcert": "the name of the node in its certificate",
    "clientversion": "the version of the agent",
    "servername": "the name of the server",
    "serverip": "the address of the server",
    "serverversion": "the version of the server",
}
INSIDE = {
    "title": "the title of this class or resource",
    "name": "the name of this class or resource",
    "module_name": "the module of this code",
}


def variables(snapshot: Snapshot, asked: EditorRequest, where: Where) -> Candidates:
    """Return the variables in scope, or those of a class after its name: `$apache::port`."""
    scope, _, _ = where.word.rpartition("::")
    if scope:
        return of_class(snapshot, asked, scope.lower())
    found = in_scopes(snapshot, asked)
    if asked.facts.around(asked.start):
        found += [Candidate(name, Kind.Variable, text, rank=4) for name, text in INSIDE.items()]
    found += [Candidate(name, Kind.Variable, text, rank=4) for name, text in EVERYWHERE.items()]
    if where.word:
        found += [Candidate(f"{name}::", Kind.Class, "class", rank=6)
                  for name in starting(snapshot, "class", where.word)]  # fmt: skip
    if where.name:
        names = function_names(snapshot, asked, where)
        found += [one._replace(rank=7, insert=f"{one.label}(") for one in names]
    tops = starting(snapshot, "variable", where.word)
    return found + [Candidate(name, Kind.Variable, "of the top scope", rank=5) for name in tops]


def of_class(snapshot: Snapshot, asked: EditorRequest, name: str) -> Candidates:
    """Return the variables of a class by their full names."""
    found = []
    for one in snapshot.find("class", name, asked.path):
        types_of = {p.name: p.type for p in definition_of(snapshot, one).parameters}
        for member in members(snapshot, one, ("parameter", "variable")):
            label = f"{name}::{member.symbol.name}"
            found.append(Candidate(label, Kind.Variable, types_of.get(member.symbol.name, "")))
    wider = starting(snapshot, "class", f"{name}::")
    return found + [Candidate(f"{one}::", Kind.Class, "class", rank=2) for one in wider]


def in_scopes(snapshot: Snapshot, asked: EditorRequest) -> Candidates:
    """Return the variables declared around a place, the innermost first, then inherited ones."""
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
    """Return a class and its ancestors."""
    found: list[str] = []
    while name is not None and name not in found and len(found) < PARENTS:
        found.append(name)
        above = next(iter(snapshot.find("class", name, path)), None)
        if above is None:
            break
        facts = snapshot.facts(above.path)
        name = parent_of(facts, facts.symbols.index(above.symbol))
    return found


def facts_below(snapshot: Snapshot, asked: EditorRequest, where: Where) -> Candidates:
    """Return the names of facts below some keys, with their values on the selected systems."""
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
