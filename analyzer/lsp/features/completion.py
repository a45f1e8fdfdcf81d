"""Completion: the names that may be written at a place, required names first.

`candidates` has a function for each kind of place. Slow parts are in `resolve`, which an editor
requests for one item.
"""

from __future__ import annotations

from lsprotocol import types

from analyzer.lsp.features.candidates import CANDIDATES, of_data
from analyzer.lsp.features.offered import MOST, Candidate
from analyzer.lsp.reference import attributes, functions
from analyzer.lsp.reference.cursor import Where, place_at
from analyzer.lsp.reference.definitions import definition_of
from analyzer.lsp.reference.documentation import fenced
from analyzer.lsp.state.snapshot import EditorRequest, Snapshot


def answer(snapshot: Snapshot, asked: EditorRequest) -> types.CompletionList:
    """Return the names that fit, none if nothing is known."""
    if asked.path.endswith((".yaml", ".yml", ".eyaml")):
        where, found = of_data(snapshot, asked)
    else:
        where = place_at(asked.text, asked.start, epp=asked.path.endswith(".epp"))
        found = CANDIDATES[where.kind](snapshot, asked, where)
    fitting = fitting_in(found, where.word)
    kept = sorted(fitting, key=lambda one: (one.rank, one.label))[: MOST + 1]
    place = snapshot.range(asked.path, where.start, asked.start)
    items = [item(one, where, place, asked.path) for one in kept[:MOST]]
    return types.CompletionList(len(kept) > MOST, items)


def fitting_in(found: list[Candidate], word: str) -> list[Candidate]:
    """Return the candidates that begin with a word, else those that contain it; each once."""
    wanted = word.lower().removeprefix("::")
    rows = {one.label: one for one in reversed(found)}.values()
    begin = [one for one in rows if one.label.lower().lstrip("'$").startswith(wanted)]
    return begin or [one for one in rows if wanted in one.label.lower()]


def item(one: Candidate, where: Where, place: types.Range, path: str) -> types.CompletionItem:
    """Return a candidate as the protocol represents it."""
    written = one.insert or one.label
    if where.quoted:
        written = one.label.strip("'")
    return types.CompletionItem(
        label=one.label,
        kind=one.kind,
        detail=one.detail or None,
        documentation=markup(one.text) if one.text else None,
        sort_text=f"{one.rank}{one.label}",
        filter_text=one.label.strip("'") if where.quoted else None,
        text_edit=types.TextEdit(place, written),
        data=f"{one.ask}|{path}" if one.ask else None,
    )


def markup(text: str) -> types.MarkupContent:
    """Return a text as Markdown."""
    return types.MarkupContent(types.MarkupKind.Markdown, text)


def resolve(snapshot: Snapshot, asked: EditorRequest) -> types.CompletionItem:
    """Return an item with its documentation."""
    found: types.CompletionItem = asked.params
    data = getattr(found, "data", None)
    ask, _, path = str(data or "").partition("|")
    kind, _, name = ask.rpartition(" ")
    text = documentation(snapshot, kind, name, path)
    if text:
        found.documentation = markup(text)
    return found


def documentation(snapshot: Snapshot, kind: str, name: str, path: str) -> str:
    """Return the documentation of a function, a class, a define or a type."""
    if kind == "function":
        function = functions.function_of(snapshot, name, path)
        heads = "\n".join(function.heads) if function is not None else ""
        return f"{fenced(heads)}\n\n{function.text}" if function is not None else ""
    for found in snapshot.find(kind, name, path):
        if found.symbol.kind != "ruby type":
            definition = definition_of(snapshot, found)
            return f"{fenced(definition.head)}\n\n{definition.comment.markdown()}".strip()
    return attributes.meaning_of(snapshot, name, path)
