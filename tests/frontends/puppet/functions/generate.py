"""Calls made at random: forms of each function with values in their places."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence

from .forms import ANY_FORMS, FORMS

PLACE = re.compile(r"@([a-z0-9]+)")
PIECES = """
a b c ab abc A B Zz x_y foo bar foo-bar 1 2 10 007 1.5 1.10 2.0.1 - . .. -- _ __ % $ é ß Ä ŉ ΑΣ 日本
' " \\ # #{x} ${y} ! ` ~ 1e3 0x1F 0b11 -3 +4 1_000 , ; : / :: a.b a.b.c [ ] ( )
"""
PARTS = PIECES.split()
WHITE = ("", " ", "  ", "\t", "\n", "\r\n", " \n")
PATTERNS = r"""
a b [abc] . \. , b+ x* a|b (a)(b)? ^a c$ \s+ \d+ \w (\w)(\d)? [.:] (?i)A (?<n>b) \A. .\z
[^a] (a|(b)) a{1,2} \b [[:alpha:]] ( [ *a
"""
EXPRESSIONS = PATTERNS.split()
WORDS = (*EXPRESSIONS, "", " ")


def quoted(text: str) -> str:
    """A text as a literal of Puppet."""
    if any(char in text for char in "\t\n\r"):
        text = text.replace("\\", "\\\\").replace('"', '\\"').replace("$", "\\$")
        text = text.replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r")
        return f'"{text}"'
    text = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{text}'"


class Generator:
    """Fills the places of forms."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def fill(self, form: str) -> str:
        """A form with values in its places."""
        return PLACE.sub(lambda match: PLACES[match[1]](self), form)

    def text(self) -> str:
        pick = self.random.choice
        size = self.random.choice((0, 1, 1, 1, 2, 2, 3, 5))
        parts = [pick(PARTS) for _ in range(size)]
        if self.random.random() < 0.25:
            parts.insert(self.random.randint(0, size), pick(WHITE))
        return "".join(parts)

    def integer(self) -> str:
        pool = (0, 1, 2, 3, 4, 5, 7, 8, 10, 16, 100, 255, 256, 1000, 65535, 2**31, 2**53 + 1)
        number = self.random.choice((*pool, 9223372036854775807))
        return f"-{number}" if self.random.random() < 0.3 else str(number)

    def float(self) -> str:
        pool = "0.0 0.5 1.0 1.5 2.5 3.14159 10.0 99.99 0.001 1.0e-5 123456.789 1.0e15 1.0e16 1.0e20"
        number = self.random.choice((*pool.split(), "1.0e-10", "0.1", "1.05", "2.675", "1.0e100"))
        return f"-{number}" if self.random.random() < 0.3 else number

    def number(self) -> str:
        return self.integer() if self.random.random() < 0.6 else self.float()

    def numeral(self) -> str:
        pool = "1 -1 1.5 -2.5 0 007 1e3 1.5e2 abc 1.5x 1_000 0x1f 0b11 0o17 -0x1f 1_ ._1 1. .5 --1"
        return quoted(self.random.choice((*pool.split(), " 1", "1 ", "", "1\n", "1\n2", "+3")))

    def scalar(self) -> str:
        pick = self.random.random()
        if pick < 0.4:
            return quoted(self.text())
        if pick < 0.75:
            return self.number()
        return self.random.choice(("true", "false", "undef", "default", "/a.b/", r"/x\/y/"))

    def any(self, depth: int = 2) -> str:
        pick = self.random.random()
        if depth and pick < 0.25:
            return self.array(depth - 1)
        if depth and pick < 0.4:
            return self.hash(depth - 1)
        return self.scalar()

    def no_integer(self) -> str:
        pick = self.random.choice((self.array, self.hash, self.float, self.texts))
        word = self.random.choice(("true", "undef", "default", "/a/", "String", "'a'"))
        return pick() if self.random.random() < 0.5 else word

    def several(self, make: Callable[[], str], most: int = 5) -> str:
        return ", ".join(make() for _ in range(self.random.randint(0, most)))

    def array(self, depth: int = 1) -> str:
        return f"[{self.several(lambda: self.any(depth))}]"

    def hash(self, depth: int = 1) -> str:
        keys = self.random.sample(("a", "b", "c", "d e", "x.y", "1"), self.random.randint(0, 4))
        return "{" + ", ".join(f"{quoted(key)} => {self.any(depth)}" for key in keys) + "}"

    def texts(self) -> str:
        return f"[{self.several(lambda: quoted(self.text()))}]"

    def numbers(self) -> str:
        return f"[{self.several(self.number)}]"

    def integers(self) -> str:
        return f"[{self.several(lambda: str(self.random.randint(-5, 9)), 8)}]"

    def words(self) -> str:
        return f"[{self.several(lambda: quoted(self.random.choice(PARTS)), 8)}]"

    def small(self) -> str:
        return str(self.random.randint(1, 4))

    def iterable(self) -> str:
        kind = self.random.randint(0, 7)
        if kind <= 3:
            return (self.array, self.integers, self.words, self.hash)[kind]()
        low, size = self.random.randint(-3, 3), self.random.randint(0, 8)
        return (
            quoted(self.text()),
            str(size),
            f"Integer[{low}, {low + size}]",
            f"Enum['a', 'b', '{self.random.choice('cd')}']",
        )[kind - 4]

    def list(self) -> str:
        return f"({self.array()}).step({self.small()})"

    def iterator(self) -> str:
        value = f"({self.iterable()})"
        for _ in range(self.random.randint(0, 3)):
            step = self.random.choice((".reverse_each", f".step({self.small()})"))
            value += step
        return value

    def regexp(self) -> str:
        return "/" + self.random.choice([p for p in EXPRESSIONS if p not in ("(", "[", "*a")]) + "/"

    def pattern(self) -> str:
        return quoted(self.random.choice(WORDS))

    def replacement(self) -> str:
        parts = (r"\0", r"\1", r"\2", r"\\", "-", "<x>", r"\&", r"\'", r"\k<n>", "", r"\9", "\\n")
        return quoted("".join(self.random.choice(parts) for _ in range(self.random.randint(0, 3))))

    def version(self) -> str:
        parts = ("1", "2", "10", "01", "0", "a", "b", "rc1", "beta", ".", "-", ".", "-", ".0")
        return quoted("".join(self.random.choice(parts) for _ in range(self.random.randint(0, 7))))

    def format(self) -> str:
        parts = []
        for _ in range(self.random.randint(1, 2)):
            flags = "".join(self.random.choice(" #+-0") for _ in range(self.random.randint(0, 2)))
            width = self.random.choice(("", "", "1", "5", "10", "12", "*"))
            precision = self.random.choice(("", "", ".", ".0", ".1", ".3", ".8", ".*"))
            letter = self.random.choice("sspcddiuoxXbBfffeEgGaA%y")
            which = self.random.choice(("",) * 8 + ("1$", "2$", "<a>", "<z>"))
            parts.append(self.random.choice(("", "x", " ")) + f"%{which}{flags}{width}{precision}")
            parts.append(self.random.choice(("%{a}", letter) + (letter,) * 12))
        return quoted("".join(parts))

    def path(self) -> str:
        parts = ("a", "b", "c", "0", "1", "-1", "'d e'", '"x.y"', "x", "", " a", "+1")
        return quoted(".".join(self.random.choice(parts) for _ in range(self.random.randint(0, 4))))

    def key(self) -> str:
        return self.random.choice(("'a'", "'b'", "'c'", "0", "1", "-1", "5", "undef", "1.0", "'x'"))

    def one(self) -> str:
        body = self.random.choice(
            (
                "$x",
                "$x == @scalar",
                "$x =~ String",
                "$x =~ Integer and $x > 1",
                "[$x, 1]",
                '"<${x}>"',
                "if $x =~ String { next(9) } $x",
                "if $x =~ Integer { break() } $x",
                'size("${x}")',
                "false",
                "undef",
                "notice($x)",
            )
        )
        return f"|$x| {{ {self.fill(body)} }}"

    def two(self) -> str:
        body = self.random.choice(
            (
                "[$x, $y]",
                "$y",
                "$x",
                '"${x}-${y}"',
                "$x == $y",
                "$y =~ String",
                "if $y =~ Integer { next($x) } $y",
                "if $y =~ String { break() } [$x]",
                "$y == @scalar",
                'compare("${x}", "${y}")',
                "true",
            )
        )
        return f"|$x, $y| {{ {self.fill(body)} }}"

    def order(self) -> str:
        return "|$x, $y| " + self.random.choice(
            (
                "{ compare($x, $y) }",
                "{ compare($y, $x) }",
                '{ compare("${x}", "${y}") }',
                '{ compare(size("${x}"), size("${y}")) }',
                "{ 1 }",
                "{ 0.5 }",
                "{ -1 }",
                "{ undef }",
            )
        )


PLACES: dict[str, Callable[[Generator], str]] = {
    "any": Generator.any,
    "arr": Generator.array,
    "float": Generator.float,
    "fmt": Generator.format,
    "hash": Generator.hash,
    "int": Generator.integer,
    "ints": Generator.integers,
    "it": Generator.iterator,
    "list": Generator.list,
    "key": Generator.key,
    "num": Generator.number,
    "nums": Generator.numbers,
    "numeral": Generator.numeral,
    "one": Generator.one,
    "order": Generator.order,
    "path": Generator.path,
    "pat": Generator.pattern,
    "re": Generator.regexp,
    "repl": Generator.replacement,
    "scalar": Generator.scalar,
    "small": Generator.small,
    "str": lambda self: quoted(self.text()),
    "strs": Generator.texts,
    "two": Generator.two,
    "ver": Generator.version,
    "words": Generator.words,
    "no": Generator.no_integer,
    "bool": lambda self: self.random.choice(("true", "false")),
}


def generated(count: int, seed: int, only: Sequence[str] | None = None) -> Iterator[str]:
    """So many calls, each function in its turn."""
    generator = Generator(seed)
    names = [name for name in FORMS if only is None or name in only]
    for i in range(count):
        name = names[i % len(names)]
        if generator.random.random() < 0.1:
            form = generator.random.choice(ANY_FORMS).replace("NAME", name.split(maxsplit=1)[0])
        else:
            form = generator.random.choice(FORMS[name])
        yield generator.fill(form)
