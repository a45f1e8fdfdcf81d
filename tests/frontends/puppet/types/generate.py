"""Questions at random: types and values in Puppet's syntax, from a seed."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from .asking import Question

STRINGS = ("''", "'a'", "'b'", "'red'", "'RED'", "'abc'", "'x y'", "'1'", "'it\\'s'", "'0x1f'")
NUMBERS = ("0", "1", "-1", "2", "5", "80", "70000", "1.5", "-0.5", "0.0", "1.0e20", "3.0")
SIMPLE = (
    "Any", "Scalar", "ScalarData", "Data", "RichData", "Collection", "String", "Integer", "Float",
    "Numeric", "Boolean", "Undef", "Default", "NotUndef", "Array", "Hash", "Tuple", "Struct",
    "Iterable", "Iterator", "Callable", "Type", "Sensitive", "Regexp", "Pattern", "Enum",
    "Variant", "Optional", "Timestamp", "Timespan", "SemVer", "SemVerRange", "Binary", "URI",
    "Object", "CatalogEntry", "Class", "Resource", "File", "Init", "T::Port", "T::Name", "T::Opt",
    "T::Color", "T::Code", "T::Tree", "T::Rec", "T::Point", "T::Mixed", "T::Ports", "T::Loop",
)  # fmt: skip
OTHERS = (
    "default", "undef", "true", "false", "/a.b/", "Timespan.new(90)", "Timestamp.new(0)",
    "SemVer.new('1.2.3')", "SemVerRange.new('1.x')", "Binary.new('YWJj')", "File['/x']",
    "Class['a::b']", "URI.new('http://a.b/c')",
)  # fmt: skip


class Maker:
    """Makes types and values as texts."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def some(self, make: Callable[[], str], low: int = 1, high: int = 3) -> list[str]:
        return [make() for _ in range(self.random.randint(low, high))]

    def size(self) -> list[str]:
        low = self.random.randint(0, 3)
        high = str(low + self.random.randint(0, 3))
        return self.random.choice([[], [str(low)], [str(low), high], ["default", high]])

    def value(self, depth: int = 2) -> str:
        kind = self.random.randint(0, 9 if depth else 6)
        if kind < 3:
            return self.random.choice(STRINGS)
        if kind < 5:
            return self.random.choice(NUMBERS)
        if kind == 5:
            return self.random.choice(OTHERS)
        if kind == 6:
            return self.type(1) if depth else "undef"
        if kind == 7:
            return f"[{', '.join(self.some(lambda: self.value(depth - 1), 0))}]"
        if kind == 8:
            return f"Sensitive({self.value(depth - 1)})"
        return self.hash(depth)

    def hash(self, depth: int = 2) -> str:
        keys = self.random.sample(["a", "b", "x", "y", "1", "'k l'", "label"], 3)
        used = keys[: self.random.randint(0, 3)]
        return f"{{{', '.join(f'{key} => {self.value(depth - 1)}' for key in used)}}}"

    def type(self, depth: int = 2) -> str:
        if not depth or self.random.random() < 0.3:
            return self.random.choice(SIMPLE)
        return self.random.choice(MAKERS)(self, depth - 1)

    def parts(self, depth: int) -> list[str]:
        return self.some(lambda: self.type(depth))


def _range(made: Maker, _: int) -> str:
    low, high = sorted(made.random.choices(range(-3, 9), k=2))
    start = made.random.choice([str(low), "default"])
    end = made.random.choice([f", {high}", ""]) if start != "default" else f", {high}"
    return f"{made.random.choice(['Integer', 'Float'])}[{start}{end}]"


def _string(made: Maker, _: int) -> str:
    size = ", ".join(made.size())
    return f"String[{size}]" if size else "String[1]"


def _enum(made: Maker, _: int) -> str:
    values = made.some(lambda: made.random.choice(["a", "b", "'red'", "'Red'", "abc"]))
    return f"Enum[{', '.join(values + made.random.choice([[], [], ['true']]))}]"


def _pattern(made: Maker, _: int) -> str:
    some = made.some(lambda: made.random.choice(["/a/", r"/\Ab/", "/^[0-9]+$/", "/x y/"]), 1, 2)
    return f"Pattern[{', '.join(some)}]"


def _array(made: Maker, depth: int) -> str:
    return f"Array[{', '.join([made.type(depth), *made.size()])}]"


def _hash(made: Maker, depth: int) -> str:
    key = made.random.choice(["String", "String[1]", "Integer", "Scalar", "Any"])
    return f"Hash[{', '.join([key, made.type(depth), *made.size()])}]"


def _tuple(made: Maker, depth: int) -> str:
    return f"Tuple[{', '.join([*made.parts(depth), *made.size()])}]"


def _struct(made: Maker, depth: int) -> str:
    keys = ["a", "b", "Optional[x]", "NotUndef[y]", "Optional[label]"]
    used = made.random.sample(keys, made.random.randint(1, 3))
    return f"Struct[{{{', '.join(f'{key} => {made.type(depth)}' for key in used)}}}]"


def _variant(made: Maker, depth: int) -> str:
    return f"Variant[{', '.join(made.parts(depth))}]"


def _around(made: Maker, depth: int) -> str:
    names = ("Optional", "NotUndef", "Type", "Sensitive", "Iterable", "Iterator", "Optional")
    return f"{made.random.choice(names)}[{made.type(depth)}]"


def _callable(made: Maker, depth: int) -> str:
    inner = ", ".join(made.parts(depth) + made.size())
    return made.random.choice([f"Callable[{inner}]", f"Callable[[{inner}], {made.type(0)}]"])


