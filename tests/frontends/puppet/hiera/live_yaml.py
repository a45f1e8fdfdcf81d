"""Compares how YAML is read with Ruby's Psych, on documents made at random."""

from __future__ import annotations

import argparse
import json
import sys
from random import Random
from typing import Any

from analyzer.formats.yaml_reader import YamlError, load
from tests.oracle.harness import HOW_TO_INSTALL, installed

from .harness import ask
from .ours import plain

CHARACTERS = "0123456789___,,..::--++eExXbBoinfaNyYtTuUrRsSlLZ~!@ :'\"#&*"
_WORDS = (
    "yes no on off true false y n Yes NO On tRue null Null ~ .inf -.INF +.inf .nan 0x1F 0b101 017"
    " 08 0o17 1_000 1,000 1e3 1.5e3 1.5e+3 1. .5 . 1:30 1:30:30 1:30.5 2001-01-01 2001-1-1T1:1:1"
    " :sym :'q' :\"q\" :default <<"
)
_TAGS = (
    "!!str !!int !!float ! !foo !ruby/sym !ruby/object:Foo !ruby/regexp !!null !!set !omap !str:X"
    " !!bool &a *a"
)
WORDS = _WORDS.split()
TAGS = _TAGS.split()
PIECES = (
    *("a: 1\n", "  b: 2\n", "- x\n", "{", "}", "[", "]", "<<: *x\n", "x: &x {p: 1, q: 2}\n"),
    *("y: &y [{p: 2},{r: 3}]\n", "<<: [*x, {p: 9}]\n", "<<: *y\n", "<<:\n  z: 1\n", "p: 5\n"),
    *(": ", "? ", "|\n", "'", '"', "\t", "# c\n", "--- ", "...\n", "\n", "%", "@", "`", "&z "),
    *("*z ", "!!x ", ",", "a", "é", "\u2028", "\x07", "!!set {a}\n", "!ruby/struct:F {a: 1}\n"),
    *("!!omap [a: 1]\n", "!ruby/object:Hash {a: 1}\n", "'<<': {q: 4}\n", "!!str <<: {q: 4}\n"),
)


def document(random: Random) -> str:
    """A document, often a broken one."""
    chance = random.random()
    if chance < 0.6:
        return f"a: {scalar(random)}"
    if chance < 0.7:
        return f"- {scalar(random)}\n- {scalar(random)}"
    if chance < 0.8:
        return f"{scalar(random)}: {scalar(random)}\n{scalar(random)}: 1"
    return "".join(random.choice(PIECES) for _ in range(random.randrange(1, 7)))


def scalar(random: Random) -> str:
    """A scalar, a word with a character changed, or a few characters."""
    chance = random.random()
    if chance < 0.3:
        return random.choice(WORDS)
    if chance < 0.5:
        word = list(random.choice(WORDS))
        word[random.randrange(len(word))] = random.choice(CHARACTERS)
        return "".join(word)
    if chance < 0.6:
        return f"{random.choice(TAGS)} {random.choice(WORDS)}"
    return "".join(random.choice(CHARACTERS) for _ in range(random.randrange(1, 7)))


def ours(text: str) -> Any:
    """What we make of a document, as the harness says it."""
    try:
        return {"value": plain(load(text, "/f.yaml"))}
    except YamlError as error:
        return {"error": str(error)}


def main(arguments: list[str] | None = None) -> int:
    """Exit code 0 agree or skipped, 1 differ."""
    parser = argparse.ArgumentParser(prog="python -m tests.frontends.puppet.hiera.live_yaml")
    parser.add_argument("--documents", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=10, help="differences to print")
    options = parser.parse_args(arguments)
    if installed() is None:
        print(HOW_TO_INSTALL, file=sys.stderr)
        return 0
    random = Random(options.seed)
    texts = [document(random) for _ in range(options.documents)]
    answer = next(ask([{"id": "yaml", "yaml": texts}]))
    pairs = [
        (text, theirs, ours(text)) for text, theirs in zip(texts, answer["results"], strict=True)
    ]
    # The order of keys counts.
    differing = [pair for pair in pairs if json.dumps(pair[1]) != json.dumps(pair[2])]
    for text, theirs, own in differing[: options.show]:
        print(f"{text!r}\n  Psych {theirs}\n  ours  {own}")
    print(f"{len(texts)} documents, {len(texts) - len(differing)} equal")
    return int(bool(differing))


if __name__ == "__main__":
    sys.exit(main())
