"""Methods of Ruby's strings, symbols and regular expressions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from analyzer.frontends.puppet.ruby_functions import patterns as p
from analyzer.frontends.puppet.ruby_functions.evaluation import LONGEST
from analyzer.frontends.puppet.ruby_functions.machine import Machine
from analyzer.frontends.puppet.ruby_functions.values import (
    Matched,
    NotStatic,
    Pattern,
    Range,
    RubyError,
    Symbol,
)

Method = Callable[..., Any]
_SPACE = "\t\n\v\f\r "


def ascii_only(text: str) -> str:
    """Return a text of ASCII characters.

    Raises:
        NotStatic: it has others, whose capitals or bytes are not computed here.
    """
    if not text.isascii():
        raise NotStatic("a text with other letters than those of ASCII")
    return text


def typed(value: Any, kind: type) -> Any:
    """Return a value of a kind.

    Raises:
        NotStatic: it is of another.
    """
    if type(value) is not kind:
        raise NotStatic(f"a {type(value).__name__} in place of a {kind.__name__}")
    return value


def index(machine: Machine, text: str, first: Any, length: Any = None) -> Any:
    """Evaluate `text[...]`."""
    if isinstance(first, Pattern):
        found = p.match(machine, text, first)
        if found is None or length is None:
            return None if found is None else found.text
        return group_of(found, length)
    if isinstance(first, str):
        return first if first in text else None
    if isinstance(first, Range):
        return part(text, *bounds(first, len(text)))
    number = typed(first, int)
    if length is not None:
        return part(text, number + (len(text) if number < 0 else 0), typed(length, int))
    return text[number] if -len(text) <= number < len(text) else None


def bounds(wanted: Range, size: int) -> tuple[int, int]:
    """Return the start and the length that a range names in something of a size."""
    start = wanted.low + (size if wanted.low < 0 else 0)
    end = size - 1 if wanted.high is None else wanted.high
    end += size if end < 0 else 0
    if wanted.excluding and wanted.high is not None:
        end -= 1
    return start, max(0, end - start + 1)


def part(values: Any, start: int, length: int) -> Any:
    """Return a part of a text or a list; None outside of it."""
    if start < 0 or start > len(values) or length < 0:
        return None
    return values[start : start + length]


def group_of(found: Matched, which: Any) -> Any:
    """Return a group of a match, by number or name."""
    if type(which) is int:
        texts = (found.text, *found.groups)
        return texts[which] if -len(texts) <= which < len(texts) else None
    name = which.name if isinstance(which, Symbol) else which
    if name not in found.named:
        raise NotStatic("a group that is not there")
    return found.named[name]


def position(text: str, wanted: Any, start: int = 0) -> int | None:
    """Evaluate `index`."""
    found = p.python_of(wanted).search(text, start)
    return None if found is None else found.start()


def to_i(text: str, base: int = 10) -> int:
    """Evaluate `to_i`: the number at the beginning, 0 if there is none."""
    if base != 10:
        raise NotStatic("a base of a number")
    found = re.match(r"\s*([-+]?\d+(?:_\d+)*)", ascii_only(text))
    return int(found[1].replace("_", "")) if found else 0


def to_f(text: str) -> float:
    """Evaluate `to_f`."""
    found = re.match(r"\s*([-+]?\d+(?:_\d+)*(?:\.\d+)?(?:[eE][-+]?\d+)?)", ascii_only(text))
    return float(found[1].replace("_", "")) if found else 0.0


def times(text: str, number: int) -> str:
    """Evaluate `text * number`."""
    if typed(number, int) < 0 or len(text) * number > LONGEST:
        raise NotStatic("a text times a number")
    return text * number


def formatted(machine: Machine, text: str, given: Any) -> str:
    """Evaluate `text % values`."""
    values = given if isinstance(given, list) else [given]
    return str(machine.world.sprintf(text, values))


def compared(left: Any, right: Any) -> int | None:
    """Evaluate `<=>`."""
    if isinstance(left, str) and isinstance(right, str):
        return (left > right) - (left < right)
    if isinstance(left, (int, float)) and isinstance(right, (int, float)):
        return (left > right) - (left < right)
    raise NotStatic("a comparison")


def lines(text: str) -> list[str]:
    """Return the lines of a text with their ends."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def chomp(text: str, end: str | None = None) -> str:
    """Evaluate `chomp`."""
    if end is not None:
        return text.removesuffix(typed(end, str))
    return re.sub(r"(\r\n|\n|\r)\Z", "", text)


def delete(text: str, *sets: str) -> str:
    """Evaluate `delete`."""
    chosen = p.letters(text, *sets)
    return "".join(char for char in text if not chosen(char))


def squeeze(text: str, *sets: str) -> str:
    """Evaluate `squeeze`."""
    chosen = p.letters(text, *sets)
    found = [
        char for at, char in enumerate(text) if at == 0 or char != text[at - 1] or not chosen(char)
    ]
    return "".join(found)


def begins(text: str, *starts: Any) -> bool:
    """Evaluate `start_with?`."""
    if any(not isinstance(one, str) for one in starts):
        raise NotStatic("a pattern at the beginning")
    return text.startswith(starts)


