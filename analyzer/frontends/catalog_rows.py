"""The two long lists of a catalog: its resources, and its edges as pairs of references.

They are parsed slice by slice: the rows of a slice take up the memory of those before. All rows of
a large catalog at once take a third more memory, and more time.
"""

from __future__ import annotations

from _operator import itemgetter
from sys import intern

from analyzer.frontends.json_document import MOST_NESTED, nesting, scan
from analyzer.model.resource import Resource

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from analyzer.model.documents import JsonObject

    # Files, tags and references that occur again: equal texts are kept once.
    Known = dict[object, Any]

# The least size of a slice of the text.
ROWS, PAIRS = 1 << 15, 1 << 13
# How often a slice is made longer.
TRIES = 8
# The part of a list that shows its form.
NEAR = 1 << 12

FIELDS = ("type", "title", "parameters", "tags", "file", "line", "kind", "exported")
fields_of = itemgetter(*FIELDS)

NO_VALUE = type(None)
TEXT, TEXTS = {str}, {str, NO_VALUE}
FLAGS, NUMBERS, LISTS = {bool, NO_VALUE}, {int, NO_VALUE}, {list, NO_VALUE}


def list_at(name: str, text: str, start: int, stop: int) -> int:
    """Return where the list of a key seems to begin; what is found may be inside another value.

    Raises:
        ValueError: there is none.
    """
    key = text.index(f'"{name}":', start, stop)
    return text.index("[", key, key + NEAR)


def resources_at(text: str, begin: int, known: Known) -> tuple[list[Resource], int]:
    """Return the resources of the list at an offset, and where it ends.

    A slice ends before a row that begins as the first one.

    Raises:
        Exception: something in it is odd.
    """
    key = text.index('"', begin)
    next_row = "}," + text[begin + 1 : text.index('"', key + 1) + 1]
    found: list[Resource] = []
    at, more = begin + 1, True
    while more:
        rows, at, more = slice_at(text, at, next_row)
        found += resources_in(rows, known)
    return found, at


def slice_at(text: str, at: int, next_row: str) -> tuple[list[JsonObject], int, bool]:
    """Return the rows of a slice, where the next one begins or the list ends, and which it is.

    Raises:
        ValueError, StopIteration: it is no JSON.
    """
    split = at + ROWS
    for _ in range(TRIES):
        split = text.find(next_row, split) + 1
        if not split:
            break
        try:
            rows, end = scan(f"[{text[at:split]}]")
        except (ValueError, StopIteration):
            # The text that begins a row is inside a row, where brackets are open.
            continue
        more = end == split - at + 2
        return rows, split + 1 if more else at + end - 1, more
    # The edges, which mostly follow, need not be copied.
    edges = text.find('"edges":', at)
    rows, end = scan("[" + (text[at:edges] if edges >= 0 else text[at:]))
    return rows, at + end - 1, False


def resources_in(rows: list[JsonObject], known: Known) -> Iterable[Resource]:
    """Return resources; parameters that are null or rich data are kept as they are.

    Raises:
        KeyError, TypeError, AttributeError: one is not what Puppet writes, or nested too deeply.
    """
    kinds, titles, parameters, tags, files, lines, forms, exported, sensitive = columns(rows)
    if (
        not TEXT.issuperset(map(type, kinds))
        or not TEXT.issuperset(map(type, titles))
        or "" in kinds
        or not TEXTS.issuperset(map(type, files))
        or not NUMBERS.issuperset(map(type, lines))
        or not TEXTS.issuperset(map(type, forms))
        or not FLAGS.issuperset(map(type, exported))
        or not LISTS.issuperset(map(type, tags))
        or not LISTS.issuperset(map(type, sensitive))
    ):
        raise TypeError
    # Joining refuses what is no text.
    for names in filter(None, sensitive):
        "".join(names)
    if None in parameters:
        parameters = [{} if given is None else given for given in parameters]
    check_values(parameters, known)
    if "main" in titles:
        places = zip(kinds, titles, strict=True)
        titles = ["Main" if place == ("Class", "main") else place[1] for place in places]
    once = known.setdefault
    return map(
        Resource,
        map(intern, kinds),
        titles,
        parameters,
        [(file and once(file, file)) or None for file in files],
        lines,
        [form and intern(form) for form in forms],
        [names and (known.get(tuple(names)) or new_tags(names, known)) for names in tags],
        [flag is True for flag in exported],
        sensitive,
    )


