"""Values as bytes and back, for what outlives a process: reading runs no code of the bytes.

The bytes are JSON: the names of classes, rows, and the value. A row is a value that has parts: its
form (a word, or the number of a class), and its parts. A part is a text, a number, true, false or
null, or the number ~n for the value of row n, which comes before. So nothing nests, and a value
that is shared is one object again. A reader makes instances of the classes that it lists.
"""

from __future__ import annotations

import json
from binascii import a2b_base64, b2a_base64
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

# A class with a function that returns the parts of a value, and one that makes a value of them.
Form = tuple[type, Callable[[Any], Iterable[object]], Callable[[list[Any]], Any]]

PLAIN = frozenset({str, bool, float, type(None)})
NUMBER, CONSTANT = "i", "c"


class Unencodable(TypeError):
    """A value that cannot be stored: its class is not listed, it is too deep, or a part of it is
    not for other processes.
    """


class Undecodable(ValueError):
    """Bytes that are no stored value, or one of other classes."""


def dict_of(parts: list[Any]) -> dict[Any, Any]:
    """Return a dictionary of keys and values in turn."""
    return dict(zip(parts[::2], parts[1::2], strict=True))


# The values that need no table, by the words of their forms.
BUILT_IN: dict[str, Form] = {
    "t": (tuple, iter, tuple),
    "l": (list, iter, list),
    "d": (dict, lambda value: chain.from_iterable(value.items()), dict_of),
    "s": (set, iter, set),
    "f": (frozenset, iter, frozenset),
    "b": (bytes, lambda value: (b2a_base64(value).decode(),), lambda parts: a2b_base64(parts[0])),
}
WORDS = {form[0]: word for word, form in BUILT_IN.items()}


def form_of(listed: type) -> Form:
    """Return the form of a dataclass or a named tuple: its fields."""
    if issubclass(listed, tuple):
        return listed, iter, listed._make  # type: ignore[attr-defined]
    names: Sequence[str] = listed.__match_args__  # type: ignore[attr-defined]
    return listed, lambda value: [getattr(value, n) for n in names], lambda parts: listed(*parts)


class Codec:
    """Stores plain values and instances of some classes: dataclasses and named tuples by their
    fields, others by the functions of a form. `constants` are objects that have no copies, by name.
    """

    def __init__(
        self, *classes: type | Form, constants: Mapping[str, object] | None = None
    ) -> None:
        forms = [one if isinstance(one, tuple) else form_of(one) for one in classes]
        self.forms = {one[0].__name__: one for one in forms}
        self.constants = constants or {}
        self.names = {id(value): name for name, value in self.constants.items()}

    def encode(self, value: object) -> bytes:
        """Return a value as bytes.

        Raises:
            Unencodable: it cannot be stored.
        """
        try:
            return ValueWriter(self).text(value).encode("utf-8", "surrogatepass")
        except (RecursionError, ValueError) as error:
            # Too deep, or a number that is longer than Python reads.
            raise Unencodable(str(error)) from None

    def decode(self, data: bytes) -> Any:
        """Return the value in bytes.

        Raises:
            Undecodable: there is none.
        """
        try:
            names, rows, top = json.loads(data.decode("utf-8", "surrogatepass"))
            makers: dict[object, Callable[[list[Any]], Any]] = {
                **{word: form[2] for word, form in BUILT_IN.items()},
                **{number: self.forms[name][2] for number, name in enumerate(names)},
                NUMBER: lambda parts: int(parts[0]),
                CONSTANT: lambda parts: self.constants[parts[0]],
            }
            values: list[Any] = []
            for form, *parts in rows:
                values.append(
                    makers[form]([values[~p] if type(p) is int and p < 0 else p for p in parts])
                )
            return values[~top] if type(top) is int and top < 0 else top
        except Exception as error:
            # Bytes can be wrong in any way, and a class may refuse its parts in any way.
            raise Undecodable(f"{type(error).__name__}: {error}") from None


class ValueWriter:
    """Writes one value: a row for each value with parts, after the rows of its parts."""

    def __init__(self, codec: Codec) -> None:
        self.codec = codec
        self.rows: list[list[object]] = []
        # The number of each class, and the part that stands for each object; an object that is
        # known by its address must stay.
        self.numbers: dict[str, int] = {}
        self.parts: dict[int, int] = {}
        self.objects: list[object] = []

    def text(self, value: object) -> str:
        """Return the document of a value."""
        top = self.part(value)
        document = [list(self.numbers), self.rows, top]
        return json.dumps(document, ensure_ascii=False, separators=(",", ":"))

    def part(self, value: object) -> object:
        """Return the part that stands for a value."""
        kind = type(value)
        if kind in PLAIN or (kind is int and value >= 0):  # type: ignore[operator]
            return value
        if id(value) not in self.parts:
            row = self.row(value, kind)
            self.objects.append(value)
            self.parts[id(value)] = ~len(self.rows)
            self.rows.append(row)
        return self.parts[id(value)]

    def row(self, value: object, kind: type) -> list[object]:
        """Return the row of a value."""
        if kind is int:
            return [NUMBER, str(value)]
        if id(value) in self.codec.names:
            return [CONSTANT, self.codec.names[id(value)]]
        name = WORDS.get(kind, kind.__name__)
        form = BUILT_IN.get(name) or self.codec.forms.get(name)
        if form is None or form[0] is not kind:
            raise Unencodable(f"{kind.__module__}.{kind.__qualname__} is not in the table")
        parts = list(map(self.part, self.keep(form[1](value))))
        if name in BUILT_IN:
            return [name, *parts]
        return [self.numbers.setdefault(name, len(self.numbers)), *parts]

    def keep(self, parts: Iterable[object]) -> list[object]:
        """Return parts that may be made for this only, and must stay."""
        made = list(parts)
        self.objects.append(made)
        return made


# Plain values only.
PLAIN_VALUES = Codec()
