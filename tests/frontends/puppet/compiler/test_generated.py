"""Code that is generated for lambdas yields what their closures yield, on random programs."""

from __future__ import annotations

import ast
import re
from random import Random
from types import FrameType, SimpleNamespace
from typing import Any, cast

import pytest

import analyzer
from analyzer.diagnostics import CompileError
from analyzer.frontends.puppet.evaluate import calls
from analyzer.frontends.puppet.evaluate.errors import Unit
from analyzer.frontends.puppet.evaluate.generated.listing import listing
from analyzer.frontends.puppet.evaluate.generated.runtime import NAMESPACE
from analyzer.frontends.puppet.evaluate.limits import place_in
from analyzer.frontends.puppet.syntax.parsing.parser import parse
from tests.oracle.facts import debian_11
from tests.oracle.programs.expressions import KINDS, Place
from tests.oracle.programs.resources import Resources

HEAD = """$outer = 'o'
$numbers = [1, 2, 3]
$table = { 'a' => 1, 'b' => [1, 2], 'c' => { 'x' => 'y' } }
"""
LISTS = ("$numbers", "['a', 'B', undef]", "[1, 'x', [2]]", "Integer[1, 3]", "$table", "3", "'ab'")
TYPES = ("Any", "Variant[String, Integer]", "Integer", "Optional[String[1]]", "Data", "Integer[2]")


class Bodies(Resources):
    """Writes the bodies of lambdas."""

    def statements(self, place: Place, depth: int) -> list[str]:
        """Some statements, the last of which has a value."""
        found = [self.statement(place, depth) for _ in range(self.rng.randint(0, 4))]
        return [*found, self.any(place)]

    def statement(self, place: Place, depth: int) -> str:
        """A statement; what it assigns can be read after it."""
        roll = self.rng.random()
        if roll < 0.35 or not depth:
            return self.assigned(place)
        if roll < 0.55:
            return self.chosen(place, depth)
        if roll < 0.7:
            return f"$l{self.next()} = {self.loop(place, depth)}"
        if roll < 0.75:
            return self.rng.choice(["next(1)", "break()", "if $n0 { next() }", "notice('x')"])
        title = f'"{self.next()}-${{$n0}}-{self.any(place, 0)[:0]}"'
        if self.chance(0.3):
            title = f"[{title}, {self.of('text', place)}]"
        more = self.attributes("notify", place)
        return f"notify {{ {title}: {', '.join(more)} }}"

    def next(self) -> int:
        """A number that is not used yet."""
        self.count += 1
        return self.count

    def assigned(self, place: Place) -> str:
        """An assignment, now and then of a name that is taken."""
        kind = self.rng.choice(KINDS)
        known = [name for name, its in place.variables if its == kind]
        name = f"$v{self.next()}"
        if known and self.chance(0.03):
            name = self.rng.choice(known)
        value = self.of(kind, place)
        place.variables.append((name, kind))
        return f"{name} = {value}"

    def chosen(self, place: Place, depth: int) -> str:
        """`if`, `unless` or `case`, whose arms may assign the same variable."""
        kind = self.rng.choice(KINDS)
        name = f"$v{self.next()}"
        arms = []
        for _ in range(2):
            inner = place.inner()
            lines = [self.statement(inner, depth - 1)] if self.chance(0.4) else []
            if self.chance(0.8):
                lines.append(f"{name} = {self.of(kind, inner)}")
            arms.append(" ".join(lines))
        place.variables.append((name, kind))
        if self.chance(0.3):
            subject = self.of("text", place)
            pattern = self.rng.choice(["'a'", "Debian", "7", "true", "'B', undef", "/a/", "String"])
            other = self.rng.choice(["default", "'x1'"])
            return f"case {subject} {{ {pattern}: {{ {arms[0]} }} {other}: {{ {arms[1]} }} }}"
        word = self.rng.choice(["if", "if", "unless"])
        test = self.of("truth", place)
        return f"{word} {test} {{ {arms[0]} }} else {{ {arms[1]} }}"

    def loop(self, place: Place, depth: int) -> str:
        """A call of a function that is a loop."""
        form = self.rng.choice(["each", "map", "filter", "reduce", "map", "any"])
        two = form == "reduce" or (form != "filter" and self.chance(0.3))
        names = [f"$n{self.next()}" for _ in range(1 + two)]
        types = [self.rng.choice(TYPES) if self.chance(0.2) else "" for _ in names]
        inner = place.inner()
        kinds = self.rng.choices(KINDS, k=len(names))
        inner.variables.extend(zip(names, kinds, strict=True))
        over = self.rng.choice([*LISTS, self.of("array", place), self.of("hash", place)])
        memo = f"({self.any(place)})" if form == "reduce" and self.chance(0.5) else ""
        body = "\n".join(self.statements(inner, depth - 1))
        given = ", ".join(f"{type} {name}" for type, name in zip(types, names, strict=True))
        return f"{over}.{form}{memo} |{given}| {{\n{body}\n}}"


