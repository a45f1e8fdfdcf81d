"""Edits that replace calls of functions that the target's stdlib does not have."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from analyzer.diagnostics import Edit
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.syntax.ast import Node
from analyzer.linter.puppet.ancestors import Ancestors
from analyzer.linter.puppet.subjects import Manifest
from analyzer.session.upgrade.lacking import RENAMED

# Functions that tell whether a value is of a type: those that take a text of digits for a number
# are not here, nor are those that read a text otherwise than the type does.
TESTS = {
    "is_absolute_path": "Stdlib::Absolutepath",
    "is_array": "Array",
    "is_bool": "Boolean",
    "is_hash": "Hash",
    "is_ip_address": "Stdlib::IP::Address",
    "is_ipv4_address": "Stdlib::IP::Address::V4",
    "is_ipv6_address": "Stdlib::IP::Address::V6",
    "is_mac_address": "Stdlib::MAC",
    "is_string": "String",
}
# Functions that refuse values which are of no type, with the types of all their arguments.
CHECKS = {
    "validate_absolute_path": "Stdlib::Absolutepath",
    "validate_array": "Array",
    "validate_bool": "Boolean",
    "validate_hash": "Hash",
    "validate_ip_address": "Stdlib::IP::Address",
    "validate_ipv4_address": "Stdlib::IP::Address::V4",
    "validate_ipv6_address": "Stdlib::IP::Address::V6",
    "validate_string": "String",
}
# Functions with another name, in this release and in the next.
ALIASES = {"private": "assert_private", "hash": "Hash", "sprintf_hash": "sprintf"}
# A slash that would end a regular expression.
UNESCAPED = re.compile(r"(?<!\\)/")
# The merges of the functions that `lookup` replaces.
MERGES = {"hiera": "", "hiera_array": "unique", "hiera_hash": "hash"}

# Expressions that need no parentheses beside an operator.
SIMPLE = (
    a.VariableExpression, a.AccessExpression, a.LiteralString, a.ConcatenatedString,
    a.LiteralInteger, a.LiteralBoolean, a.LiteralList, a.LiteralHash,
    a.CallNamedFunctionExpression, a.ParenthesizedExpression,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Change:
    """Edits that belong together, and the place that they mend.

    `only_after` says that the release before need not know what they write.
    """

    file: str
    start: int
    edits: tuple[Edit, ...]
    only_after: bool = False


def changes_of_calls(manifest: Manifest) -> Iterator[Change]:
    """Yield a change for each call that can be replaced."""
    typed: set[int] = set()
    for node, around in manifest.nodes(a.CallNamedFunctionExpression):
        name = str(getattr(node.functor_expr, "value", "")).removeprefix("::")
        maker = maker_of(name)
        if maker is None:
            continue
        edits = maker(Call(manifest, node, around, name, typed))
        if edits:
            yield Change(manifest.file, node.offset, tuple(edits), name in RENAMED)


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a function; `typed` are the parameters that were given a type already."""

    manifest: Manifest
    node: a.CallNamedFunctionExpression
    around: Ancestors
    name: str
    typed: set[int]

    def edit(self, start: int, end: int, text: str) -> Edit:
        """Return an edit of the manifest."""
        return Edit(self.manifest.file, start, end, text)

    @property
    def end(self) -> int:
        """Return where the call ends."""
        return self.node.offset + self.node.length


Maker = Callable[[Call], list[Edit]]


def maker_of(name: str) -> Maker | None:
    """Return the function that makes the edits for a call, None for one that stays."""
    if name in TESTS:
        return test
    if name in CHECKS or name in SPECIAL:
        return check
    if name in ALIASES or name in RENAMED:
        return other_name
    return {"has_key": key, **dict.fromkeys(MERGES, looked_up)}.get(name)


def test(call: Call) -> list[Edit]:
    """Return the edits of `is_string($x)` to `$x =~ String`."""
    if len(call.node.arguments) != 1 or not is_simple(call.node.arguments[0]):
        return []
    (value,) = call.node.arguments
    before, after = parentheses(call)
    return [
        call.edit(call.node.offset, value.offset, before),
        call.edit(value.offset + value.length, call.end, f" =~ {TESTS[call.name]}{after}"),
    ]


def key(call: Call) -> list[Edit]:
    """Return the edit of `has_key($h, 'k')` to `'k' in $h`."""
    if len(call.node.arguments) != 2 or not all(map(is_simple, call.node.arguments)):
        return []
    table, name = map(call.manifest.source, call.node.arguments)
    before, after = parentheses(call)
    return [call.edit(call.node.offset, call.end, f"{before}{name} in {table}{after}")]


