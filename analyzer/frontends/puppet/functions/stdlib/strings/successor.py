"""The text that follows a text (Ruby's String#succ), and all from one text to another."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.frontends.puppet.functions.registry import UndecidedCall
from analyzer.model.values import Unknown

RUNS = (("0", "9"), ("a", "z"), ("A", "Z"))


def is_alphanumeric(char: str) -> bool:
    """Return whether a character is a digit or a letter of ASCII."""
    return char.isascii() and char.isalnum()


def successor(text: str) -> str:
    """Return the next text: its last letter or digit one further, with what that carries."""
    if not text:
        return ""
    if not text.isascii():
        raise UndecidedCall(Unknown(f"the text that follows {text}"))
    chars = list(text)
    places = [i for i, char in enumerate(chars) if is_alphanumeric(char)]
    if not places:
        return text[:-1] + chr(ord(text[-1]) + 1)
    place = places[-1]
    while True:
        first, last = next(run for run in RUNS if run[0] <= chars[place] <= run[1])
        if chars[place] != last:
            chars[place] = chr(ord(chars[place]) + 1)
            return "".join(chars)
        chars[place] = first
        before = next((i for i in range(place - 1, -1, -1) if is_alphanumeric(chars[i])), None)
        if before is None or not carries(chars, before, place):
            chars.insert(place, "1" if first == "0" else first)
            return "".join(chars)
        place = before


def carries(chars: list[str], before: int, place: int) -> bool:
    """Return whether a carry skips characters between: not from letters to digits."""
    if place - before == 1:
        return True
    return chars[before].isdigit() == chars[place].isdigit()


def up_to(first: str, last: str, *, exclusive: bool) -> Iterator[str]:
    """Go from one text to another (String#upto)."""
    if len(first) == len(last) == 1 and first.isascii() and last.isascii():
        yield from map(chr, range(ord(first), ord(last) + (not exclusive)))
        return
    both = first + last
    if first and last and both.isascii() and both.isdigit():
        width = len(first)
        for number in range(int(first), int(last) + (not exclusive)):
            yield f"{number:0{width}d}"
        return
    if first > last or (exclusive and first == last):
        return
    after = successor(last)
    current = first
    while current != after:
        if exclusive and current == last:
            return
        yield current
        if current == last:
            return
        current = successor(current)
        if len(current) > len(last) or not current:
            return
