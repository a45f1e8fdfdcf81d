"""The origins of values and resources as rows: what, and where, with the depth of each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from analyzer.config import near
from analyzer.formats import yaml_lines
from analyzer.formats.yaml_lines import Path
from analyzer.frontends.puppet.origins.contributors import Contributor, Trail
from analyzer.frontends.puppet.origins.data import DataPlace
from analyzer.frontends.puppet.origins.hiding import SECRET, Secrets, is_key, without_texts
from analyzer.frontends.puppet.origins.inputs import outwards
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.reading import read_text
from analyzer.source import Span

# Contributors that only pass on what they are made of.
PASSING = frozenset({"attribute", "element", "loop", SECRET, "setting"})
# Contributors that are texts of the code.
PLAIN = frozenset({"literal", "node name"})
# How a parameter got its value.
HOW = {
    "default": "default",
    "data": "from Hiera",
    "declared": "given where it is declared",
    "given": "given by --param",
    "nothing": "no value",
}
# A key of data in a file.
Key = tuple[str | None, str]
# The rows of a short explanation, and the deepest of them.
SHORT, DEEPEST = 12, 6
# The longest text of a construct.
LONGEST = 70


@dataclass(frozen=True, slots=True)
class OriginRow:
    """A row of an explanation: a contributor in words, its place, and how deep it is."""

    depth: int
    kind: str
    text: str
    span: Span | None

    def __repr__(self) -> str:
        place = f" at {self.span}" if self.span is not None else ""
        return f"<{self.text}{place}>"


def value_rows(
    trail: Trail, around: Contributor | None, secrets: Secrets, *, whole: bool = False
) -> list[OriginRow]:
    """Return the rows of a value: what it was computed from, the deepest cause last.

    `around` decides that the resource exists, and is left out. No texts of `secrets` are shown.
    """
    told = Told(set() if whole else set(outwards(around)), whole, secrets)
    rows = list(told.rows(trail.everything(), 0))
    return rows if whole else rows[:SHORT]


def presence_rows(one: Contributor, secrets: Secrets, *, whole: bool = False) -> list[OriginRow]:
    """Return the rows of a resource: its statement, and the constructs around it, outwards."""
    told = Told(set(), whole, secrets)
    found: list[OriginRow] = []
    kept = [at for at in outwards(one) if whole or at.kind != "loop"]
    for depth, at in enumerate(kept):
        found.append(OriginRow(depth, at.kind, words_of(at, secrets), span_of(at)))
        inner = told.rows(at.inner, depth + 1)
        found += [row for row in inner if whole or row.kind not in PLAIN]
    return found


class Told:
    """The contributors that were told, each once."""

    def __init__(self, seen: set[Contributor], whole: bool, secrets: Secrets) -> None:
        self.seen = seen
        self.whole = whole
        self.secrets = secrets
        # Keys of data of which a part is told.
        self.inside: set[Key] = set()

    def is_told(self, one: Contributor) -> bool:
        """Return whether a part of an array or hash of data is told in its place."""
        place = one.value
        if not isinstance(place, DataPlace) or not place.is_shape or place.hides:
            return False
        return (place.file, place.key) in self.inside

    def rows(self, several: Iterable[Contributor], depth: int) -> Iterator[OriginRow]:
        """Yield the rows of contributors, each followed by those of its own."""
        if not self.whole:
            several = without_steps(several)
        new = [one for one in dict.fromkeys(several) if one not in self.seen]
        self.seen.update(new)
        # Literals beside variables are mostly keys, and the text around them.
        plain = [one for one in new if one.kind in PLAIN]
        if not self.whole and len(plain) > 1:
            plain = [one for one in plain if type(one.value) is not a.QualifiedReference]
        if not self.whole:
            # The keys of a hash are no cause of an element.
            plain = [one for one in plain if not is_key(one)] or ([] if depth else plain)
        others = [one for one in new if one.kind not in PLAIN]
        if not self.whole:
            others, keys = condensed(others)
            self.inside |= keys
            others = [one for one in others if not self.is_told(one)]
        shown = plain if self.whole or all(map(holds_elements, others)) else ()
        for one in [*others, *shown]:
            if one.kind in PASSING and not self.whole:
                yield from self.rows(one.inner, depth)
                continue
            yield OriginRow(depth, one.kind, words_of(one, self.secrets), span_of(one))
            for place in one.value.hides if isinstance(one.value, DataPlace) else ():
                words = f"hides level '{place.level}' of {place.layer}"
                yield OriginRow(depth + 1, "hidden", words, span_of_data(place))
            if depth < DEEPEST or self.whole:
                yield from self.rows(one.inner, depth + 1)
                if one.around is not None and (self.whole or one.around.kind == "condition"):
                    yield from self.rows([one.around], depth + 1)


def without_steps(several: Iterable[Contributor]) -> Iterator[Contributor]:
    """Yield contributors, in place of steps to elements what they lead to."""
    pending = [*several][::-1]
    while pending:
        one = pending.pop()
        if one.kind == "element":
            pending += reversed(one.inner)
        else:
            yield one


def holds_elements(one: Contributor) -> bool:
    """Return whether a variable is an array or hash, whose elements are told beside it."""
    return one.kind in ("parameter", "variable") and all(map(is_key, one.inner))


def words_of(one: Contributor, secrets: Secrets) -> str:
    """Return a contributor in words; of secrets without a text."""
    if one.kind == "literal":
        return "a literal" if secrets is None or one in secrets else f"literal {one.name}"
    return without_texts(plain_words(one), one)


def plain_words(one: Contributor) -> str:
    """Return a contributor that is no literal in words."""
    if isinstance(one.value, DataPlace):
        return data_words(one.value)
    if one.kind in ("condition", "node block"):
        return construct(one)
    if one.kind == "class":
        return one.name if one.span is None else f"{one.name} is brought in"
    words = {
        "parameter": f"parameter {one.name}: {HOW.get(str(one.value))}",
        "fact": one.name,
        "lookup": f"lookup of {one.name}",
        "text": "text of the template",
    }
    return words.get(one.kind, " ".join(filter(None, [one.kind, one.name])))


def condensed(several: list[Contributor]) -> tuple[list[Contributor], set[Key]]:
    """Return contributors with one place for all elements of a value of data.

    That is the innermost part with all of them. With them come the keys that it stands for.
    """
    found: dict[Key, list[DataPlace]] = {}
    for one in several:
        place = one.value
        if isinstance(place, DataPlace) and place.path and not place.is_shape:
            found.setdefault((place.file, place.key), []).append(place)
    kept: list[Contributor] = []
    told: set[Key] = set()
    for one in several:
        place = one.value
        if not isinstance(place, DataPlace) or not place.path:
            kept.append(one)
            continue
        key = place.file, place.key
        path = common_start([other.path for other in found.get(key, ())])
        # The places of a merge are told as such.
        is_merged = sum(other == place.key for _, other in found) > 1
        if path and key not in told and not is_merged:
            told.add(key)
            made = replace(place, path=path, is_shape=False)
            kept.append(Contributor(one.kind, one.name, one.inner, one.around, value=made))
    return kept, told


def common_start(paths: list[Path]) -> Path:
    """Return the keys with which all paths begin."""
    first = paths[0] if paths else ()
    count = sum(
        all(path[: end + 1] == first[: end + 1] for path in paths) for end in range(len(first))
    )
    return first[:count]


def data_words(place: DataPlace) -> str:
    """Return a place in the data of Hiera in words."""
    if not place.known:
        return f"perhaps key {place.key}, level '{place.level}' of {place.layer}: not known here"
    merge = f" ({place.merge})" if place.merge else ""
    return f"key {place.name}, level '{place.level}' of {place.layer}{merge}"


def span_of(one: Contributor) -> Span | None:
    """Return the place of a contributor; of data the line of the key."""
    return span_of_data(one.value) if isinstance(one.value, DataPlace) else one.span


def span_of_data(place: DataPlace) -> Span | None:
    """Return the line of a key in a file of data."""
    if place.file is None or not place.known:
        return None
    line = line_of(place.file, place.key, place.path)
    return Span(near(place.file)) if line is None else Span(near(place.file), line)


def construct(one: Contributor) -> str:
    """Return the first line of a construct, with the arm that was taken."""
    text = one.unit.text[one.offset :].lstrip() if one.unit is not None else ""
    line = " ".join(text.split("\n")[0].split())
    line = line.partition(" {")[0] if line.startswith(("if ", "unless ")) else line
    line = f"{line[:LONGEST]}..." if len(line) > LONGEST else line
    if one.kind == "node block":
        return line.removesuffix(" {")
    if one.name == "in a template":
        return line
    if one.name == "not taken":
        return f"{line} (not taken)"
    is_test = line.startswith(("if ", "unless "))
    arm = ("true", "false")[int(str(one.value or 0)) % 2] if is_test else ""
    if line.startswith("unless "):
        arm = "false" if arm == "true" else "true"
    return f"{line} is {arm}" if arm else f"{line} (arm {int(str(one.value or 0)) + 1})"


def line_of(file: str, key: str, path: Path = ()) -> int | None:
    """Return the line of a key in a file of data, or of an element; None if it is not found."""
    try:
        text = read_text(file)
    except (OSError, UnicodeDecodeError):
        return None
    line = yaml_lines.line_of(text, (key, *path)) if path else None
    if line is not None:
        return line
    pattern = rf"""["']?{re.escape(key)}["']?\s*:"""
    # In YAML a key at the margin; below another it is a part of its value.
    found = re.search(f"^{pattern}", text, re.MULTILINE)
    found = found or re.search(rf"^[\s{{]*{pattern}", text, re.MULTILINE)
    return None if found is None else text.count("\n", 0, found.start()) + 1
