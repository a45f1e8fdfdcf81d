"""Builds the tree of a policy during parsing, with the checks that CFEngine does meanwhile.

Facts: the actions of cf3parse.y and cf3parse_logic.h. `line` counts as CFEngine does: an
attribute's is the line on which its value ended; after a bare name or variable that of the next
token, which the parser has then seen.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from analyzer.frontends.cfengine.syntax import ranges
from analyzer.frontends.cfengine.syntax.ast import (
    ANY,
    Attribute,
    Body,
    Bundle,
    Call,
    ListValue,
    Promise,
    Scalar,
    Section,
    Value,
)
from analyzer.frontends.cfengine.syntax.class_expressions import NoExpression
from analyzer.frontends.cfengine.syntax.class_expressions import parse as parse_expression
from analyzer.frontends.cfengine.syntax.json_text import container
from analyzer.frontends.cfengine.syntax.lexer import Token
from analyzer.frontends.cfengine.syntax.problems import Places, Problem
from analyzer.frontends.cfengine.syntax.vocabulary import (
    BUNDLE_TYPES,
    PROMISE_BLOCK,
    REMOVED,
    REMOVED_BODIES,
    REMOVED_TYPES,
    syntax,
)
from analyzer.source import Span

# The values of the right side of a rule: tokens, and what the actions of other rules returned.
Parts: TypeAlias = list[Any]

DEEPEST_CALL = 9
BODY_QUOTED = "An rvalue is quoted, but we expect an unquoted body identifier"


class Builder:
    """The state while a file is parsed: `shifted` is the last token, `ahead` the next one."""

    def __init__(self, text: str, path: str) -> None:
        self.places = Places(text, path)
        self.syntax = syntax()
        self.problems: list[Problem] = []
        self.bundles: list[Bundle] = []
        self.bodies: list[Body] = []
        self.promise_types: list[Body] = []
        self.namespace = self.opened_in = "default"
        start = Token("", "", 0, 1)
        self.shifted = self.ahead = start
        # The block that is open.
        self.keyword = self.type = self.name = ""
        self.name_token = start
        self.parameters: tuple[str, ...] = ()
        self.skip = False
        self.guard = ANY
        self.quoted_guard: str | None = None
        # Of a bundle: its types with their last lines and promises, and the promise that is open.
        self.sections: dict[str, tuple[int, list[Promise]]] = {}
        self.promise_type = ""
        self.last_type = ""
        self.promiser_token = start
        self.promisee: Value | None = None
        self.attributes: dict[str, Attribute] = {}
        # Of a body: its attributes by name and guard.
        self.selections: dict[tuple[str, str], Attribute] = {}
        self.attribute_token = start
        self.line = 1
        # How deep calls are nested in each call that was read, by its id.
        self.depths: dict[int, tuple[int, Call]] = {}

    # ---- problems

    def note(self, message: str, token: Token | None = None, line: int = 0) -> None:
        """Record a problem at a token, or without one at the last token."""
        at = token or self.shifted
        span = self.places.span(at.offset)
        self.problems.append(Problem(message, span, line or at.line))

    # ---- heads

    def begin(self, keyword: str, token: Token) -> None:
        """Begin a block."""
        self.keyword, self.type, self.name = keyword, token.text, ""
        self.guard, self.quoted_guard = ANY, None

    def bundle_type(self, parts: Parts) -> None:
        """`bundle TYPE`."""
        self.begin("bundle", parts[0])
        if self.type not in BUNDLE_TYPES:
            self.note(f"Unknown bundle type '{self.type}'")
            self.skip = True

    def body_type(self, parts: Parts) -> None:
        """`body TYPE`."""
        self.begin("body", parts[0])

    def promise_head(self, parts: Parts) -> None:
        """`promise agent`."""
        self.begin("promise", parts[0])
        if self.type != "agent":
            self.note(f"Custom promises only supported for 'agent', not '{self.type}'")

    def set_name(self, parts: Parts) -> None:
        """The name of a block."""
        self.name_token = parts[0]
        self.name = parts[0].text
        if self.keyword == "promise" and self.name in self.syntax.types:
            self.note(f"'{self.name}' promises are built in and cannot be custom")

    def set_parameters(self, parts: Parts) -> None:
        """`(a, b)`."""
        self.parameters = tuple(parts[1])

    def no_parameters(self, parts: object) -> None:
        """No parentheses, or empty ones."""
        self.parameters = ()

    # ---- bundles

    def open_bundle(self, parts: object) -> None:
        """`{` of a bundle."""
        self.skip = False
        self.sections = {}
        self.promise_type = ""

    def end_bundle(self, parts: object) -> None:
        """`}` of a bundle."""
        sections = tuple(
            Section(kind, line, tuple(promises)) for kind, (line, promises) in self.sections.items()
        )
        line, span = self.name_token.line, self.places.span(self.name_token.offset)
        head = (self.type, self.name, self.namespace, self.parameters)
        self.bundles.append(Bundle(*head, sections, line, span))

    def section(self, parts: Parts) -> None:
        """`TYPE:`."""
        self.promise_type = parts[0].text[:-1]
        self.guard, self.quoted_guard = ANY, None
        if (self.type, self.promise_type) in REMOVED_TYPES:
            self.skip = True
        if not self.skip:
            _, promises = self.sections.get(self.promise_type, (0, []))
            self.sections[self.promise_type] = (parts[0].line, promises)

    def set_guard(self, parts: Parts) -> None:
        """`EXPRESSION::`."""
        token = parts[0]
        self.guard, self.quoted_guard = ANY, None
        if token.text[:1] in ("'", '"'):
            self.quoted_guard = token.text[1:-1]
            return
        self.guard = token.text or ANY
        self.check_expression(token.text, token)

    def check_expression(self, text: str, token: Token, line: int = 0) -> None:
        """Refuse a text that is no class expression."""
        try:
            parse_expression(text)
        except NoExpression:
            self.note("Syntax error in context string", token, line)

    def promiser(self, parts: Parts) -> None:
        """The text that makes a promise."""
        self.promiser_token = parts[0]

    def begin_promise(self, parts: Parts) -> None:
        """A promiser, with or without a promisee."""
        self.promisee = parts[2] if len(parts) > 1 else None
        self.attributes = {}
        self.last_type = "" if self.skip else self.promise_type
        if self.quoted_guard is not None:
            value = Scalar(self.quoted_guard, symbol=True)
            self.attributes["ifvarclass"] = Attribute("ifvarclass", value, 0, self.span())

    def span(self) -> Span:
        """Return the place of the promiser."""
        return self.places.span(self.promiser_token.offset)

    def end_promise(self, parts: object) -> None:
        """Add a promise, all of it but the semicolon."""
        if self.skip or self.promise_type not in self.sections:
            return
        token = self.promiser_token
        attributes = tuple(self.attributes.values())
        self.sections[self.promise_type][1].append(
            Promise(token.text, self.promisee, self.guard, attributes, token.line, self.span())
        )

    def attribute_name(self, parts: Parts) -> None:
        """The name of an attribute of a promise."""
        self.attribute_token = token = parts[0]
        if self.syntax.promise_type(self.type, self.promise_type) is None:
            return
        if self.syntax.parsed_attribute(self.type, self.promise_type, token.text) is None:
            self.note(
                f"Unknown attribute '{token.text}' for promise type '{self.promise_type}'"
                f" in bundle with type '{self.type}'"
            )
            self.skip = True

    def attribute(self, parts: Parts) -> None:
        """`NAME => VALUE` of a promise."""
        if self.skip:
            return
        name, value, token = self.attribute_token.text, parts[2], self.attribute_token
        if name in ("data", "template_data") and isinstance(value, Scalar):
            value = container(value.text)
        own = self.syntax.promise_type(self.type, self.promise_type)
        wanted = own.get(name) if own else None
        if wanted and wanted.own and wanted.type not in ("body", "bundle", "removed"):
            self.check_value(name, value, wanted.type, wanted.range)
        self.check_condition(name, value)
        span = self.places.span(token.offset)
        if name in ("if", "ifvarclass") and name in self.attributes:
            value = joined(self.attributes[name].value, value)
        self.attributes[name] = Attribute(name, value, self.line, span)

    def check_value(self, name: str, value: Value, kind: str, limits: str) -> None:
        """Record the problems of a value."""
        for message in ranges.problems_of(name, value, kind, limits):
            self.note(message, self.attribute_token, self.line)

    def check_condition(self, name: str, value: Value) -> None:
        """Check the class expression of `if`."""
        if name in ("if", "ifvarclass") and isinstance(value, Scalar):
            self.check_expression(value.text, self.attribute_token, self.line)

    # ---- bodies

    def open_body(self, parts: object) -> None:
        """`{` of a body or promise block."""
        self.selections = {}
        self.opened_in = self.namespace
        if self.keyword == "body":
            self.skip = self.type in REMOVED_BODIES
        elif self.type != "agent":
            self.note(f"Invalid body type '{self.type}'")
            self.skip = True

    def end_body(self, parts: object) -> None:
        """`}` of a body or promise block."""
        if self.keyword == "body" and self.type in REMOVED_BODIES:
            return
        line, span = self.name_token.line, self.places.span(self.name_token.offset)
        head = (self.keyword, self.type, self.name, self.opened_in, self.parameters)
        body = Body(*head, tuple(self.selections.values()), line, span)
        (self.bodies if self.keyword == "body" else self.promise_types).append(body)

    def selection_name(self, parts: Parts) -> None:
        """The name of an attribute of a body."""
        self.attribute_token = token = parts[0]
        if self.skip or (self.keyword == "body" and self.type not in self.syntax.bodies):
            return
        known = PROMISE_BLOCK if self.keyword == "promise" else self.syntax.bodies[self.type]
        if token.text not in known:
            block = f"{self.keyword} {self.type} {self.name}"
            self.note(f"Unknown attribute '{token.text}' for '{block}'")
            self.skip = True

    def selection(self, parts: Parts) -> None:
        """`NAME => VALUE` of a body."""
        name, value, token = self.attribute_token.text, parts[2], self.attribute_token
        if not self.skip and not self.check_selection(name, value):
            if self.quoted_guard is not None:
                message = "Body attributes can't be put under a variable class"
                self.note(f"{message} '{self.quoted_guard}'", token, self.line)
            span = self.places.span(token.offset)
            self.selections[name, self.guard] = Attribute(name, value, self.line, span, self.guard)
        if (self.type, self.name, name) == ("file", "control", "namespace"):
            if isinstance(value, Scalar):
                self.namespace = value.text
            else:
                self.note("namespace must be a constant scalar string", token, self.line)

    def check_selection(self, name: str, value: Value) -> bool:
        """Check the value of a body's attribute; true if the attribute is left out of the tree."""
        if self.keyword == "promise":
            wanted = PROMISE_BLOCK.get(name)
        elif self.type in self.syntax.bodies:
            wanted = self.syntax.body_attribute(self.type, self.name, name)
            if self.syntax.bodies[self.type].get(name) is REMOVED:
                return True
            if wanted is None:
                message = f"Constraint lvalue \"{name}\" is not allowed in '{self.type}'"
                self.note(f"{message} constraint body", self.attribute_token, self.line)
        else:
            return False
        if wanted and wanted.type not in ("body",):
            self.check_value(name, value, wanted.type, wanted.range)
        self.check_condition(name, value)
        return False

    # ---- values

    def symbol(self, parts: Parts) -> Scalar:
        """Return a bare name; CFEngine loses that of a promisee if an attribute follows."""
        self.line = self.ahead.line
        token = self.ahead if self.ahead.kind == "NAME" else parts[0]
        return Scalar(token.text, symbol=True)

    def quoted(self, parts: Parts) -> Scalar:
        """Return a string; for a body's name quotes are wrong."""
        self.line = self.shifted.line
        if self.last_type:
            wanted = (self.syntax.promise_type(self.type, self.last_type) or {}).get(
                self.attribute_token.text
            )
            if wanted and wanted.own and wanted.type == "body":
                self.note(BODY_QUOTED)
        return Scalar(parts[0].text)

    def variable(self, parts: Parts) -> Scalar:
        """Return a bare variable."""
        self.line = self.ahead.line
        return Scalar(parts[0].text)

    def other(self, parts: Parts) -> Value:
        """Return a list or a call."""
        self.line = self.shifted.line
        value: Value = parts[0]
        return value

    def scalar(self, parts: Parts) -> Scalar:
        """Return an item or argument."""
        return Scalar(parts[0].text)

    def text(self, parts: Parts) -> str:
        """Return a name unchanged."""
        return str(parts[0].text)

    def list(self, parts: Parts) -> ListValue:
        """`{ ... }`."""
        return ListValue(tuple(parts[1]))

    def empty_list(self, parts: object) -> ListValue:
        """`{ }`."""
        return ListValue(())

    def call(self, parts: Parts) -> Call:
        """`NAME(...)`."""
        arguments = tuple(parts[2])
        inner = [self.depths[id(a)][0] for a in arguments if isinstance(a, Call)]
        depth = 1 + max(inner, default=0)
        if depth > DEEPEST_CALL:
            self.note("Nesting of functions is deeper than recommended")
        call = Call(parts[0], arguments)
        self.depths[id(call)] = (depth, call)
        return call

    # ---- sequences

    def none(self, parts: object) -> object:
        """Nothing yet."""
        return []

    def nothing(self, parts: object) -> None:
        """Structure without a value."""

    def one(self, parts: Parts) -> object:
        """Return the first of a sequence."""
        return [parts[0]]

    def before(self, parts: Parts) -> object:
        """One before the rest of a sequence."""
        return [parts[0], *parts[2]]

    def append_third(self, parts: Parts) -> object:
        """One more after a comma."""
        parts[0].append(parts[2])
        return parts[0]


def joined(old: Value, new: Value) -> Value:
    """Return two conditions as one, as CFEngine joins a quoted guard and `if`."""
    text = old.text if isinstance(old, Scalar) else ""
    if isinstance(new, Scalar):
        return Scalar(f"({text}).({new.text})", new.symbol)
    return Call("and", (Scalar(text), new))
