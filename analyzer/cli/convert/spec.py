"""Reads a file of rspec-puppet: groups, what `let` gives, and examples."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import cast

from analyzer.cli.convert.ruby import (
    RubyCall,
    RubyReader,
    RubyToken,
    Unconvertible,
    inside,
    tokens_of,
)

GROUPS = ("describe", "context")
EXAMPLES = ("it", "specify", "example")
USES = ("it_behaves_like", "it_should_behave_like", "include_examples")
SYSTEMS = "on_supported_os"


# What specs read as Puppet's own version.
PUPPET = "8.10.0"


@dataclass(frozen=True, slots=True)
class SpecFacts:
    """The facts of a supported system, with others over them."""

    more: dict[object, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SpecScope:
    """The titles of groups, the values by `let` and the names of blocks that an example sees."""

    titles: tuple[str, ...] = ()
    lets: dict[str, object] = field(default_factory=dict)
    kind: str = ""
    each_system: bool = False
    names: dict[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SpecExample:
    """An example: its statements, or the reason why it cannot be converted, and its text."""

    scope: SpecScope
    title: str
    line: int
    statements: tuple[object, ...]
    reason: str
    text: str


@dataclass(frozen=True, slots=True)
class Negated:
    """A statement that something is not so."""

    matcher: object


@dataclass(frozen=True, slots=True)
class Raised:
    """A statement that the compile fails."""

    matcher: RubyCall


class SpecFile:
    """The examples of a file."""

    def __init__(self, text: str, kind: str) -> None:
        self.text = text
        self.tokens = tokens_of(text)
        self.kind = kind

    def examples(self) -> Iterator[SpecExample]:
        """Yield the examples."""
        yield from self.group(0, len(self.tokens), SpecScope(kind=self.kind))

    def group(self, at: int, end: int, scope: SpecScope) -> Iterator[SpecExample]:
        """Yield the examples between two places."""
        lost = ""
        while at < end:
            token = self.tokens[at]
            if token.kind == "nl":
                at += 1
                continue
            begin, stop = self.block(at, end)
            head = self.tokens[at + 2] if self.tokens[at].text == "RSpec" else token
            if head.text in (*EXAMPLES, *USES):
                yield self.example(at, begin, stop, scope, lost)
            elif stop > begin and (inner := self.inner(at, begin, head.text, scope, lost)):
                yield from self.group(inner[0], stop, inner[1])
            elif changed := self.scope_after(at, begin, stop, scope):
                scope = changed
            elif head.text != "require":
                # What follows may depend on it.
                lost = lost or self.line_of(at, end)
            at = max(stop + 1, at + 1) if stop > begin else self.line_end(at, end)

    def inner(
        self, at: int, begin: int, word: str, scope: SpecScope, lost: str
    ) -> tuple[int, SpecScope] | None:
        """Return where the statements of a group begin, and their scope; None for others."""
        if word in GROUPS:
            return begin, self.entered(at, begin, scope, lost)
        if word.startswith("shared_examples"):
            return begin, replace(scope, lets={**scope.lets, "": "shared examples are not read"})
        return self.each(begin, scope) if word == SYSTEMS else None

    def scope_after(self, at: int, begin: int, stop: int, scope: SpecScope) -> SpecScope | None:
        """Return the scope after a statement that gives a name a value, None for others."""
        if self.tokens[at].text in ("let", "let!") and stop > begin:
            return self.given(at, begin, stop, scope)
        return self.assigned(at, scope) if self.is_assignment(at) else None

    def block(self, at: int, end: int) -> tuple[int, int]:
        """Return where the block of a statement begins and ends; the same place: it has none."""
        i = at
        while i < end and self.tokens[i].kind != "nl":
            token = self.tokens[i]
            if token.text == "do" or (token.text == "{" and self.opens_block(i)):
                return i + 1, inside(self.tokens, i)
            if token.text in ("(", "[", "{") and token.kind == "op":
                i = inside(self.tokens, i)
            i += 1
        if at < end and self.tokens[at].text in ("if", "unless", "case", "begin", "def"):
            return at + 1, inside(self.tokens, at)
        return at, at

    def is_assignment(self, at: int) -> bool:
        """Return whether a statement gives a value to a local name."""
        return (
            at + 1 < len(self.tokens)
            and self.tokens[at].kind == "name"
            and self.tokens[at + 1].text == "="
        )

    def assigned(self, at: int, scope: SpecScope) -> SpecScope:
        """Return the scope with a local name; only what uses it needs its value."""
        name = self.tokens[at].text
        value: object
        try:
            reader = RubyReader(self.tokens[at + 2 : self.line_end(at, len(self.tokens))])
            value = resolved(reader.value(), scope, name)
            if not reader.done():
                value = Unconvertible(f"{name} is code")
        except (Unconvertible, IndexError):
            value = Unconvertible(f"{name} is code")
        return replace(scope, names={**scope.names, name: value})

    def opens_block(self, i: int) -> bool:
        """Return whether a brace begins a block, not a hash."""
        before = self.tokens[i - 1]
        return before.text == ")" or before.kind in ("name", "single", "double", "symbol")

    def line_end(self, at: int, end: int) -> int:
        """Return the place after a statement without a block."""
        while at < end and self.tokens[at].kind != "nl":
            if self.tokens[at].text in ("(", "[", "{") and self.tokens[at].kind == "op":
                at = inside(self.tokens, at)
            at += 1
        return at

    def line_of(self, at: int, end: int) -> str:
        """Return the first line of a statement."""
        return self.text[self.tokens[at].start :].split("\n")[0].strip()

    def entered(self, at: int, begin: int, scope: SpecScope, lost: str) -> SpecScope:
        """Return the scope inside a group."""
        words = [token for token in self.tokens[at:begin] if token.kind in ("single", "double")]
        title = words[0].text[1:-1] if words else ""
        if lost:
            scope = replace(scope, lets={**scope.lets, "": lost})
        return replace(scope, titles=(*scope.titles, title))

    def each(self, begin: int, scope: SpecScope) -> tuple[int, SpecScope]:
        """Return the inside of a loop over systems: the second name of it has the facts."""
        names = []
        at = begin
        if self.tokens[begin].text == "|":
            at = begin + 1
            while self.tokens[at].text != "|":
                if self.tokens[at].kind == "name":
                    names.append(self.tokens[at].text)
                at += 1
            at += 1
        known = {names[1]: SpecFacts()} if len(names) > 1 else {}
        return at, replace(scope, each_system=True, names={**scope.names, **known})

    def given(self, at: int, begin: int, stop: int, scope: SpecScope) -> SpecScope:
        """Return the scope with what a `let` gives."""
        name = next(
            (token.text[1:] for token in self.tokens[at:begin] if token.kind == "symbol"), ""
        )
        try:
            value = self.let_value(begin, stop, name, scope)
        except Unconvertible as error:
            value = error
        return replace(scope, lets={**scope.lets, name: value})

    def let_value(self, begin: int, stop: int, name: str, scope: SpecScope) -> object:
        """Return the value of a `let`.

        Raises:
            Unconvertible: it is not a literal.
        """
        reader = RubyReader(self.tokens[begin:stop])
        first = reader.peek(True)
        bare = first.kind == "label" or (
            len(reader.tokens) > reader.at + 1 and reader.tokens[reader.at + 1].text == "=>"
        )
        if bare:
            brace = RubyToken("op", "}", 0, 0)
            reader = RubyReader([RubyToken("op", "{", 0, 0), *self.tokens[begin:stop], brace])
        value = reader.value()
        if not reader.done():
            raise Unconvertible(f"let(:{name}) has code in it")
        return resolved(value, scope, name)

    def example(self, at: int, begin: int, stop: int, scope: SpecScope, lost: str) -> SpecExample:
        """Return an example."""
        head = [token for token in self.tokens[at:begin] if token.kind in ("single", "double")]
        title = head[0].text[1:-1] if head else ""
        end = stop if stop > begin else self.line_end(at, len(self.tokens)) - 1
        text = self.text[self.tokens[at].start : self.tokens[min(end, len(self.tokens) - 1)].end]
        line = self.text.count("\n", 0, self.tokens[at].start) + 1
        statements: list[object] = []
        reason = "no block, or shared examples" if stop <= begin else ""
        lost = lost or str(scope.lets.get("", ""))
        if lost:
            reason = f"depends on: {lost}"
        for value in scope.lets.values():
            if isinstance(value, Unconvertible):
                reason = reason or str(value)
        if not reason:
            try:
                statements = list(self.statements(begin, stop, scope))
            except Unconvertible as error:
                reason = str(error)
        return SpecExample(scope, title, line, tuple(statements), reason, text)

    def statements(self, begin: int, stop: int, scope: SpecScope) -> Iterator[object]:
        """Yield the statements of an example.

        Raises:
            Unconvertible: one is not read.
        """
        reader = RubyReader(self.tokens[begin:stop])
        while not reader.done():
            yield self.statement(reader, scope)
            if not reader.done() and reader.tokens[reader.at - 1].kind != "nl":
                raise Unconvertible(f"{reader.peek(True).text!r} after a statement")

    def statement(self, reader: RubyReader, scope: SpecScope) -> object:
        """Return a statement: `is_expected.to`, `should`, or `expect { ... }.to raise_error`."""
        token = reader.take(skip_lines=True)
        if token.text in ("should", "should_not"):
            return self.matched(reader, scope, negated=token.text != "should")
        if token.text == "expect":
            if reader.take().text == "{":
                end = inside(reader.tokens, reader.at - 1)
                expected = [one for one in reader.tokens[reader.at : end] if one.kind != "nl"]
                reader.at = end + 1
                if expected[0].text not in ("is_expected", "should", "catalogue", "subject"):
                    raise Unconvertible(f"expect {{ {expected[0].text} }}")
            elif reader.take().text not in ("catalogue", "subject") or reader.take().text != ")":
                raise Unconvertible("expect(...) of something else than the catalog")
        elif token.text not in ("is_expected", "subject"):
            raise Unconvertible(f"{token.text} is not an expectation")
        reader.take(".")
        word = reader.take().text
        if word not in ("to", "not_to", "to_not"):
            raise Unconvertible(f".{word}")
        return self.matched(reader, scope, negated=word != "to")

    def matched(self, reader: RubyReader, scope: SpecScope, *, negated: bool) -> object:
        """Return the matcher of an expectation."""
        parentheses = reader.peek().text == "("
        if parentheses:
            reader.take("(")
        value = resolved(reader.value(), scope, "")
        if parentheses:
            reader.take(")", True)
        if not isinstance(value, RubyCall):
            raise Unconvertible("an expectation without a matcher")
        first = first_of(value)
        if first.name in ("raise_error",) or "and_raise_error" in names_of(value):
            return Raised(value)
        return Negated(value) if negated else value


def first_of(call: RubyCall) -> RubyCall:
    """Return the first call of a chain."""
    while isinstance(call.on, RubyCall):
        call = call.on
    return call


def names_of(call: object) -> Iterator[str]:
    """Yield the names of the calls of a chain."""
    while isinstance(call, RubyCall):
        yield call.name
        call = call.on


def resolved(value: object, scope: SpecScope, name: str) -> object:
    """Return a value with what `let` and blocks gave for its names.

    Raises:
        Unconvertible: a name is not known.
    """
    if isinstance(value, list):
        return [resolved(one, scope, name) for one in value]
    if isinstance(value, dict):
        return {key: resolved(one, scope, name) for key, one in value.items()}
    if not isinstance(value, RubyCall):
        return value
    arguments = tuple(resolved(one, scope, name) for one in value.arguments)
    if value.name == "version" and isinstance(value.on, RubyCall) and value.on.name == "Puppet":
        return PUPPET
    if value.on is None:
        return named(value, arguments, scope, name)
    on = resolved(value.on, scope, name)
    if value.name in ("merge", "deep_merge") and isinstance(on, (dict, SpecFacts)):
        (more,) = arguments
        if not isinstance(more, dict):
            raise Unconvertible("merge of something else than a hash")
        return SpecFacts({**on.more, **more}) if isinstance(on, SpecFacts) else {**on, **more}
    if isinstance(on, RubyCall):
        return RubyCall(value.name, arguments, on)
    raise Unconvertible(f".{value.name} of a value")


def named(call: RubyCall, arguments: tuple[object, ...], scope: SpecScope, name: str) -> object:
    """Return the value of a name if it is known, else the call itself."""
    for known in (scope.names, {} if call.name == name else scope.lets):
        if call.name in known:
            found = known[call.name]
            if isinstance(found, Unconvertible):
                raise found
            return found
    if call.name == "super":
        found = scope.lets.get(name)
        if isinstance(found, (dict, SpecFacts)):
            return found
        raise Unconvertible("super() without a value above")
    if name:
        raise Unconvertible(f"{call.name} is not known")
    return RubyCall(call.name, arguments)


def chain_of(call: RubyCall) -> list[RubyCall]:
    """Return the calls of a chain, the first one first."""
    found = [call]
    while found[0].on is not None:
        found.insert(0, cast("RubyCall", found[0].on))
    return found
