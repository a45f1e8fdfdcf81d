"""Random expressions of the Puppet language by the kind of their value, for random programs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random

KINDS = ("text", "number", "truth", "array", "hash")
NUMBERS = ("0", "1", "2", "7", "-3", "0x1f", "017", "10")
WORDS = ("a", "b", "web", "db", "Debian", "x1", "two words", "")
FACTS = {
    "text": ("$facts['os']['family']", "$trusted['certname']", "$hostname", "$environment"),
    "number": ("$processorcount", "$facts['processors']['count']"),
    "truth": ("$is_virtual", "$facts['systemd']"),
    "array": ("$facts['processors']['models']",),
    "hash": ("$facts['os']['release']", "$facts['os']['distro']"),
}


@dataclass(frozen=True, slots=True)
class Place:
    """Where code stands: in which body, how deep, with which variables, and what names it has.

    `kind` is the name of the class or define, or `top`; `inside` says which of both it is. `level`
    is the first class or define that may be declared from here, so that nothing declares itself.
    `prefix` makes titles differ from one evaluation of the code to the next.
    """

    kind: str
    level: int
    depth: int = 0
    prefix: str = ""
    variables: list[tuple[str, str]] = field(default_factory=list)
    inside: str = ""

    def inner(self, prefix: str = "") -> Place:
        """A block in here; what it assigns is not seen outside."""
        return replace(
            self,
            depth=self.depth + 1,
            prefix=prefix + self.prefix,
            variables=list(self.variables),
        )

    def as_(self, kind: str) -> Place:
        """The same place in another body."""
        return replace(self, kind=kind)


class Expressions:
    """Writes expressions; `functions` are those of the program, with the kind they return.

    A `wild` program has mistakes; without them most of a program is seen, not just its first.
    """

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.wild = self.chance(0.35)
        self.functions: list[tuple[str, str]] = []

    def chance(self, share: float) -> bool:
        """True in about this share of the calls."""
        return self.rng.random() < share

    def mistake(self, share: float) -> bool:
        """The same, but never in a program that is not wild."""
        return self.wild and self.chance(share)

    def any(self, place: Place, depth: int = 2) -> str:
        """An expression of any kind."""
        return self.of(self.rng.choice(KINDS), place, depth)

    def of(self, kind: str, place: Place, depth: int = 2) -> str:
        """An expression whose value is, nearly always, of a kind."""
        if self.mistake(0.02):
            return self.rng.choice(["undef", self.of(self.rng.choice(KINDS), place, depth)])
        roll = self.rng.random()
        known = [name for name, its in place.variables if its == kind]
        if known and roll < 0.35:
            return self.rng.choice(known)
        if roll < 0.42:
            return self.rng.choice(FACTS[kind])
        named = [name for name, its in self.functions if its == kind]
        if named and roll < 0.5 and depth:
            return f"{self.rng.choice(named)}({self.of('number', place, depth - 1)})"
        if depth == 0 or roll < 0.65:
            return self.literal(kind, place)
        if roll < 0.7:
            return self.choice(kind, place, depth - 1)
        return self.rng.choice(COMPOUND[kind])(self, place, depth - 1)

    def literal(self, kind: str, place: Place) -> str:
        """A literal, with plain values inside."""
        match kind:
            case "text":
                return "'" + self.rng.choice(WORDS) + "'"
            case "number":
                return "2.5" if self.mistake(0.1) else self.rng.choice(NUMBERS)
            case "truth":
                return self.rng.choice(["true", "false"])
            case "array":
                inside = [self.of("text", place, 0) for _ in range(self.rng.randint(0, 3))]
                return "[" + ", ".join(inside) + "]"
            case _:
                keys = self.rng.sample(["'a'", "'b'", "c", "1"], self.rng.randint(0, 3))
                inside = [f"{key} => {self.any(place, 0)}" for key in keys]
                # A statement may not begin with a brace.
                return "({" + ", ".join(inside) + "})"

    def choice(self, kind: str, place: Place, depth: int) -> str:
        """A selector, or `if` as an expression."""
        first, second = self.of(kind, place, depth), self.of(kind, place, depth)
        if self.chance(0.3):
            return f"if {self.of('truth', place, depth)} {{ {first} }} else {{ {second} }}"
        subject = self.rng.choice(["text", "number"])
        pattern = self.rng.choice([self.literal(subject, place), "/^(d)/", "String", "Integer[2]"])
        return f"{self.of(subject, place, 0)} ? {{ {pattern} => {first}, default => {second} }}"


def _interpolated(e: Expressions, place: Place, depth: int) -> str:
    names = [name for name, _ in place.variables] or ["$environment"]
    parts = ["${" + e.rng.choice(names)[1:] + "}", e.rng.choice(["a", "-", "/b", ""])]
    if depth:
        parts.append("${" + e.of("text", place, 0) + "}")
    return '"' + "".join(parts) + '"'


def _call(form: str, *kinds: str) -> Callable[[Expressions, Place, int], str]:
    return lambda e, place, depth: form.format(*(e.of(kind, place, depth) for kind in kinds))


Compound = Callable[[Expressions, Place, int], str]

# What a resource or a variable of it is asked for is written by the statements, who know them.
COMPOUND: dict[str, tuple[Compound, ...]] = {
    "text": (
        _interpolated,
        _interpolated,
        _call("upcase({})", "text"),
        _call("join({}, {})", "array", "text"),
        _call("regsubst({}, /[aeiou]/, 'o', 'G')", "text"),
        _call("join({}[0, 1])", "array"),
        _call("sprintf('%s-%s', {}, {})", "text", "number"),
        _call("String({})", "number"),
        _call('"<$0><$1><$2>"'),
        _call('regsubst({}, "^", "$1")', "text"),
        _call("String(type({}, 'generalized'))", "array"),
    ),
    "number": (
        _call("({} + {})", "number", "number"),
        _call("({} * {})", "number", "number"),
        _call("({} - {})", "number", "number"),
        _call("({} % 7)", "number"),
        _call("size({})", "array"),
        _call("length({})", "text"),
        _call("Integer({})", "number"),
        _call("max({}, {})", "number", "number"),
        _call("{}.reduce(0) |$m, $v| {{ $m + 1 }}", "array"),
    ),
    "truth": (
        _call("({} == {})", "text", "text"),
        _call("({} != {})", "number", "number"),
        _call("({} < {})", "number", "number"),
        _call("({} and {})", "truth", "truth"),
        _call("({} or {})", "truth", "truth"),
        _call("!{}", "truth"),
        _call("({} in {})", "text", "array"),
        _call("({} =~ /^(.)b/)", "text"),
        _call("({} =~ /(\\w)(\\d)?/)", "text"),
        _call("({} !~ /(\\w)(e)/)", "text"),
        _call("(/^(.)(.)?/ in {})", "array"),
        _call("({} =~ /(a|D)/ and {} =~ /(b)/)", "text", "text"),
        _call("({} =~ /(a|D)/ or {})", "text", "truth"),
        _call("({} =~ String[1])", "text"),
        _call("empty({})", "array"),
        _call("defined({})", "text"),
        _call("tagged({})", "text"),
        _call("tagged('c0')"),
        _call("tagged('t1', 'c1')"),
    ),
    "array": (
        _call("({} + {})", "array", "array"),
        _call("[{}, {}]", "text", "text"),
        _call("split({}, 'b')", "text"),
        _call("keys({})", "hash"),
        _call("unique({})", "array"),
        _call("flatten([{}, {}])", "array", "array"),
        _call('{}.map |$v| {{ "<${{v}}>" }}', "array"),
        _call("{}.filter |$v| {{ $v =~ /a/ }}", "array"),
        _call("range(1, 3)"),
    ),
    "hash": (
        _call("({} + {})", "hash", "hash"),
        _call("merge({}, {})", "hash", "hash"),
        _call("({{ 'k' => {}, {} => {} }})", "number", "text", "truth"),
        _call("{}.filter |$k, $v| {{ $k == 'a' }}", "hash"),
    ),
}
