"""The changed lines between two trees, in pieces that can be undone one by one."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import cached_property

from analyzer.session.attribution.aligning import aligned

# Lines of a file that are compared; a longer file is one piece.
MOST_LINES, EXACT = 20_000, 2_000
# The share of equal lines from which a block was moved, and the fewest lines of one.
ALIKE, SMALLEST = 0.5, 2
# Blocks that are compared with each other.
MOST_BLOCKS = 40

Lines = list[str]


@dataclass(frozen=True, slots=True)
class Place:
    """Lines of a file: from `first` to `last`, counted from 1; none if `last` is less."""

    name: str
    first: int
    last: int

    def holds(self, line: int) -> bool:
        """Return whether a line is one of them."""
        return self.first <= line <= self.last


@dataclass(slots=True)
class Piece:
    """Lines that changed together, which may be undone: `old` became `new`."""

    number: int
    hunk: int
    old: Place
    new: Place
    old_lines: Lines
    new_lines: Lines
    # The name of the module if all of it was changed to another version.
    module: str = ""
    moved: bool = False

    @property
    def size(self) -> int:
        """Return the number of lines."""
        return max(len(self.old_lines), len(self.new_lines))


@dataclass(slots=True)
class Hunk:
    """Changed lines without unchanged ones between them; of a moved block one of its ends.

    `other` is the hunk that has the lines of a block after it moved, and `move` the piece that
    puts them back.
    """

    pieces: list[Piece]
    old: Place
    new: Place
    old_lines: Lines
    new_lines: Lines
    inner: list[Lines | Piece] = field(default_factory=list)
    move: Piece | None = None
    other: Hunk | None = None

    def render(self, undone: Collection[int]) -> Iterator[str]:
        """Yield the lines with some pieces undone."""
        back = self.move is not None and self.move.number in undone
        if self.other is not None:
            yield from self.other.block(undone) if back else ()
        elif not back:
            yield from self.block(undone)

    def block(self, undone: Collection[int]) -> Iterator[str]:
        """Yield the lines of the block, wherever it is."""
        for one in self.inner or self.pieces:
            if not isinstance(one, Piece):
                yield from one
            else:
                yield from one.old_lines if one.number in undone else one.new_lines


@dataclass(slots=True)
class FileEdit:
    """The changes of a file; `old` and `new` are whether the sides have it."""

    name: str
    old: bool
    new: bool
    parts: list[Lines | Hunk]

    def render(self, undone: Collection[int]) -> str | None:
        """Return the text with some pieces undone, None if there is no such file then."""
        text = "".join(
            line
            for part in self.parts
            for line in (part.render(undone) if isinstance(part, Hunk) else part)
        )
        return text if text or (self.old and self.new) else None


@dataclass
class Edits:
    """All changes between two trees, the pieces by their numbers."""

    files: list[FileEdit]
    pieces: list[Piece]
    # The folders of modules in another version, with the piece that each of them is.
    modules: dict[str, int] = field(default_factory=dict)

    def now(self, name: str) -> str | None:
        """Return the text of a file that differs as the new side has it."""
        return next(file.render(()) for file in self.files if file.name == name)

    def text_of(self, name: str) -> str:
        """Return the same, empty if there is no such file."""
        return next((file.render(()) or "" for file in self.files if file.name == name), "")

    @cached_property
    def every(self) -> frozenset[int]:
        """Return the numbers of all pieces."""
        return frozenset(piece.number for piece in self.pieces)

    @cached_property
    def hunks(self) -> dict[int, frozenset[int]]:
        """Return the pieces of the hunk of each piece."""
        together: dict[int, set[int]] = {}
        for piece in self.pieces:
            together.setdefault(piece.hunk, set()).add(piece.number)
        return {piece.number: frozenset(together[piece.hunk]) for piece in self.pieces}

    def texts(self, undone: Collection[int]) -> Iterator[tuple[str, str | None]]:
        """Yield the files that differ with some pieces undone, with their texts."""
        for file in self.files:
            text = file.render(undone)
            if text != file.render(()):
                yield file.name, text


def edits_of(
    files: Mapping[str, tuple[str | None, str | None]], modules: Mapping[str, str]
) -> Edits:
    """Return the changes of files by their texts before and after.

    `modules` are the folders of modules in another version, with their names: each is one piece.
    """
    made = Edits([], [])
    numbers = made.modules
    hunks: list[Hunk] = []
    for name, (old, new) in files.items():
        whole = next((one for one in modules if name.startswith(one)), "")
        before, after = lines_of(old), lines_of(new)
        parts: list[Lines | Hunk] = []
        for tag, a, b, c, d in opcodes(before, after, as_one=bool(whole)):
            if tag == "equal":
                parts.append(after[c:d])
                continue
            hunk = Hunk([], Place(name, a + 1, b), Place(name, c + 1, d), before[a:b], after[c:d])
            parts.append(hunk)
            if whole:
                number = numbers.setdefault(whole, len(numbers))
                hunk.pieces = [
                    Piece(number, number, hunk.old, hunk.new, before[a:b], after[c:d],
                          modules[whole])
                ]  # fmt: skip
            else:
                hunks.append(hunk)
        made.files.append(FileEdit(name, old is not None, new is not None, parts))
    count = Numbers(len(numbers))
    pair_moved(hunks, count)
    for number, hunk in enumerate(hunks, len(numbers)):
        if hunk.move is None:
            hunk.pieces = list(split(hunk, number, count))
    seen: dict[int, Piece] = {}
    for file in made.files:
        for part in file.parts:
            for piece in pieces_of(part):
                seen.setdefault(piece.number, piece)
    made.pieces = [seen[number] for number in sorted(seen)]
    return made


class Numbers:
    """Gives numbers, one after the other."""

    def __init__(self, first: int) -> None:
        self.next = first

    def take(self) -> int:
        """Return the next number."""
        self.next += 1
        return self.next - 1


def pieces_of(part: Lines | Hunk) -> Iterator[Piece]:
    """Yield the pieces of a part of a file."""
    if isinstance(part, Hunk):
        yield from part.pieces
        yield from (one for one in part.inner if isinstance(one, Piece))
        if part.move is not None:
            yield part.move


def lines_of(text: str | None) -> Lines:
    """Return the lines of a text with their ends."""
    return [] if not text else [f"{one}\n" for one in text.split("\n")[:-1]] + last_of(text)


def last_of(text: str) -> Lines:
    """Return the line after the last line break, if it is not empty."""
    last = text.rpartition("\n")[2]
    return [last] if last else []


def opcodes(
    before: Lines, after: Lines, *, as_one: bool
) -> Iterator[tuple[str, int, int, int, int]]:
    """Yield equal and changed ranges of lines, as difflib has them."""
    if as_one or not before or not after or max(len(before), len(after)) > MOST_LINES:
        yield "replace", 0, len(before), 0, len(after)
        return
    # Of long files with many equal lines an exact comparison takes too long.
    is_long = max(len(before), len(after)) > EXACT
    yield from SequenceMatcher(None, before, after, autojunk=is_long).get_opcodes()


def split(hunk: Hunk, number: int, count: Numbers) -> Iterator[Piece]:
    """Yield the pieces of a hunk."""
    old, new = hunk.old_lines, hunk.new_lines
    for a, b, c, d in aligned(old, new):
        yield Piece(
            count.take(), number,
            Place(hunk.old.name, hunk.old.first + a, hunk.old.first + b - 1),
            Place(hunk.new.name, hunk.new.first + c, hunk.new.first + d - 1),
            old[a:b], new[c:d],
        )  # fmt: skip


def pair_moved(hunks: Sequence[Hunk], count: Numbers) -> None:
    """Find blocks of lines, or whole files, that went from one place to another."""
    sizes = range(SMALLEST, EXACT)
    gone = [one for one in hunks if not one.new_lines and len(one.old_lines) in sizes]
    come = [one for one in hunks if not one.old_lines and len(one.new_lines) in sizes]
    if len(gone) * len(come) > MOST_BLOCKS**2:
        return
    pairs = [
        (likeness, number, other)
        for number, one in enumerate(gone)
        for other, two in enumerate(come)
        if (likeness := alike(one.old_lines, two.new_lines)) >= ALIKE
    ]
    used: tuple[set[int], set[int]] = set(), set()
    for _, number, other in sorted(pairs, key=lambda pair: (-pair[0], *pair[1:])):
        if number not in used[0] and other not in used[1]:
            used[0].add(number)
            used[1].add(other)
            join(gone[number], come[other], hunks.index(come[other]), count)


def alike(old: Sequence[str], new: Sequence[str]) -> float:
    """Return the share of lines that two blocks have in common, in any order."""
    counts: dict[str, int] = {}
    for line in old:
        counts[line] = counts.get(line, 0) + 1
    common = 0
    for line in new:
        if line.strip() and counts.get(line, 0):
            counts[line] -= 1
            common += 1
    return common / max(len(old), len(new))


def join(gone: Hunk, come: Hunk, number: int, count: Numbers) -> None:
    """Join the two ends of a block that moved, with the changes in it."""
    before, after = gone.old_lines, come.new_lines
    for tag, a, b, c, d in opcodes(before, after, as_one=False):
        if tag == "equal":
            come.inner.append(after[c:d])
            continue
        inside = Hunk(
            [],
            Place(gone.old.name, gone.old.first + a, gone.old.first + b - 1),
            Place(come.new.name, come.new.first + c, come.new.first + d - 1),
            before[a:b],
            after[c:d],
        )
        # Each is a hunk by itself: the numbers of pieces are as good as those of hunks.
        come.inner += split(inside, -count.next - 1, count)
    move = Piece(
        count.take(), -count.next - 1, gone.old, come.new, before, after, moved=True
    )  # fmt: skip
    gone.move = come.move = move
    gone.other = come
