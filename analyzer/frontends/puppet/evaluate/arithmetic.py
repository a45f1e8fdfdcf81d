"""`+ - * / % << >>` on numbers, arrays and hashes (EvaluatorImpl#calculate)."""

from __future__ import annotations

import operator
from collections.abc import Callable
from math import isinf
from typing import TYPE_CHECKING, Any, NoReturn

from analyzer.frontends.puppet.evaluate.compare import is_number
from analyzer.frontends.puppet.evaluate.errors import Unit, fail
from analyzer.frontends.puppet.evaluate.ruby import to_s
from analyzer.frontends.puppet.evaluate.text import unknown_in
from analyzer.frontends.puppet.evaluate.thunks import Thunk, compiles, name_of, thunk_of
from analyzer.frontends.puppet.evaluate.times import TIMES, NotApplicable, Opposed
from analyzer.frontends.puppet.evaluate.times import calculate as on_times
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.syntax.lexing.numbers import value_of
from analyzer.frontends.puppet.types.mismatches.labels import a_kind_of
from analyzer.frontends.puppet.types.uris import merged
from analyzer.model.keys import as_key, keys_of, of_key, pairs_of
from analyzer.model.values import Binary, Unknown, Uri
from analyzer.pattern import pattern

if TYPE_CHECKING:
    from analyzer.frontends.puppet.evaluate.machine import Machine
    from analyzer.frontends.puppet.evaluate.scope import Scope

# A sign and a number; no line break may stand around them (Pops::Patterns::NUMERIC).
NUMBER = pattern(r"[ \t]*([-+]?)[ \t]*(\w[\w.-]*)[ \t]*\Z")

LEAST, MOST = -(2**63), 2**63 - 1


def divide(left: Any, right: Any) -> Any:
    """Divide: whole numbers downwards, floats as floats."""
    if type(left) is int and type(right) is int:
        return left // right
    if right == 0:
        return float("nan") if left == 0 else float("inf") if left > 0 else float("-inf")
    return left / right


def modulo(left: Any, right: Any) -> Any:
    """Return the remainder, with the sign of the divisor."""
    return left % right


def shift_left(left: Any, right: Any) -> Any:
    """Shift bits left, or right for a negative count; beyond all bits the number is past range."""
    return left >> -right if right < 0 else left << min(right, 128)


def shift_right(left: Any, right: Any) -> Any:
    """Shift bits right, or left for a negative count."""
    return left << min(-right, 128) if right < 0 else left >> right


NUMERIC: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": divide,
    "%": modulo,
    "<<": shift_left,
    ">>": shift_right,
}


@compiles(a.ArithmeticExpression)
def arithmetic(node: a.ArithmeticExpression, unit: Unit) -> Thunk:
    """Compile an operation on two values."""
    left, right = thunk_of(node.left_expr, unit), thunk_of(node.right_expr, unit)
    # A trace listens to variables, too.
    plain = unit.trace is None
    one, other = (name_of(node.left_expr), name_of(node.right_expr)) if plain else ("", "")
    sign = node.operator
    apply = NUMERIC[sign]
    # Not the shifts, whose counts have bounds; a division by zero is an error with a place.
    whole, divides = sign in "+-*", sign in "/%"

    def calculate(machine: Machine, scope: Scope) -> Any:
        frame = scope.frames[-1]
        first = frame[one] if one in frame else left(machine, scope)
        second = frame[other] if other in frame else right(machine, scope)
        if type(first) is int and type(second) is int and (whole or (divides and second)):
            result = apply(first, second)
            if LEAST <= result <= MOST:
                return result
        return general(node, unit, machine, first, second)

    return calculate


def general(
    node: a.ArithmeticExpression, unit: Unit, machine: Machine, first: object, second: object
) -> Any:
    """Calculate with values of any kind."""
    if type(first) in (list, dict) and node.operator in ("+", "-", "<<"):
        return on_collection(node, unit, first, second)
    unknown = unknown_in(first, second)
    if unknown is not None:
        return unknown
    if type(first) in JOINED and node.operator == "+":
        return join(node, unit, first, second)
    first = numeric(first, node.left_expr, unit, machine)
    second = numeric(second, node.right_expr, unit, machine)
    return on_numbers(node, unit, first, second)


# Values that are no collections, and to which `+` appends.
JOINED = (Binary, Uri)


def join(node: a.ArithmeticExpression, unit: Unit, first: object, second: object) -> object:
    """Append bytes to bytes, or a reference to a URI (EvaluatorImpl#concatenate)."""
    if isinstance(first, Binary):
        if isinstance(second, Binary):
            return Binary(first.data + second.data)
        return fail(unit, node, "RUNTIME_ERROR", detail="Can only append Binary to a Binary")
    if isinstance(first, Uri) and isinstance(second, (str, Uri)):
        return merged(first, str(second))
    detail = "An URI can only be merged with an URI or String"
    return fail(unit, node, "RUNTIME_ERROR", detail=detail)


