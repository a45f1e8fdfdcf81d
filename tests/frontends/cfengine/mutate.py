"""Policies with one change each: a piece left out, doubled, moved or put in."""

from __future__ import annotations

import random
import re

TOKEN = re.compile(r"\s+|#[^\n]*|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|[\w:]+|=>|->|.", re.S)
INSERTED: list[str] = [
    *"{}(),;!\"'`\\x#0.é\t\n ",
    "=>",
    "->",
    "::",
    "a::",
    "any:",
    "bundle",
    "body",
]
INSERTED = [*INSERTED, "$(x)", "@(y)", "@if", "@endif"]


def mutated(text: str, chance: random.Random) -> str:
    pieces: list[str] = TOKEN.findall(text)
    if not pieces:
        return str(chance.choice(INSERTED))
    place = chance.randrange(len(pieces))
    other = chance.randrange(len(pieces))
    what = chance.randrange(5)
    if what == 0:
        del pieces[place]
    elif what == 1:
        pieces.insert(place, pieces[place])
    elif what == 2:
        pieces[place], pieces[other] = pieces[other], pieces[place]
    elif what == 3:
        pieces.insert(place, chance.choice(INSERTED))
    else:
        whole = "".join(pieces)
        cut = chance.randrange(len(whole))
        return whole[:cut] + whole[cut + 1 :]
    return "".join(pieces)
