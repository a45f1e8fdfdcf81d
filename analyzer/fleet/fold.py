"""Folding: what differs between nodes and is no difference: their names, and environments."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

# What stands for the certificate name of a node, and for the first label of it. A noncharacter
# begins them, so that no title holds them.
NODE, HOST = "\ufdd2node\ufdd3", "\ufdd2host\ufdd3"

# A shorter first label is part of too many words.
SHORTEST = 3


@lru_cache(maxsize=256)
def pattern_of(name: str) -> re.Pattern[str] | None:
    """Return the pattern of a node's names in a title, None if it has none that stands out."""
    host, dot, _ = name.partition(".")
    names = [name] if len(name) >= SHORTEST else []
    names += [host] if dot and len(host) >= SHORTEST else []
    if not names:
        return None
    words = "|".join(map(re.escape, names))
    return re.compile(rf"(?<![A-Za-z0-9-])(?:{words})(?![A-Za-z0-9-])")


def fold(text: str, name: str) -> str:
    """Return a text with the node's name and its first label replaced."""
    pattern = pattern_of(name)
    if pattern is None:
        return text
    return pattern.sub(lambda found: NODE if found[0] == name else HOST, text)


def unfold(text: str, name: str) -> str:
    """Return a folded text with the name of a node."""
    return text.replace(NODE, name).replace(HOST, name.partition(".")[0])


def generic(text: str) -> str:
    """Return a folded text for all nodes at once."""
    return text.replace(NODE, "<node>").replace(HOST, "<host>")


def relative(file: str, environment: str, root: str = "") -> str:
    """Return a manifest's path in its environment, so that branches and checkouts compare.

    `/etc/puppetlabs/code/environments/production/manifests/site.pp` is `manifests/site.pp`; `root`
    is the folder that a catalog was compiled from.
    """
    if root and file.startswith(f"{root}/"):
        return file[len(root) + 1 :]
    folder = f"/environments/{environment}/"
    return file.partition(folder)[2] or file if environment and folder in file else file


def place(number: int) -> str:
    """Return the placeholder for the name of a number in a phrase."""
    return f"\ufdd4{number}\ufdd5"


def filled(phrase: str, names: Sequence[str]) -> str:
    """Return a phrase with its names."""
    for number, name in enumerate(names):
        phrase = phrase.replace(place(number), name)
    return phrase


def kind_of(name: str) -> str:
    """Return the part that a reference shares with others of its statement.

    That is the type; classes and stages are code, and keep their names. A bare title is `*`.
    """
    kind, bracket, _ = name.partition("[")
    if not bracket or not name.endswith("]"):
        return "*"
    return name if kind in ("Class", "Stage") else kind