def numeric(value: Any, node: Any, unit: Unit, machine: Machine) -> Any:
    """Return a number or a time, or the number that a text says."""
    if is_number(value) or isinstance(value, TIMES):
        return value
    found = number_in(value) if type(value) is str else None
    if found is None:
        fail(unit, node, "NOT_NUMERIC", value=to_s(value))
    machine.warn_coercion(value, found, unit, node)
    return found


def number_in(text: str) -> int | float | None:
    """Return the number that a text says: any form of the language, with a sign (Utils.to_n)."""
    match = NUMBER.match(text)
    found = value_of(match[2]) if match else None
    return None if match is None or found is None else (-1 if match[1] == "-" else 1) * found[0]


def on_numbers(node: a.ArithmeticExpression, unit: Unit, first: Any, second: Any) -> Any:
    """Calculate with numbers, within Puppet's bounds."""
    sign = node.operator
    if type(first) is float and sign in ("%", "<<", ">>"):
        inapplicable(node, unit, first)
    if type(second) is float and sign == "%":
        inapplicable(node, unit, first, second)
    try:
        if isinstance(first, TIMES) or isinstance(second, TIMES):
            result = on_times(sign, first, second)
        else:
            result = NUMERIC[sign](first, int(second) if sign in ("<<", ">>") else second)
    except ZeroDivisionError:
        fail(unit, node.right_expr, "DIV_BY_ZERO")
    except NotApplicable:
        inapplicable(node, unit, first)
    except Opposed:
        inapplicable(node, unit, first, second)
    except ValueError as error:
        fail(unit, node, "RUNTIME_ERROR", detail=error)
    if type(result) is float and isinf(result):
        fail(unit, node.left_expr, "RESULT_IS_INFINITY", operator=sign)
    if type(result) is int and not LEAST <= result <= MOST:
        bound = "max" if result > MOST else "min"
        fail(unit, node, "NUMERIC_OVERFLOW", operator=sign, bound=bound, value=f"{result:+#x}")
    return result


def inapplicable(node: Any, unit: Unit, first: object, *second: object) -> NoReturn:
    """Refuse an operator that the left side does not have, or not with the right side.

    Raises:
        EvaluationError: always.
    """
    code = "OPERATOR_NOT_APPLICABLE_WHEN" if second else "OPERATOR_NOT_APPLICABLE"
    words = {"right": a_kind_of(second[0])} if second else {}
    fail(unit, node.left_expr, code, operator=node.operator, actual=a_kind_of(first), **words)


def on_collection(node: a.ArithmeticExpression, unit: Unit, first: Any, second: Any) -> Any:
    """Add to, or take from, an array or a hash."""
    if node.operator == "<<":
        if type(first) is not list:
            fail(unit, node.left_expr, "OPERATOR_NOT_APPLICABLE", operator="<<", actual="a Hash")
        return [*first, second]
    unknown = unknown_in(second) if type(second) not in (list, dict) else None
    if unknown is not None:
        return unknown
    if node.operator == "-":
        kept = first if type(first) is list else list(first)
        return unknown_in(kept, second) or without(first, second)
    if type(first) is list:
        return first + as_array(second)
    if type(second) is dict:
        return {**first, **second}
    if type(second) is list:
        unknown = next((one for one in second if type(one) is Unknown), None)
        return unknown or {**first, **hash_of(second, unit, node)}
    return fail(unit, node, "RUNTIME_ERROR", detail="Can only append Array or Hash to a Hash")


def as_array(value: object) -> list[Any]:
    """Return an array; a hash as pairs, any other value alone."""
    if type(value) is list:
        return value
    if type(value) is dict:
        return pairs_of(value)
    return [value]


def hash_of(values: list[Any], unit: Unit, node: Any) -> dict[Any, Any]:
    """Return the hash of pairs, or of keys and values in turn (Ruby's Hash[])."""
    if values and all(type(value) is list for value in values):
        return {as_key(pair[0]): pair[1] if len(pair) > 1 else None for pair in values if pair}
    if len(values) % 2:
        fail(unit, node, "RUNTIME_ERROR", detail="odd number of arguments for Hash")
    return dict(zip(map(as_key, values[::2]), values[1::2], strict=True))


def without(first: Any, second: Any) -> Any:
    """Return an array without equal elements, or a hash without keys."""
    if type(first) is list:
        taken = as_array(second)
        return [value for value in first if not any(same(value, other) for other in taken)]
    taken = keys_of(second) if type(second) in (dict, list) else [second]
    left = [key for key in first if not any(same(of_key(key), one) for one in taken)]
    return {key: first[key] for key in left}


def same(left: object, right: object) -> bool:
    """Return whether values are the same for Ruby: texts with case, booleans no numbers."""
    return (type(left) is type(right) and bool(left == right)) or (
        is_number(left) and is_number(right) and left == right
    )