def columns(rows: list[JsonObject]) -> Sequence[Sequence[Any]]:
    """Return the fields of resources, each of all rows; a field that a row lacks is None."""
    try:
        if max(map(len, rows)) == len(FIELDS):
            return [*zip(*map(fields_of, rows), strict=True), [None] * len(rows)]
    except (KeyError, ValueError):
        pass
    return [[row.get(name) for row in rows] for name in (*FIELDS, "sensitive_parameters")]


def check_values(parameters: Iterable[Any], known: Known) -> None:
    """Keep equal references once.

    Raises:
        TypeError, AttributeError: a value is nested too deeply, or the parameters are no object.
    """
    once = known.setdefault
    for given in parameters:
        for value in given.values():
            if type(value) is str:
                continue
            if type(value) is list and all_texts(value):
                value[:] = map(once, value, value)
            elif isinstance(value, (dict, list)) and nesting(value) > MOST_NESTED:
                raise TypeError


def all_texts(values: list[Any]) -> bool:
    """Return whether a list holds texts only; joining them is the quickest way to see."""
    try:
        "".join(values)
    except TypeError:
        return False
    return True


def new_tags(tags: list[str], known: Known) -> list[str]:
    """Return tags that no resource had before.

    Raises:
        TypeError: they are no texts.
    """
    "".join(tags)
    known[tuple(tags)] = tags
    return tags


def pairs_at(text: str, begin: int, known: Known) -> tuple[list[tuple[str, str]], int] | None:
    """Return the pairs of the list of edges at an offset, and where it ends; None without pairs.

    Slices of the usual form are split at the text that the first two edges have between references.

    Raises:
        Exception: something in it is odd.
    """
    words = text[begin + 1 : begin + NEAR].split('"', 10)
    if words[1:10:4] != ["source", "target", "source"]:
        return None
    first, between = f'{words[0]}"source"{words[2]}"', f'"{words[4]}"target"{words[6]}"'
    after = f'"{words[8]}"source"{words[2]}"'
    ends = [{"source": "", "target": ""}] * 2
    if scan(f'[{first}{between}{after}{between}"}}]')[0] != ends:
        raise ValueError
    found: list[tuple[str, str]] = []
    at = begin + 1 + len(first)
    while True:
        split = text.find(after, at + PAIRS)
        part = text[at:] if split < 0 else text[at:split]
        pairs = [pair.split(between) for pair in part.split(after)]
        if split < 0 or "\\" in part or part.count('"') != 8 * len(pairs) - 4:
            part = f"[{first}{part}" + '"}]' * (split >= 0)
            rows, end = scan(part)
            add_pairs(found, map(pair_of, rows), known)
            if split < 0 or end < len(part):
                return found, at + end - len(first) - 1
        else:
            add_pairs(found, pairs, known)
        at = split + len(after)


def add_pairs(found: list[tuple[str, str]], pairs: Iterable[Any], known: Known) -> None:
    """Add pairs of references, each text kept once.

    Raises:
        ValueError: one is no pair.
    """
    once, get = known.setdefault, known.get
    found += [(once(source, source), get(target, target)) for source, target in pairs]


def pair_of(row: JsonObject) -> tuple[str, str]:
    """Return an edge with nothing but its two references.

    Raises:
        KeyError, TypeError, ValueError: it has more, or others.
    """
    pair = row["source"], row["target"]
    if len(row) != 2 or not TEXT.issuperset(map(type, pair)):
        raise ValueError
    return pair
