"""Makes near-programs out of programs: tokens taken away, doubled, swapped, put in."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from random import Random

TOKEN = re.compile(
    r"""\s+ | \#[^\n]* | \$(?:::)?\w+(?:::\w+)* | (?:::)?\w+(?:::\w+)*
    | <<\||\|>>|<\||\|>|<%-|<%=|<%\#|<%|-%>|%>|->|~>|<-|<~|=>|\+>|==|!=|=~|!~|<=|>=|<<|>>|@@|@\(
    | \$\{ | \\. | .""",
    re.VERBOSE | re.DOTALL,
)
INSERTED = r"""
{ } [ ] ( ) ' " | || , ; : :: . ? = == => +> += -= + - * / % ! != =~ !~ ~ ~> -> <- <~ < <= << <| |>
<<| |>> > >= >> @ @@ @( ${ $ \ # /* */ % %> -%> <% <%= if elsif else unless case class define node
default function type plan inherits and or in undef true false include notice x x::y ::x X X::Y $x
$x::y $_ 1 0x1F 017 08 1.5 1e3 'a' "a" "${x}" /a/ File['a'] x-y _x é
"""
WORDS = INSERTED.split()
SPACES = ("", " ", "\n", "\t", "\r\n", "\n\n")
BRACKETS = {"{": "[(", "}": "])", "[": "{(", "]": "})", "(": "[{", ")": "]}", "'": '"/', '"': "'/"}

Tokens = list[str]


def delete(tokens: Tokens, at: int, random: Random) -> None:
    del tokens[at : at + random.choice((1, 1, 1, 2, 4))]


def duplicate(tokens: Tokens, at: int, random: Random) -> None:
    tokens[at:at] = tokens[at : at + random.choice((1, 1, 3, 10))]


def swap(tokens: Tokens, at: int, random: Random) -> None:
    other = min(len(tokens) - 1, at + random.randint(1, 4))
    tokens[at], tokens[other] = tokens[other], tokens[at]


def insert(tokens: Tokens, at: int, random: Random) -> None:
    tokens[at:at] = [random.choice(("", " ")), random.choice(WORDS), random.choice(("", " "))]


def replace(tokens: Tokens, at: int, random: Random) -> None:
    tokens[at] = random.choice(WORDS)


def cut(tokens: Tokens, at: int, random: Random) -> None:
    del tokens[at:]


def bracket(tokens: Tokens, at: int, random: Random) -> None:
    places = [i for i, token in enumerate(tokens) if token in BRACKETS]
    if places:
        chosen = random.choice(places)
        tokens[chosen] = random.choice(BRACKETS[tokens[chosen]])


def space(tokens: Tokens, at: int, random: Random) -> None:
    places = [i for i, token in enumerate(tokens) if token.isspace()]
    if places:
        tokens[random.choice(places)] = random.choice(SPACES)


def move(tokens: Tokens, at: int, random: Random) -> None:
    length = random.randint(1, 5)
    moved = tokens[at : at + length]
    del tokens[at : at + length]
    to = random.randint(0, len(tokens))
    tokens[to:to] = moved


MUTATIONS: Sequence[Callable[[Tokens, int, Random], None]] = (
    *(delete, duplicate, swap, insert, insert, replace, replace, cut, bracket, space, move),
)


def mutant(text: str, random: Random) -> str:
    """The text with one to three mutations."""
    tokens = TOKEN.findall(text)
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        if not tokens:
            break
        random.choice(MUTATIONS)(tokens, random.randrange(len(tokens)), random)
    return "".join(tokens)


def mutants(texts: Sequence[tuple[str, bool]], count: int, seed: int) -> Iterator[tuple[str, bool]]:
    """Mutants of texts (with whether they are templates), the same ones for the same seed."""
    random = Random(seed)
    for _ in range(count):
        text, epp = random.choice(texts)
        yield mutant(text, random), epp


def snippets(text: str, longest: int = 2000) -> list[str]:
    """The parts of a manifest between empty lines, joined up to a length."""
    parts: list[str] = []
    for part in re.split(r"\n\s*\n", text):
        if parts and len(parts[-1]) + len(part) < longest:
            parts[-1] += "\n\n" + part
        else:
            parts.append(part)
    return [part for part in parts if len(part) <= longest]
