"""Hover in policies: attributes, types, functions, bundles, and a promise's turn in the run."""

from __future__ import annotations

from dataclasses import replace

from lsprotocol import types

from analyzer.escape import shown
from analyzer.frontends.cfengine.policy.normal_order import RUNNING
from analyzer.frontends.cfengine.syntax.lexer import Token
from analyzer.frontends.cfengine.syntax.vocabulary import syntax
from analyzer.lsp.index.facts import IndexedSymbol
from analyzer.lsp.index.policy import tokens_of
from analyzer.lsp.languages.policy_completion import attribute_at
from analyzer.lsp.languages.policy_place import place_at
from analyzer.lsp.state.snapshot import EditorRequest, FoundSymbol, Snapshot
from analyzer.source import place_of

# Bundles are evaluated in up to three passes (EvaluateBundles in cf-agent).
PASSES = 3
# The most edges of a promise that are shown.
MOST = 8


def answer(snapshot: Snapshot, asked: EditorRequest) -> types.Hover | None:
    """Return the hover of the word at a position, None if there is none."""
    use = asked.facts.use_at(asked.start)
    if use is not None and (found := snapshot.meaning(asked.path, use)):
        return made(snapshot, asked.path, described(snapshot, found[0]), use.start, use.end)
    symbol = asked.facts.symbol_at(asked.start)
    if symbol is not None:
        text = turn(snapshot, asked.path, symbol) or described(
            snapshot, FoundSymbol(asked.path, symbol)
        )
        return made(snapshot, asked.path, text, symbol.start, symbol.end)
    token = token_at(asked.text, asked.start)
    text = word(asked.text, token) if token is not None else ""
    if token is None or not text:
        return None
    return made(snapshot, asked.path, text, token.offset, token.offset + len(token.text))


def made(snapshot: Snapshot, path: str, text: str, start: int, end: int) -> types.Hover:
    """Return a hover."""
    contents = types.MarkupContent(types.MarkupKind.Markdown, text)
    return types.Hover(contents, snapshot.range(path, start, end))


def token_at(text: str, offset: int) -> Token | None:
    """Return the word at an offset."""
    tokens = (one for one in tokens_of(text) if one.kind in ("NAME", "TYPE"))
    return next((one for one in tokens if 0 <= offset - one.offset <= len(one.text)), None)


def word(text: str, token: Token) -> str:
    """Return the entry of a word in CFEngine's tables: a type, an attribute or a function."""
    place = place_at(text, token.offset)
    if token.kind == "TYPE":
        return promise_type(place.type, token.text[:-1])
    behind = place_at(text, token.offset + len(token.text) + 1)
    if place.expects.endswith("attribute") and not place.attribute:
        row = attribute_at(replace(behind, attribute=token.text))
        limits = f"\n\n`{row.range}`" if row is not None and row.range else ""
        return f"**{token.text}**: {row.type}{limits}" if row is not None else ""
    returned = syntax().functions.get(token.text)
    return f"**{token.text}**(...): function, returns {returned}" if returned else ""


def promise_type(bundle: str, kind: str) -> str:
    """Return the place of a type in a pass over a bundle."""
    order = RUNNING.get(bundle, "").split()
    if kind not in order:
        return f"**{kind}**: promise type"
    rows = " → ".join(f"**{one}**" if one == kind else one for one in order)
    return (
        f"**{kind}** promises: {order.index(kind) + 1} of {len(order)} in each of up to {PASSES} "
        f"passes over a bundle of type {bundle}\n\n{rows}"
    )


def described(snapshot: Snapshot, found: FoundSymbol) -> str:
    """Return the head of a declaration, with its place."""
    text, symbol = snapshot.text(found.path), found.symbol
    end = text.find("\n", symbol.first)
    head = text[symbol.first : end if end >= 0 else len(text)].strip()
    place = f"{found.path.rpartition('/')[2]}:{place_of(text, symbol.start)[0]}"
    return f"```cfengine3\n{shown(head)}\n```\n\n{place}"


def turn(snapshot: Snapshot, path: str, symbol: IndexedSymbol) -> str:
    """Return the place of a promise in the simulated run, and its dependencies."""
    if symbol.kind not in ("promise", "policy class", "policy variable"):
        return ""
    line = place_of(snapshot.text(path), symbol.start)[0]
    rows: list[str] = []
    for picture in snapshot.pictures.get(path, ()):
        for ref in picture.at(path, line):
            number = picture.order.index(ref) + 1
            rows.append(f"**{shown(ref)}**: {number} of {len(picture.order)} in the simulated run")
            rows += [
                f"- after {shown(str(edge.source))}: {shown(str(edge.origin))}"
                for edge in picture.before(ref)[:MOST]
            ]
    text = "\n\n".join(rows)
    for root in snapshot.roots:
        text = text.replace(f"{root}/", "")
    return text