def _fixed(made: Maker, _: int) -> str:
    return made.random.choice(
        (
            *("Boolean[true]", "Boolean[false]", "Regexp[/a.b/]", "Optional['a']", "NotUndef[a]"),
            *("Timespan['0-00:01:00']", "Timestamp['2020-01-01', '2021-01-01']", "SemVer['1.x']"),
            *("File['/x']", "Class['a::b']", "Resource['file', 'y']", "Collection[1, 2]"),
            *("Timespan[0, 100]", "SemVer['>=1.0.0 <2.0.0', '3.x']", "User", "User['root']"),
        )
    )


MAKERS: tuple[Callable[[Maker, int], str], ...] = (
    _range, _string, _enum, _pattern, _array, _array, _hash, _tuple, _struct, _variant, _variant,
    _around, _around, _callable, _fixed,
)  # fmt: skip


def questions(count: int, seed: int) -> Iterator[Question]:
    """So many questions of each kind."""
    made = Maker(seed)
    for number in range(count):
        kinds = {
            **{ask: {"type": made.type(3)} for ask in ("text", "parse", "normal", "general")},
            **{
                ask: {"type": made.type(), "other": made.type()}
                for ask in ("assignable", "equal", "common")
            },
            **{ask: {"type": made.type(), "value": made.value()} for ask in ("instance",)},
            "mismatch": {"type": made.type(3), "value": made.value(3)},
            "parameters": {"type": _struct(made, 2), "value": made.hash()},
            "infer": {"value": made.value(3)},
            "value": {"value": conversion(made)},
        }
        for ask, said in kinds.items():
            yield {"id": f"{ask} {number}", "ask": ask, **said}


NEW = (
    "Integer", "Float", "Numeric", "Boolean", "String", "Array", "Hash", "Tuple[Any, 1, 3]",
    "Struct[{a => Any}]", "Regexp", "Timespan", "Timestamp", "SemVer", "SemVerRange", "Binary",
    "URI", "Sensitive", "Init[Integer]", "Optional[Integer]", "Enum[a]", "Variant[Integer, Float]",
    "NotUndef[Integer]", "Integer[0, 9]", "Type", "Any", "Data", "Init[Timespan]", "T::Port",
    "Init[String, '%p']", "Init[Boolean]", "Undef", "File",
)  # fmt: skip
TEXTS = (
    "'12'", "' 12'", "'-12'", "'- 12'", "'0x1F'", "'0b101'", "'017'", "'08'", "'1.5'", "'1e3'",
    "'1.5e-2'", "'abc'", "''", "'yes'", "'No'", "'TRUE'", "'y'", "'1.2.3-rc.1+b'", "'>=1.0 <2'",
    "'1-02:03:04.5'", "'10:20'", "'2020-02-03'", "'2020-02-03T04:05:06.789 CET'", "'YWJjZA=='",
    "'http://u@h:81/p?q=1#f'", "'mailto:a@b'", "[1, 2]", "[[1, 2], [3, 4]]", "[1, 2, 3]", "[]",
    "{}", "{a => 1}", "{from => '0x1f', radix => 16}", "{from => 'x'}", "0", "5", "-7", "12.7",
    "-3.5", "true", "false", "undef", "default", "Timespan.new(90)", "Timestamp.new(1.5)",
    "{days => 1, hours => 2}", "{string => '5', format => '%M'}", "[['a'], 1]", "'Integer[1]'",
    "{value => 'abc', format => '%s'}", "[65, 66, 300]", "[65, 66]", "Integer[1, 3]", "Enum[p, q]",
    "SemVer.new('1.2.3')", "{min => default, max => SemVer.new('2.0.0')}", "'0'",
)  # fmt: skip
FORMATS = (
    "'%d'", "'%x'", "'%#x'", "'%08.3f'", "'%s'", "'%p'", "'%#p'", "'%10s'", "'%-10s|'", "'%e'",
    "'%a'", "'%#a'", "'%(a'", "'%h'", "'%#h'", "'%o'", "'%b'", "'%+d'", "'% d'", "'%c'", "'%C'",
    "'%u'", "'%t'", "'%T'", "'%y'", "'%.2s'", "'%X'", "'%#b'", "'%g'", "'%B'", "'%n'", "'%q'",
    "{Integer => '%x'}", "{Array => {format => '%(a', separator => '; '}}", "'% a'", "'%#s'",
    "{Array => '%#a', Hash => '%#h'}", "{Any => '%s'}", "'%V'", "'%D'", "'%#5a'", "'%#.2s'",
    "{Array => {format => '%a', string_formats => {Integer => '%#x', String => '%s'}}}", "'%f'",
    "{Hash => {format => '%<h', separator => ' ', separator2 => '='}}", "'bad'", "'%05d'",
)  # fmt: skip


def conversion(made: Maker) -> str:
    """A call of `new`, or of a lambda."""
    kind = made.random.random()
    if kind < 0.4:
        value = made.random.choice((*TEXTS, made.value(3)))
        return f"String.new({value}, {made.random.choice(FORMATS)})"
    if kind < 0.5:
        return _with(made)
    values = made.some(lambda: made.random.choice(TEXTS), 1, 1)
    if made.random.random() < 0.25:
        more = ("16", "10", "true", "'%s'", "'%B'", "'%H:%M'", "2", "default", "'tree'", "'%Y'")
        values += made.some(lambda: made.random.choice(more), 1, 2)
    return f"{made.random.choice(NEW)}.new({', '.join(values)})"


def _with(made: Maker) -> str:
    names = ["$a", "$b", "$c"][: made.random.randint(0, 3)]
    params = [f"{made.type(1)} {name}" for name in names]
    if params and made.random.random() < 0.3:
        params[-1] = params[-1].replace(" $", " *$")
    values = made.some(lambda: made.value(1), len(names), len(names) + 1)
    return f"with({', '.join(values)}) |{', '.join(params)}| {{ }}"
