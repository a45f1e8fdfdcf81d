"""Completion in policies: types, attributes, bodies, bundles, values of a range, functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from lsprotocol import types

from analyzer.frontends.cfengine.policy.normal_order import RUNNING
from analyzer.frontends.cfengine.syntax.vocabulary import (
    BUNDLE_TYPES,
    REMOVED,
    Attribute,
    Attributes,
    syntax,
)
from analyzer.lsp.index.policy import value_kind
from analyzer.lsp.languages.policy_place import PolicyPlace, place_at
from analyzer.lsp.state.snapshot import EditorRequest, Snapshot

Kind = types.CompletionItemKind

# A word, its kind, and a remark.
Word = tuple[str, types.CompletionItemKind, str]
# The remark on attributes of all types of promises, which come after those of the type itself.
COMMON = "of all promises"


def answer(snapshot: Snapshot, asked: EditorRequest) -> types.CompletionList:
    """Return the words that may be written at a position."""
    place = place_at(asked.text, asked.start)
    find = WORDS.get(place.expects)
    there = snapshot.range(asked.path, place.start, asked.start)
    rows = find(snapshot, place) if find else ()
    fitting = {word: (word, kind, text) for word, kind, text in rows if word.startswith(place.word)}
    items = [
        types.CompletionItem(
            label=word,
            kind=kind,
            detail=text or None,
            sort_text=f"{int(text.endswith(COMMON))}{word}",
            text_edit=types.TextEdit(there, word),
        )
        for word, kind, text in fitting.values()
    ]
    return types.CompletionList(False, sorted(items, key=lambda one: one.sort_text or ""))


def blocks(snapshot: Snapshot, place: PolicyPlace) -> Iterator[Word]:
    """Yield the kinds of blocks in a file."""
    return ((word, Kind.Keyword, "") for word in ("bundle", "body"))


def block_types(snapshot: Snapshot, place: PolicyPlace) -> Iterator[Word]:
    """Yield the types of bundles, or of bodies."""
    known = BUNDLE_TYPES if place.block == "bundle" else syntax().bodies
    return ((word, Kind.Class, f"{place.block} type") for word in sorted(known))


def promise_types(snapshot: Snapshot, place: PolicyPlace) -> Iterator[Word]:
    """Yield the types of promises of a bundle, in their order of evaluation."""
    order = RUNNING.get(place.type, "").split()
    known = {kind for of, kind in syntax().promises if of in (place.type, "*") and kind != "*"}
    for word in sorted(known, key=lambda one: (one not in order, one)):
        turn = f", {order.index(word) + 1} of {len(order)} in a pass" if word in order else ""
        yield f"{word}:", Kind.Class, f"promise type{turn}"


def attributes(snapshot: Snapshot, place: PolicyPlace) -> Iterator[Word]:
    """Yield the attributes of a promise, its own first."""
    tables = syntax()
    yield from described(tables.promise_type(place.type, place.section) or {})
    for word, kind, text in described(tables.promises["*", "*"]):
        yield word, kind, f"{text}, {COMMON}"


def body_attributes(snapshot: Snapshot, place: PolicyPlace) -> Iterator[Word]:
    """Yield the attributes of a body."""
    return described(syntax().bodies.get(place.type, {}))


def described(rows: Attributes) -> Iterator[Word]:
    """Yield attributes with their types."""
    for name, row in rows.items():
        if row is not REMOVED:
            yield name, Kind.Property, row.type + (f" {row.range}" if row.type == "option" else "")


def values(snapshot: Snapshot, place: PolicyPlace) -> Iterator[Word]:
    """Yield bodies, bundles, words of a range, or functions."""
    kind = value_kind(place.attribute)
    row = attribute_at(place)
    if kind == "bundle":
        yield from ((name, Kind.Function, "bundle") for name in snapshot.index.names("bundle"))
    elif kind == "body":
        of = place.type if place.attribute == "inherit_from" else place.attribute
        for name in snapshot.index.names("body"):
            body, _, title = name.partition("/")
            if body == of:
                yield title, Kind.Struct, f"body {body}"
    elif row is not None and row.type == "option":
        yield from ((f'"{word}"', Kind.EnumMember, "") for word in row.range.split(","))
    else:
        for name, returned in sorted(syntax().functions.items()):
            yield name, Kind.Function, f"function, returns {returned}"


def attribute_at(place: PolicyPlace) -> Attribute | None:
    """Return the type of the attribute whose value is at a place."""
    if place.block == "body":
        return syntax().bodies.get(place.type, {}).get(place.attribute)
    return syntax().known_attribute(place.type, place.section, place.attribute)


WORDS: dict[str, Callable[[Snapshot, PolicyPlace], Iterator[Word]]] = {
    "attribute": attributes,
    "block": blocks,
    "block type": block_types,
    "body attribute": body_attributes,
    "body value": values,
    "promise": promise_types,
    "value": values,
}