def parentheses(call: Call) -> tuple[str, str]:
    """Return the text around an operation in the place of a call: none in a condition."""
    around = call.around[-1]
    whole = isinstance(around, a.IfExpression | a.UnlessExpression | a.ParenthesizedExpression)
    both = isinstance(around, a.AndExpression | a.OrExpression)
    return ("", "") if whole or both else ("(", ")")


def is_simple(node: Node) -> bool:
    """Return whether an expression needs no parentheses beside an operator."""
    return isinstance(node, SIMPLE)


def other_name(call: Call) -> list[Edit]:
    """Return the edit that gives the function its new name."""
    functor = call.node.functor_expr
    new = ALIASES.get(call.name) or f"stdlib::{call.name}"
    return [call.edit(functor.offset, functor.offset + functor.length, new)]


def looked_up(call: Call) -> list[Edit]:
    """Return the edit of `hiera('k', 1)` to `lookup('k', undef, undef, 1)`."""
    key, *others = map(call.manifest.source, call.node.arguments)
    if len(others) > 1 or call.node.lambda_ is not None:
        return []
    merge = MERGES[call.name]
    words = [key]
    if others or merge:
        words += ["undef", f"'{merge}'" if merge else "undef", *others]
    return [call.edit(call.node.offset, call.end, f"lookup({', '.join(words)})")]


def check(call: Call) -> list[Edit]:
    """Return the edits that give parameters a type and remove the call that checks them.

    The call must be a statement of its own in the class or define that has the parameters.
    """
    home = next((one for one in reversed(call.around) if not is_block(one)), None)
    if not isinstance(home, a.HostClassDefinition | a.ResourceTypeDefinition):
        return []
    found = typed_arguments(call)
    by_name = {one.name: one for one in home.parameters}
    parameters = [by_name.get(name) for name, _ in found]
    edits = []
    for parameter, (_, kind) in zip(parameters, found, strict=True):
        if parameter is None or parameter.type_expr is not None or parameter.offset in call.typed:
            return []
        may_lack = isinstance(parameter.value, a.LiteralUndef)
        text = f"Optional[{kind}] " if may_lack else f"{kind} "
        edits.append(call.edit(parameter.offset, parameter.offset, text))
    if not edits:
        return []
    call.typed.update(one.offset for one in parameters if one is not None)
    return [*edits, call.edit(*whole_lines(call), "")]


def is_block(node: object) -> bool:
    """Return whether a node holds statements and nothing else."""
    return isinstance(node, a.BlockExpression)


def typed_arguments(call: Call) -> list[tuple[str, str]]:
    """Return the variables that a call checks, each with its type; none if one has no type."""
    arguments = list(call.node.arguments)
    special = SPECIAL.get(call.name)
    if special is not None:
        kind = special(call.manifest, arguments[1:] if arguments else [])
        arguments = arguments[:1] if kind else []
    else:
        kind = CHECKS[call.name]
    names = [getattr(getattr(one, "expr", None), "value", None) for one in arguments]
    return [(str(name), kind) for name in names] if all(names) else []


def pattern_type(manifest: Manifest, arguments: list[Node]) -> str:
    """Return the type of `validate_re($x, '^a$')`, or an empty string."""
    first = arguments[0] if arguments else None
    texts = first.values if isinstance(first, a.LiteralList) else (first,)
    if not texts or not all(isinstance(one, a.LiteralString) for one in texts):
        return ""
    forms = [UNESCAPED.sub(r"\\/", str(getattr(one, "value", ""))) for one in texts]
    return f"Pattern[{', '.join(f'/{form}/' for form in forms)}]" if all(forms) else ""


def length_type(manifest: Manifest, arguments: list[Node]) -> str:
    """Return the type of `validate_slength($x, 10, 2)`, or an empty string."""
    numbers = [one.value for one in arguments if isinstance(one, a.LiteralInteger)]
    if len(numbers) != len(arguments) or not 1 <= len(numbers) <= 2:
        return ""
    most, least = numbers[0], numbers[1] if len(numbers) == 2 else 0
    return f"String[{least}, {most}]"


# Functions whose further arguments say what the first one may be.
SPECIAL: dict[str, Callable[[Manifest, list[Node]], str]] = {
    "validate_re": pattern_type,
    "validate_slength": length_type,
}


def whole_lines(call: Call) -> tuple[int, int]:
    """Return where a statement begins and ends, with its lines if nothing else is on them."""
    text, start, end = call.manifest.text, call.node.offset, call.end
    first = text.rfind("\n", 0, start) + 1
    last = text.find("\n", end)
    last = len(text) if last < 0 else last + 1
    alone = not text[first:start].strip() and not text[end:last].strip()
    return (first, last) if alone else (start, end)