def program(seed: int) -> str:
    """The program of a seed: a loop with others inside, and what comes of it."""
    bodies = Bodies(Random(f"generated/{seed}"))
    known = [("$outer", "text"), ("$numbers", "array"), ("$table", "hash"), ("$n0", "number")]
    place = Place("top", 0, variables=known)
    if bodies.wild:
        place.variables.append(("$nowhere", "text"))
    body = "\n".join(bodies.statements(place, 2))
    form = bodies.rng.choice(["map", "map", "each", "filter"])
    over = bodies.rng.choice(["[1, 2, 3]", "Integer[1, 3]", "['a', 1, undef]"])
    kind = bodies.rng.choice(["", "", "Any ", "Variant[Integer, String] ", "Integer "])
    loop = f"$all = {over}.{form} |{kind}$n0| {{\n{body}\n}}\n"
    text = f"{HEAD}{loop}notify {{ 'all': message => $all }}\n"
    # A lambda that reads the groups of a match is left to closures.
    return text if seed % 4 == 0 else text.replace("<$0><$1><$2>", "<$n0>")


def outcome(code: str, facts: dict[str, Any] | None) -> Any:
    """What a compile yields: the catalog with what it lacks, or the errors."""
    try:
        found = analyzer.compile(code=code, facts=facts)
    except CompileError as error:
        return [(one.message, one.span) for one in (error, *error.others)]
    return found.to_json(), found.gaps


@pytest.mark.parametrize("start", range(0, 120, 10))
def test_generated_code_is_what_closures_are(start: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(start, start + 10):
        code = program(seed)
        for facts in (debian_11(), None):
            monkeypatch.setattr(calls, "COLD", 1_000_000)
            closures = outcome(code, facts)
            for cold in (0, 1):
                monkeypatch.setattr(calls, "COLD", cold)
                assert outcome(code, facts) == closures, (seed, code)


# What code may name: functions of ours, some of Python's, and places with a number.
NAMES = {*NAMESPACE, "machine", "scope", "unit", "items_left", "result", "error", "jump"}
NAMES |= {"dict", "float", "int", "iter", "len", "list", "next", "str", "type", "TypeError"}
PLACE = re.compile(r"(?:c|f|i|k|n|ours|run|s|t)\d+|v\d+_\w+")
PARTS = {
    "append", "as_parameter", "at", "check_argument", "declare", "find", "get", "join",
    "known_text", "known_type", "lambda_", "left_expr", "plain", "qualified_variable", "test",
    "trials", "truth", "type_named", "undecided", "update", "value", "variable",
}  # fmt: skip
HOSTILE = (
    "'''", '"', "\\", "\n__import__('os')", "\r\n", "\u2028x", "{0}", "');exit('", "\0", "# x",
    "'" * 70, "\\" * 70, "%s", "\\'", "__class__",
)  # fmt: skip


def check_names(code: str) -> None:
    """Hold that code has no name of a manifest."""
    for node in ast.walk(ast.parse(code)):
        assert not isinstance(node, ast.Import | ast.ImportFrom | ast.Global | ast.Lambda)
        if isinstance(node, ast.Name):
            assert node.id in NAMES or PLACE.fullmatch(node.id), node.id
        elif isinstance(node, ast.Attribute):
            assert node.attr in PARTS
        elif isinstance(node, ast.FunctionDef):
            assert node.name in ("each", "map", "filter", "reduce")


@pytest.mark.parametrize("seed", range(40))
def test_no_name_of_a_manifest_is_one_of_the_code(seed: int) -> None:
    text = program(seed)
    check_names(listing(parse(text), Unit(text, "site.pp")))


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_of_a_manifest_is_code(text: str) -> None:
    quoted = "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
    code = f"""[1, 2].map |$exit| {{
  $_eval = {{ {quoted} => {quoted} }} # {text}
  $os = "${{exit}}${{_eval}}" ? {{ {quoted} => 1, default => {quoted} }}
  notify {{ {quoted}: eval => {quoted} }}
  if $os == {quoted} {{ open({quoted}) }}
  {quoted}
}}"""
    written = listing(parse(code), Unit(code, "site.pp"))
    assert "def map(" in written
    check_names(written)


def test_lines_of_puppet_stand_before_their_code() -> None:
    code = "[1].each |$x| {\n  notice($x)\n}\n[2].each |$x| { notice($1) }\n"
    text = listing(parse(code), Unit(code, "site.pp"))
    lines = [line.strip() for line in text.splitlines() if line.lstrip().startswith("#")]
    assert lines[0] == "# 1: [1].each |$x| {"
    assert "# 2: notice($x)" in lines
    assert lines[-2:] == ["# 4: [2].each |$x| { notice($1) }", "# is left to closures."]


@pytest.mark.slow
def test_a_loop_that_takes_too_long_ends_where_it_is() -> None:
    code = "Integer[1, 999999].each |$a| {\n Integer[1, 9999].each |$b| {\n  $c = $b * 2\n }\n}"
    with pytest.raises(CompileError) as caught:
        analyzer.compile(code=code, time_limit=1)
    assert "longer than 1 seconds" in caught.value.message
    assert caught.value.span.line in (2, 3)


def test_a_lambda_of_a_class_is_listed_once() -> None:
    code = "class a {\n  [1].each |$x| { notice($x) }\n}\n"
    assert listing(parse(code), Unit(code, "site.pp")).count("def each(") == 1


def test_a_frame_between_two_lines_has_no_place() -> None:
    unit = Unit("", "site.pp")
    names = {"places of lines": ["first", "second"], "unit": unit}
    frames = [SimpleNamespace(f_globals=names, f_lineno=line) for line in (None, 2, 1)]
    assert place_in(cast("list[FrameType]", frames)) == (unit, "second")
    assert place_in(cast("list[FrameType]", frames[:1])) is None
