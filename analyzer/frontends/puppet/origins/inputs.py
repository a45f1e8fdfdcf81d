"""The inputs that a test depends on: facts, parameters and data, and the literals on the way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from analyzer.frontends.puppet.origins.contributors import ANYTHING, Contributor
from analyzer.frontends.puppet.syntax import ast as a

# The ways in which a parameter got a value that others may give it.
OPEN = frozenset({"data", "default", "given", "nothing"})
# Literals that a value may be compared with on its way.
COMPARED = frozenset({
    a.LiteralBoolean, a.LiteralString, a.LiteralInteger, a.LiteralFloat, a.QualifiedName,
})  # fmt: skip
# The most contributors that are looked at for one test.
MOST = 2_000

# An input by its name, and the keys by which an element of it is used.
Input = tuple[str, tuple[str, ...]]


def inputs_of(
    contributors: Iterable[Contributor], around: Contributor | None = None
) -> Iterator[Input]:
    """Yield the inputs that values were computed from, the nearest first.

    What decided that the test itself is evaluated (`around`) is left out.
    """
    skipped = set(outwards(around))
    found: dict[Input, None] = {}
    for one, path in steps(contributors, skipped):
        name = input_at(one)
        # A function on the way may have put the value where the keys are used.
        for end in range(len(path), -1, -1) if name else ():
            found[name, path[:end]] = None
    yield from found


def input_at(one: Contributor) -> str:
    """Return the input that a contributor is, empty if it is none."""
    if one.kind == "fact":
        return one.name
    if one.kind == "parameter" and one.value in OPEN:
        return one.name.removeprefix("$")
    if one.kind == "lookup":
        return f"lookup::{one.name}"
    return ""


def steps(
    contributors: Iterable[Contributor], skipped: set[Contributor]
) -> Iterator[tuple[Contributor, tuple[str, ...]]]:
    """Yield contributors from the nearest to the farthest, each with the keys of its element."""
    pending: list[tuple[Contributor, tuple[str, ...]]] = [(one, ()) for one in contributors]
    seen = set(pending)
    for one, path in pending:
        yield one, path
        if len(pending) > MOST:
            return
        inner = (one.name, *path) if one.kind == "element" else path
        if one.kind in ("condition", "loop", "class", "resource"):
            inner = ()
        following = [(other, inner) for other in one.inner]
        following += [(one.around, ())] if one.around is not None else []
        for step in following:
            if step not in seen and step[0] not in skipped:
                seen.add(step)
                pending.append(step)


def outwards(around: Contributor | None) -> Iterator[Contributor]:
    """Yield the constructs around a place, from the inside."""
    while around is not None:
        yield around
        around = around.around


def depends_on_anything(contributors: Iterable[Contributor]) -> bool:
    """Return whether a test depends on what else is declared."""
    return any(one is ANYTHING for one, _ in steps(contributors, set()))


def literals_of(contributors: Iterable[Contributor]) -> Iterator[Any]:
    """Yield the values of the literals that take part, which tests may compare with."""
    for one, _ in steps(contributors, set()):
        if one.kind == "literal" and type(one.value) in COMPARED:
            value = getattr(one.value, "value", None)
            yield value
            if isinstance(value, bool):
                yield not value


def segments_of(contributors: Iterable[Contributor]) -> Iterator[str]:
    """Yield the texts around the values that are put into a text."""
    for segments in texts_of(contributors):
        yield from (part for part in segments if isinstance(part, str) and part)


def texts_of(contributors: Iterable[Contributor]) -> Iterator[list[Any]]:
    """Yield the parts of each text that values are put into: texts, and the nodes between them."""
    for one, _ in steps(contributors, set()):
        if one.kind == "literal" and type(one.value) is a.ConcatenatedString:
            yield [p.value if type(p) is a.LiteralString else p for p in one.value.segments]
