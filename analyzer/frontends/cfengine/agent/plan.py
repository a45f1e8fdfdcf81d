"""Computes the parts of a promise that are the same in each evaluation, once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from analyzer.frontends.cfengine.policy.blocks import Policy
from analyzer.frontends.cfengine.policy.bodies import flattened, missing_bodies
from analyzer.frontends.cfengine.policy.classes import is_expression
from analyzer.frontends.cfengine.policy.evaluator import scalars
from analyzer.frontends.cfengine.policy.variables import references
from analyzer.frontends.cfengine.syntax.ast import (
    ANY,
    Bundle,
    Call,
    Data,
    ListValue,
    Promise,
    Scalar,
    Value,
)
from analyzer.frontends.cfengine.syntax.class_expressions import Expression, names, parsed
from analyzer.frontends.cfengine.syntax.vocabulary import syntax

# Attributes that do not distinguish promises (PromiseRuntimeHash).
LEFT_OUT = frozenset(
    ("mtime", "atime", "ctime", "stime_range", "ttime_range", "log_string", "template_data")
)
NO_ACTION = frozenset(("meta", "vars", "defaults", "classes", "reports"))
CONDITIONS = ("ifvarclass", "if", "unless", "depends_on")
OUTCOMES = frozenset(
    (
        *("promise_kept", "promise_repaired", "repair_failed", "repair_timeout"),
        *("cancel_kept", "cancel_repaired", "cancel_notkept"),
    )
)


@dataclass(frozen=True, slots=True)
class Attributes:
    """Attributes with those of their bodies, and the references in them.

    `references` are the variables in all texts. Measured: where a value is a call of `ifelse`, the
    promise `waits` for none of them, and is begun with empty lists too. `fixed` are the values that
    never change, as they count in the promise's lock; `varying` those that hold variables or calls.
    """

    values: dict[str, Value]
    references: tuple[str, ...]
    waits: bool
    conditional: bool
    outcomes: bool
    fixed: tuple[tuple[str, str], ...]
    varying: tuple[str, ...]


class Plan:
    """One promise of one bundle; `guard` is None if it always holds.

    `never` says that the guard is no class expression, and so never true. `known`: whether
    CFEngine has the promise's type. `aborts` is why the agent ends where it keeps the promise, or
    before the run if the promise is `refused`.
    """

    __slots__ = (
        "_attributes",
        "aborts",
        "bundle",
        "guard",
        "known",
        "needs",
        "never",
        "policy",
        "promise",
        "refused",
        "type",
    )

    def __init__(self, promise: Promise, kind: str, bundle: Bundle, policy: Policy) -> None:
        self.promise, self.type, self.bundle, self.policy = promise, kind, bundle, policy
        self.guard: Expression | None = None
        self.needs: tuple[str, ...] = ()
        self.never = False
        if promise.guard != ANY:
            self.guard = parsed(promise.guard) if is_expression(promise.guard) else None
            self.never = self.guard is None
            self.needs = tuple(n for n, wanted in names(self.guard) if wanted) if self.guard else ()
        self.known = kind in syntax().types
        self.aborts, self.refused = "", False
        if kind not in NO_ACTION:
            self.aborts, self.refused = missing_body(promise, kind, bundle, policy)
        self._attributes: Attributes | None = None

    def attributes(self, holds: Callable[[str], bool]) -> Attributes:
        """Return the attributes; they are found anew where bodies have guards."""
        if self._attributes is not None:
            return self._attributes
        guards: list[str] = []

        def tested(guard: str) -> bool:
            if guard != ANY:
                guards.append(guard)
            return guard == ANY or holds(guard)

        bundle = self.bundle
        values = flattened(
            self.promise, self.type, bundle.type, bundle.namespace, self.policy, tested
        )
        found = made(self.promise, values)
        if not guards:
            self._attributes = found
        return found


def missing_body(promise: Promise, kind: str, bundle: Bundle, policy: Policy) -> tuple[str, bool]:
    """Return the error about the first missing body, empty if there is none, and whether an
    attribute of the promise's own type names it."""
    for attribute, name in missing_bodies(promise, kind, bundle, policy):
        space = bundle.namespace
        message = f"{promise.span}: there is no body {attribute} {name} in the namespace {space}"
        return message, attribute not in syntax().promises["*", "*"]
    return "", False


def made(promise: Promise, values: dict[str, Value]) -> Attributes:
    """Return a promise's attributes, divided into fixed and varying ones."""
    fixed, varying = [], []
    # In the order of the attributes: the last list varies fastest.
    texts = [promise.promiser, *(scalars(promise.promisee) if promise.promisee else ())]
    for name, value in values.items():
        found = list(scalars(value))
        texts += found
        if name in LEFT_OUT:
            continue
        if has_call(value) or any("$" in text or "@" in text for text in found):
            varying.append(name)
        else:
            fixed.append((name, repr(plain(value))))
    named = dict.fromkeys(name for text in texts if "$" in text for name in references(text))
    return Attributes(
        values,
        tuple(named),
        not any(isinstance(v, Call) and v.name == "ifelse" for v in values.values()),
        any(name in values for name in CONDITIONS),
        not OUTCOMES.isdisjoint(values),
        tuple(sorted(fixed)),
        tuple(sorted(varying)),
    )


def has_call(value: Value) -> bool:
    """Return whether a value is or contains a call."""
    if isinstance(value, ListValue):
        return any(has_call(item) for item in value.items)
    return isinstance(value, Call)


def plain(value: Value) -> object:
    """Return a value without variables and calls as texts and lists."""
    match value:
        case Scalar(text):
            return text
        case ListValue(items):
            return [plain(item) for item in items]
        case Data(data):
            return data
        case Call():
            return None
