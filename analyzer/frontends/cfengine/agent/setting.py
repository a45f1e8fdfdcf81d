"""The effects of promises on variables and classes."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from analyzer.frontends.cfengine.agent.events import (
    EVALUATED,
    KEPT,
    NOT_SET,
    REPAIRED,
    SET,
    UNKNOWN,
)
from analyzer.frontends.cfengine.agent.frames import Frame
from analyzer.frontends.cfengine.agent.outcomes import CANCELS, SETS
from analyzer.frontends.cfengine.agent.plan import Attributes, Plan
from analyzer.frontends.cfengine.agent.state import Agent
from analyzer.frontends.cfengine.policy.classes import canonified
from analyzer.frontends.cfengine.policy.evaluator import Evaluator, scalars
from analyzer.frontends.cfengine.policy.expansion import completed, holds_itself, spliced
from analyzer.frontends.cfengine.policy.patterns import surely_matches
from analyzer.frontends.cfengine.policy.unknown import (
    NoResult,
    Truth,
    Unknown,
    UnknownResult,
    all_of,
    any_of,
    none_of,
    odd,
    unknown_part,
)
from analyzer.frontends.cfengine.policy.variables import (
    Aborted,
    DataList,
    Refused,
    Scope,
    unresolved,
)
from analyzer.frontends.cfengine.syntax import ranges
from analyzer.frontends.cfengine.syntax.ast import Bundle, Call, ListValue, Scalar, Value
from analyzer.frontends.cfengine.syntax.vocabulary import syntax

# An outcome, and why it is so: a reason and what it is about.
Found = tuple[str, str, str]
# Evaluates a bundle for the promise that calls it, and returns its outcome.
CallBundle = Callable[[Agent, Frame, tuple[Value, ...], Scope], str]

VARIABLE = ("string", "int", "real", "slist", "ilist", "rlist", "data")
SINGLE = ("string", "int", "real")
# What has no truth counts as false; alone it sets no class, whatever is asked of it.
COMBINATIONS: dict[str, Callable[[list[Truth]], bool | Unknown]] = {
    "expression": all_of,
    "and": all_of,
    "or": any_of,
    "not": none_of,
    "xor": odd,
}


@dataclass(slots=True)
class Setting:
    """One iteration of a promise that runs; `place` is the number of its event, None between
    passes."""

    agent: Agent
    frame: Frame
    plan: Plan
    attributes: Attributes
    number: int
    iteration: int
    promiser: str
    evaluator: Evaluator
    place: int | None
    call: CallBundle
    bundle: Bundle = field(init=False)
    type: str = field(init=False)
    values: dict[str, Value] = field(init=False)

    def __post_init__(self) -> None:
        self.bundle = self.frame.bundle
        self.type = self.plan.type
        self.values = self.attributes.values

    def end_run(self, error: Aborted) -> None:
        """End the run, or record that it may have ended.

        Raises:
            Aborted: it ends.
        """
        if self.agent.doubt is None:
            raise error
        self.agent.may_end(self.agent.doubt, self.frame, whole=True)

    def variable(self) -> Found:
        """Set a variable, if its value is known."""
        scope = self.evaluator.scope
        for name in VARIABLE:
            if name in self.values:
                found = self.evaluator.known(self.values[name])
                if isinstance(found, Unknown):
                    self.assign(Unknown(found.why, name not in SINGLE, found.sure))
                    return UNKNOWN, UNKNOWN, found.why
                self.refuse_type(name, found)
                value = spliced(completed(found, scope), scope)
                if name in SINGLE and isinstance(value, list | dict):
                    # A container's reference stays as it is written; a list is not taken.
                    given = self.values[name]
                    value = None if type(value) is list else getattr(given, "text", None)
                if name in ("int", "real") and isinstance(self.values[name], Scalar):
                    value = as_number(name, value)
                self.refuse_itself(value)
                self.assign(DataList(value) if name == "data" and type(value) is list else value)
        return EVALUATED, "", ""

    def refuse_type(self, name: str, found: object) -> None:
        """End the run if a function without a value returns another type, as CFEngine does.

        Raises:
            Refused: it does.
        """
        value = self.values[name]
        if found is not None or not isinstance(value, Call) or name not in VARIABLE:
            return
        returned = syntax().functions.get(value.name)
        if returned and returned != name:
            self.end_run(
                Refused(
                    f"{self.plan.promise.span}: While setting variable '{self.promiser}' in bundle "
                    f"'{self.bundle.name}', variable declared type '{name}' but function "
                    f"'{value.name}' returns type '{returned}'"
                )
            )

    def refuse_itself(self, value: object) -> None:
        """End the run if a variable's value contains the variable, as CFEngine does.

        Raises:
            Aborted: it does.
        """
        if holds_itself(self.promiser, value, self.evaluator.scope):
            self.end_run(Refused(f"variable {self.promiser} contains itself"))

    def default(self) -> Found:
        """Set a variable that has no value, or one that matches a pattern."""
        now = self.evaluator.scope.get(self.promiser)
        if isinstance(now, Unknown):
            return EVALUATED, "", ""
        pattern = self.values.get("if_match_regex")
        # A list is set anew each time.
        wanted = now is None or (pattern is None and isinstance(now, list | dict))
        if pattern is not None and isinstance(now, str | list):
            text, items = self.evaluator.known(pattern), now if isinstance(now, list) else [now]
            wanted = isinstance(text, str) and any(
                surely_matches(text, str(item), re.DOTALL) for item in items
            )
        for name in VARIABLE if wanted else ():
            if name in self.values:
                value = self.evaluator.known(self.values[name])
                self.refuse_itself(value)
                self.assign(value)
        return EVALUATED, "", ""

    def assign(self, value: object) -> None:
        """Set the variable that the promiser names."""
        if isinstance(value, bool) or not isinstance(value, str | list | dict | Unknown):
            return
        if "$" in self.promiser and unresolved(self.promiser):
            return
        scope = self.evaluator.scope
        unknown = unknown_part(self.promiser) if "[" in self.promiser else None
        if unknown is not None and "$" not in self.promiser.partition("[")[0]:
            self.promiser = self.promiser.partition("[")[0]
            value = Unknown(unknown.why, many=True)
        namespace, bundle, name = scope.assuming(scope.namespace).key(self.promiser)
        if (namespace, bundle) != (self.bundle.namespace, self.bundle.name):
            # "Remote bundle variable injection": CFEngine ignores it.
            return
        if self.type == "meta":
            bundle += "_meta"
        key = (namespace, bundle, name)
        self.agent.types[key] = next((kind for kind in VARIABLE if kind in self.values), "")
        self.agent.tags[key] = self.tags()
        self.agent.set_variable(key, value, self.place)

    def tags(self) -> tuple[str, ...]:
        """Return the tags of what the promise sets."""
        value = self.values.get("meta")
        found = self.evaluator.known(value) if value is not None else ()
        return ("source=promise", *(found if isinstance(found, list) else ()))

    def set_class(self) -> Found:
        """Set a class, if its expression holds."""
        for name, choose in (("select_class", self.select), ("dist", self.distribute)):
            if name in self.values:
                return choose(self.evaluator.known(self.values[name]))
        names = [name for name in COMBINATIONS if name in self.values]
        holds = COMBINATIONS[names[0]](self.truths(self.values[names[0]])) if names else True
        if isinstance(holds, Unknown):
            given = self.agent.outcomes.truth(
                self.bundle.name, self.plan.promise.line, self.iteration, self.number
            )
            if given is None:
                return self.maybe_set_class(holds)
            holds = given
        if not holds or canonified(self.promiser) in self.agent.classes.never:
            return NOT_SET, "", ""
        self.put_own_class()
        return SET, "", ""

    def maybe_set_class(self, why: Unknown) -> Found:
        """Record that the class may be set, unless an option settles that."""
        if canonified(self.promiser) in self.agent.classes.never:
            return NOT_SET, "", ""
        with self.agent.doubting(why):
            self.put_own_class()
        return UNKNOWN, UNKNOWN, why.why

    def select(self, items: object) -> Found:
        """Set one of several classes, by a checksum of the machine's name, and the own one."""
        if not isinstance(items, list) or not items:
            return NOT_SET, "", ""
        names = [canonified(str(item)) for item in items]
        why = "which class is selected depends on the name of the machine"
        self.put_one_of(names, why, shared=True)
        self.put_own_class()
        return SET, "", ""

    def distribute(self, weights: object) -> Found:
        """Set a class for one of several weights, by chance, and the own one."""
        if not isinstance(weights, list) or not any(map(str, weights)):
            return NOT_SET, "", ""
        name = canonified(self.promiser)
        names = [f"{name}_{weight}" for weight in weights if str(weight).strip("0")]
        shared = self.bundle.type == "common"
        self.put_one_of(names, "which class is set depends on chance", shared=shared)
        self.put_own_class()
        return SET, "", ""

    def put_one_of(self, names: list[str], why: str, *, shared: bool) -> None:
        """Set one of several classes: the only one, or each perhaps."""
        with self.agent.doubting(Unknown(why) if len(set(names)) > 1 else None):
            for name in names:
                self.put_class(name, shared=shared)

    def put_own_class(self) -> None:
        """Set the class that the promise is about."""
        scope = self.values.get("scope")
        shared = self.bundle.type == "common" or "persistence" in self.values
        wide = scope is not None and self.evaluator.known(scope) == "namespace"
        self.put_class(canonified(self.promiser), shared=shared or wide)

    def truths(self, value: Value) -> list[Truth]:
        """Return the truth of each part of an expression, None where it is not known."""
        parts = value.items if isinstance(value, ListValue) else (value,)
        # Measured: all is expanded twice, but the arguments of a function that is the whole value.
        own = self.evaluator
        again = Evaluator(own.scope, own.holds, again=not isinstance(value, Call), world=own.world)
        return [truth for part in parts for truth in self.truths_of(part, again)]

    def truths_of(self, part: Value, evaluator: Evaluator) -> list[Truth]:
        """Return the value of an operand, or the values of the items of a list."""
        found = evaluator.known(part)
        if isinstance(found, Unknown):
            return [found]
        result: list[Truth] = []
        for item in found if isinstance(found, list) else [found]:
            try:
                result.append(evaluator.truth(item))
            except UnknownResult as unknown:
                result.append(unknown.unknown)
            except NoResult:
                # A text with variables is no class that is set; a function gave nothing.
                result.append(False if isinstance(item, str) else None)
        return result

    def put_class(self, name: str, *, shared: bool) -> None:
        """Set a class for the namespace, or for this call of the bundle."""
        space, colon, plain = name.rpartition(":")
        if shared:
            key = (space if colon else self.bundle.namespace, plain)
            self.agent.set_class(key, self.place, self.frame)
        else:
            self.agent.set_private(self.frame, plain, self.place)

    def outcome_classes(self, outcome: str) -> None:
        """Set and cancel the classes that a body names for an outcome."""
        if outcome in (EVALUATED, SET, NOT_SET):
            outcome = KEPT
        if outcome == UNKNOWN:
            self.possible_classes()
            return
        scope = self.values.get("scope")
        shared = self.type == "classes" or scope is None
        shared = shared or self.evaluator.known(scope) != "bundle"  # type: ignore[arg-type]
        for attribute in SETS.get(outcome, ()):
            for name in self.class_names(attribute):
                self.put_class(name, shared=shared)
        for name in self.class_names(CANCELS.get(outcome, "cancel_notkept")):
            self.agent.cancel_class(self.frame, name)

    def possible_classes(self) -> None:
        """Record the classes that a body names for any good outcome as possible ones."""
        why = Unknown(f"the outcome of {self.type} '{self.promiser}' is not known")
        for outcome in (KEPT, REPAIRED):
            with self.agent.doubting(why):
                self.outcome_classes(outcome)

    def class_names(self, attribute: str) -> list[str]:
        """Return the classes that a body's attribute names."""
        value = self.values.get(attribute)
        return [
            canonified(self.evaluator.scope.expand(text))
            for text in (scalars(value) if value is not None else ())
        ]


def as_number(kind: str, value: object) -> object:
    """Return a number as the agent stores it: without its unit, a real with six digits.

    What holds variables without a value is none.
    """
    if not isinstance(value, str) or unknown_part(value) is not None:
        return value
    if kind == "real":
        real = ranges.real(value)
        return None if real is None else f"{real:.6f}"
    number = ranges.integer(value)
    return None if number == ranges.NO_INTEGER else str(number)
