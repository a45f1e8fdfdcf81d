"""Finds the variables that a template in Ruby may change, by its text alone.

A template gets the very arrays and hashes that variables hold, and may add to them or delete from
them: where it is not run, they are Unknown from then on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from analyzer.frontends.puppet.compiler.declared.compilation import CallSite
from analyzer.frontends.puppet.evaluate.scope import Scope
from analyzer.model.values import Unknown, Value
from analyzer.pattern import pattern

CODE = pattern(r"<%(?![%#])[-=]?(.*?)-?%>", re.DOTALL)

# What names a variable: `@name`, `scope['name']`, `scope.lookupvar('name')`.
VARIABLE = pattern(r"@(\w+)|\bscope(?:\[|\.lookupvar\(?)\s*:?['\"]?(?:::)?([\w:]+)['\"]?[\])]?")

# What follows a name where it stands for the object itself, and is not asked for something.
BARE = r"(?=\s*(?:$|[\n;)?]|\|\||&&|if\b|unless\b))"

# What a name is assigned to stands right before it.
ASSIGNED = pattern(r"\b([a-z_]\w*)\s*(?:\|\|)?=\s*\Z")

# Blocks are given the elements, which are the variable's own, too.
BLOCK = r"(?:\.\w+[?!]?(?:\([^()]*\))?)*\s*(?:do|\{)\s*\|([^|]*)\|"

# How far before a name the local variable may stand that it is assigned to.
REACH = 200

# Methods that change what they are called on, besides those that end in `!`.
METHODS = {"delete", "delete_at", "delete_if", "fill", "keep_if", "pop", "push", "shift", "store"}
METHODS |= {"append", "unshift", "update"}
TEXT_METHODS = {"clear", "concat", "insert", "prepend", "replace"}

CHANGES = pattern(
    r"(?:\[[^\]]*\])*(?:\s*(?P<text><<)|\.(?P<method>\w+)(?P<bang>!?)(?![\w?])|\[[^\]]*\]\s*"
    r"(?:\|\||&&|[-+*/|&])?=(?![=~>]))"
)


@lru_cache(maxsize=1024)
def changed_by(text: str) -> Mapping[str, bool]:
    """Return the variables that a template may change, and whether it would change a text, too."""
    code = "\n".join(CODE.findall(text))
    found: dict[str, bool] = {}
    for name, end in places(code):
        change = CHANGES.match(code, end)
        if change is None:
            continue
        method = change["method"]
        texts = bool(change["text"] or change["bang"] or method in TEXT_METHODS)
        if method is None or texts or method in METHODS:
            found[name] = found.get(name, False) or texts
    return found


def places(code: str) -> Iterator[tuple[str, int]]:
    """Yield the variables, with where each of their names in Ruby ends, those of locals too."""
    pending = [
        (match[1] or match[2], match.end(), match.start()) for match in VARIABLE.finditer(code)
    ]
    seen = set()
    while pending:
        name, end, start = pending.pop()
        yield name, end
        for local in locals_of(code, start, end):
            if (name, local) not in seen:
                seen.add((name, local))
                uses = re.finditer(rf"(?<![\w@.:'\"$]){local}\b(?!\s*=[^=~])", code)
                pending += [(name, use.end(), use.start()) for use in uses]


def locals_of(code: str, start: int, end: int) -> list[str]:
    """Return the local variables that are given the object named at a place, or its elements."""
    if re.compile(BARE, re.MULTILINE).match(code, end):
        assigned = ASSIGNED.search(code[max(0, start - REACH) : start])
        return [assigned[1]] if assigned else []
    block = re.compile(BLOCK).match(code, end)
    return re.findall(r"[a-z_]\w*", block[1]) if block else []


def make_unknown(site: CallSite, text: str, reason: str) -> None:
    """Make the variables Unknown that a template which is not run may change."""
    for name, texts in changed_by(text).items():
        owner = scope_of(site, name)
        bare = name.rpartition("::")[2]
        if owner is None:
            continue
        value = owner.find(bare)
        if isinstance(value, (list, dict)) or (texts and isinstance(value, str)):
            replace(owner, value, Unknown(reason, is_text=isinstance(value, str)))


def scope_of(site: CallSite, name: str) -> Scope | None:
    """Return the scope that has a variable, None if none has."""
    owner, _, bare = name.rpartition("::")
    scope = site.compilation.class_scopes.get(owner) if owner else site.scope
    while scope is not None and not any(bare in frame for frame in scope.frames):
        scope = scope.enclosing
    return scope


def replace(scope: Scope, value: Value, by: Unknown) -> None:
    """Put an Unknown for an object: in variables, and in the resource that gave it to them."""
    tables = [*scope.frames]
    if scope.resource is not None and scope.resource.own_scope is scope:
        tables.append(scope.resource.parameters)
    for table in tables:
        for name, one in list(table.items()):
            if one is value:
                table[name] = by