def just(text: str, width: int, fill: str, *, left: bool) -> str:
    """Evaluate `ljust` and `rjust`."""
    missing = max(0, typed(width, int) - len(text))
    if missing > LONGEST:
        raise NotStatic("too long a text")
    padding = (fill * (missing // len(fill) + 1))[:missing]
    return f"{text}{padding}" if left else f"{padding}{text}"


def length_in_bytes(text: str) -> int:
    """Evaluate `bytesize`."""
    return len(text.encode())


STRING: dict[str, Method] = {
    "%": formatted,
    "[]": index,
    "slice": index,
    "=~": lambda m, text, pattern: found.start if (found := p.match(m, text, pattern)) else None,
    "match": lambda m, text, pattern: p.match(m, text, pattern_of(pattern)),
    "match?": lambda m, text, pattern: p.python_of(pattern_of(pattern)).search(text) is not None,
}
STRING_PURE: dict[str, Method] = {
    "*": times,
    "+": lambda text, other: text + typed(other, str),
    "<": lambda text, other: compared(text, other) == -1,
    "<=": lambda text, other: compared(text, other) != 1,
    "<=>": lambda text, other: compared(text, other) if isinstance(other, str) else None,
    ">": lambda text, other: compared(text, other) == 1,
    ">=": lambda text, other: compared(text, other) != -1,
    "bytesize": length_in_bytes,
    "capitalize": lambda text: ascii_only(text).capitalize(),
    "casecmp": lambda text, other: compared(ascii_only(text).lower(), ascii_only(other).lower()),
    "casecmp?": lambda text, other: ascii_only(text).lower() == ascii_only(other).lower(),
    "chars": list,
    "chomp": chomp,
    "chop": lambda text: text[:-2] if text.endswith("\r\n") else text[:-1],
    "concat": lambda text, *others: text + "".join(typed(one, str) for one in others),
    "count": lambda text, *sets: sum(map(p.letters(text, *sets), text)),
    "delete": delete,
    "delete_prefix": lambda text, prefix: text.removeprefix(typed(prefix, str)),
    "delete_suffix": lambda text, suffix: text.removesuffix(typed(suffix, str)),
    "downcase": lambda text: ascii_only(text).lower(),
    "each_char": list,
    "empty?": lambda text: text == "",
    "end_with?": lambda text, *ends: text.endswith(ends),
    "hex": lambda text: int(text, 16) if re.fullmatch(r"[\da-fA-F]+", text) else typed(text, int),
    "include?": lambda text, other: typed(other, str) in text,
    "index": position,
    "intern": Symbol,
    "length": len,
    "lines": lines,
    "ljust": lambda text, width, fill=" ": just(text, width, fill, left=True),
    "lstrip": lambda text: text.lstrip(f"{_SPACE}\0"),
    "partition": lambda text, mark: list(text.partition(typed(mark, str))),
    "reverse": lambda text: text[::-1],
    "rindex": lambda text, mark: at if (at := text.rfind(typed(mark, str))) >= 0 else None,
    "rjust": lambda text, width, fill=" ": just(text, width, fill, left=False),
    "rpartition": lambda text, mark: list(text.rpartition(typed(mark, str))),
    "rstrip": lambda text: text.rstrip(f"{_SPACE}\0"),
    "size": len,
    "split": p.split,
    "squeeze": squeeze,
    "start_with?": begins,
    "strip": lambda text: text.rstrip(f"{_SPACE}\0").lstrip(f"{_SPACE}\0"),
    "swapcase": lambda text: ascii_only(text).swapcase(),
    "to_f": to_f,
    "to_i": to_i,
    "to_str": lambda text: text,
    "to_sym": Symbol,
    "tr": p.translated,
    "upcase": lambda text: ascii_only(text).upper(),
}


def called(machine: Machine, text: str, block: Any, parts: Iterable[str]) -> str:
    """Call a block with each part of a text."""
    for one in parts:
        machine.call_block(block, [one])
    return text


STRING_BLOCK: dict[str, Method] = {
    "each_char": lambda m, text, block: called(m, text, block, text),
    "each_line": lambda m, text, block: called(m, text, block, lines(text)),
    "gsub": p.replace,
    "scan": p.scan,
    "sub": lambda m, text, block, *given: p.replace(m, text, block, *given, count=1),
}


def pattern_of(value: Any) -> Any:
    """Return the pattern of an argument of `match`, which may be a text."""
    return Pattern(value, "") if isinstance(value, str) else value


SYMBOL: dict[str, Method] = {
    "<=>": lambda one, other: compared(one.name, other.name),
    "empty?": lambda one: not one.name,
    "length": lambda one: len(one.name),
    "size": lambda one: len(one.name),
    "to_sym": lambda one: one,
}


def matches(machine: Machine, pattern: Pattern, text: Any) -> Matched | None:
    """Return the match of a pattern on a text; there is none on undef."""
    if isinstance(text, Symbol):
        text = text.name
    if not isinstance(text, str):
        machine.match = None
        return None
    return p.match(machine, text, pattern)


REGEXP: dict[str, Method] = {
    "===": lambda m, pattern, text: matches(m, pattern, text) is not None,
    "=~": lambda m, pattern, text: found.start if (found := matches(m, pattern, text)) else None,
    "match": matches,
    "match?": lambda m, pattern, text: matches(m, pattern, text) is not None,
    "source": lambda m, pattern: pattern.source,
}
MATCHED: dict[str, Method] = {
    "[]": group_of,
    "begin": lambda found, which: found.start if which == 0 else typed(which, str),
    "captures": lambda found: list(found.groups),
    "end": lambda found, which: found.end if which == 0 else typed(which, str),
    "length": lambda found: len(found.groups) + 1,
    "named_captures": lambda found: dict(found.named),
    "names": lambda found: list(found.named),
    "size": lambda found: len(found.groups) + 1,
    "to_a": lambda found: [found.text, *found.groups],
}
ERROR: dict[str, Method] = {
    "message": lambda error: error.message,
    "to_s": lambda error: error.message,
}
ERROR_CLASS = RubyError
