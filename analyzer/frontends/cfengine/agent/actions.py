"""Simulates a promise of each type: its effect on variables, classes, handles and locks."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from analyzer.frontends.cfengine.agent import journal
from analyzer.frontends.cfengine.agent.events import (
    EVALUATED,
    KEPT,
    NOT_KEPT,
    NOT_SET,
    REPAIRED,
    SET,
    SKIPPED,
    TIMEOUT,
)
from analyzer.frontends.cfengine.agent.frames import Frame
from analyzer.frontends.cfengine.agent.outcomes import CANCELS, DEFAULT, SETS
from analyzer.frontends.cfengine.agent.plan import Attributes, Plan
from analyzer.frontends.cfengine.agent.range_check import problem
from analyzer.frontends.cfengine.agent.state import Agent
from analyzer.frontends.cfengine.policy.bodies import CALLS, named
from analyzer.frontends.cfengine.policy.classes import canonified
from analyzer.frontends.cfengine.policy.evaluator import (
    Evaluator,
    completed,
    holds_itself,
    scalars,
    spliced,
)
from analyzer.frontends.cfengine.policy.normal_order import PASSES
from analyzer.frontends.cfengine.policy.patterns import UnknownResult, surely_matches
from analyzer.frontends.cfengine.policy.variables import (
    Aborted,
    DataList,
    Refused,
    Scope,
    unresolved,
)
from analyzer.frontends.cfengine.syntax.ast import Bundle, Call, ListValue, Scalar, Value
from analyzer.frontends.cfengine.syntax.vocabulary import syntax

# An outcome, and why it is so: a reason and what it is about.
Found = tuple[str, str, str]
# Evaluates a bundle for the promise that calls it, and returns its outcome.
CallBundle = Callable[[Agent, Frame, tuple[Value, ...], Scope], str]

VARIABLE = ("string", "int", "real", "slist", "ilist", "rlist", "data")
SINGLE = ("string", "int", "real")
DEEPEST_CALL = 50
# A report that is handed back to the caller, and the variable that it becomes first.
RESULT_INDEX, RESULT = "bundle_return_value_index", "last-result"
NEVER_LOCKED = frozenset(("build_xpath",))
# What is not known counts as false; alone it sets no class, whatever is asked of it.
COMBINATIONS: dict[str, Callable[[list[bool | None]], bool]] = {
    "expression": all,
    "and": all,
    "or": any,
    "not": lambda truths: not any(truths) and None not in truths,
    "xor": lambda truths: truths.count(True) % 2 == 1,
}


@dataclass(slots=True)
class Actions:
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

    def act(self) -> Found:
        """Run it, and return the outcome.

        Raises:
            Aborted: the agent ends there.
        """
        if self.plan.refused:
            raise Refused(self.plan.aborts)
        if self.agent.checking:
            said = problem(self.plan, self.attributes, self.evaluator)
            if said:
                raise Refused(said)
            return SKIPPED, "", ""
        if self.plan.aborts:
            raise Aborted(self.plan.aborts)
        found = ACTIONS.get(self.type, Actions.locked)(self)
        if found[0] != SKIPPED and found[1] != "undefined_type":
            if self.agent.recording and self.attributes.outcomes:
                self.outcome_classes(found[0])
            if "handle" in self.values:
                self.keep_handle(found[0])
        return found

    # ---- variables

    def variable(self) -> Found:
        """Set a variable, if its value is known."""
        scope = self.evaluator.scope
        for name in VARIABLE:
            if name in self.values:
                value = spliced(completed(self.evaluator.known(self.values[name]), scope), scope)
                if name in SINGLE and isinstance(value, list | dict):
                    # A container's reference stays as it is written; a list is not taken.
                    given = self.values[name]
                    value = None if type(value) is list else getattr(given, "text", None)
                self.refuse_itself(value)
                self.assign(DataList(value) if name == "data" and type(value) is list else value)
        return EVALUATED, "", ""

    def refuse_itself(self, value: object) -> None:
        """End the run if a variable's value contains the variable, as CFEngine does.

        Raises:
            Aborted: it does.
        """
        if holds_itself(self.promiser, value, self.evaluator.scope):
            raise Refused(f"variable {self.promiser} contains itself")

    def default(self) -> Found:
        """Set a variable that has no value, or one that matches a pattern."""
        now = self.evaluator.scope.get(self.promiser)
        pattern = self.values.get("if_match_regex")
        # A list is set anew each time.
        wanted = now is None or (pattern is None and isinstance(now, list | dict))
        if pattern is not None and isinstance(now, str):
            text = self.evaluator.known(pattern)
            wanted = isinstance(text, str) and surely_matches(text, now, re.DOTALL)
        for name in VARIABLE if wanted else ():
            if name in self.values:
                value = self.evaluator.known(self.values[name])
                self.refuse_itself(value)
                self.assign(value)
        return EVALUATED, "", ""

    def assign(self, value: object) -> None:
        """Set the variable that the promiser names."""
        if isinstance(value, bool) or not isinstance(value, str | list | dict):
            return
        if "$" in self.promiser and unresolved(self.promiser):
            return
        scope = self.evaluator.scope
        namespace, bundle, name = scope.assuming(scope.namespace).key(self.promiser)
        if (namespace, bundle) != (self.bundle.namespace, self.bundle.name):
            # "Remote bundle variable injection": CFEngine ignores it.
            return
        if self.type == "meta":
            bundle += "_meta"
        self.agent.set_variable((namespace, bundle, name), value, self.place)

    # ---- classes

    def set_class(self) -> Found:
        """Set a class, if its expression holds."""
        names = [name for name in COMBINATIONS if name in self.values]
        holds = not names or COMBINATIONS[names[0]](self.truths(self.values[names[0]]))
        if not holds:
            return NOT_SET, "", ""
        scope = self.values.get("scope")
        shared = self.bundle.type == "common" or "persistence" in self.values
        wide = scope is not None and self.evaluator.known(scope) == "namespace"
        self.put_class(canonified(self.promiser), shared=shared or wide)
        return SET, "", ""

    def truths(self, value: Value) -> list[bool | None]:
        """Return the truth of each part of an expression, None where it is not known."""
        parts = value.items if isinstance(value, ListValue) else (value,)
        # Measured: all is expanded twice, but the arguments of a function that is the whole value.
        own = self.evaluator
        again = Evaluator(own.scope, own.holds, again=not isinstance(value, Call))
        return [truth for part in parts for truth in self.truths_of(part, again)]

    def truths_of(self, part: Value, evaluator: Evaluator) -> list[bool | None]:
        """Return the value of an operand, or the values of the items of a list."""
        found = evaluator.known(part)
        result: list[bool | None] = []
        for item in found if isinstance(found, list) else [found]:
            try:
                result.append(evaluator.truth(item))
            except UnknownResult:
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
        scope = self.values.get("scope")
        shared = self.type == "classes" or scope is None
        shared = shared or self.evaluator.known(scope) != "bundle"  # type: ignore[arg-type]
        for attribute in SETS.get(outcome, ()):
            for name in self.class_names(attribute):
                self.put_class(name, shared=shared)
        for name in self.class_names(CANCELS.get(outcome, "cancel_notkept")):
            self.agent.cancel_class(self.frame, name)

    def class_names(self, attribute: str) -> list[str]:
        """Return the classes that a body's attribute names."""
        value = self.values.get(attribute)
        return [
            canonified(self.evaluator.scope.expand(text))
            for text in (scalars(value) if value is not None else ())
        ]

    # ---- locks, handles

    def keep_handle(self, outcome: str) -> None:
        """Mark the handle of this promise as done."""
        if outcome in (NOT_KEPT, TIMEOUT):
            return
        name = self.evaluator.known(self.values["handle"])
        if isinstance(name, str):
            self.agent.keep_handle(name, self.place)

    def done(self) -> Found | None:
        """Take the promise's lock, or report that an equal promise has it."""
        found, values = self.attributes, self.values
        known = [(name, repr(self.expanded(values[name]))) for name in found.varying]
        bundle = self.bundle
        file = self.frame.file if self.type != "reports" else ""
        identity = (
            *(self.type, self.promiser, bundle.namespace, bundle.name, file),
            *(*found.fixed, *known),
        )
        done = self.agent.done
        if identity not in done:
            done[identity] = self.place
            return None
        first = done[identity]
        if first is None or self.agent.events[first].promise is self.plan.promise:
            return SKIPPED, "already_done", ""
        return SKIPPED, "already_done", f"equal to {self.agent.events[first].promise.span}"

    def expanded(self, value: Value) -> object:
        """Return a value with its variables; a call of a bundle, or one not known, by its words."""
        found = self.evaluator.known(value)
        if found is None and isinstance(value, Call):
            # A body of the bundle's namespace may be named with it or without.
            name = value.name.removeprefix(f"{self.bundle.namespace}:")
            return (name, *map(self.argument, value.arguments))
        return found

    def argument(self, value: Value) -> object:
        """Return an argument of a bundle as it counts in the lock: a list by its name."""
        if isinstance(value, Scalar) and value.text[:2] in ("@(", "@{"):
            return value.text
        return self.expanded(value)

    def report(self) -> Found:
        """Print a report; a report with unknown variables waits until the last pass."""
        if self.agent.program != "agent":
            return SKIPPED, "no_action", "only cf-agent prints reports"
        if unresolved(self.promiser) and self.agent.number < PASSES:
            return SKIPPED, "held_unresolved", ""
        if RESULT_INDEX in self.values:
            index = self.evaluator.known(self.values[RESULT_INDEX])
            key = (self.bundle.namespace, self.bundle.name, f"{RESULT}[{index}]")
            self.agent.set_variable(key, self.promiser, self.place)
            return KEPT, "", ""
        return self.done() or (KEPT, "", "")

    def locked(self) -> Found:
        """Keep a promise of any other type, once in a run."""
        if not self.plan.known and self.type not in self.agent.policy.promise_types:
            return NOT_KEPT, "undefined_type", self.type
        locks = self.agent.program == "agent" and self.type not in NEVER_LOCKED
        done = self.done() if locks else None
        if done is not None:
            return done
        place = (
            *(self.bundle.name, self.type, self.plan.promise.line),
            self.iteration or 1,
        )
        given = self.agent.outcomes.take(place)
        if not self.plan.known and self.is_unresolved():
            return NOT_KEPT, "unresolved", ""
        if self.type == "files":
            self.create(given)
        inner = self.called()
        if inner is not None and self.type == "files" and self.agent.recording:
            self.outcome_classes(inner)
        return given or inner or DEFAULT.get(self.type, KEPT), "", ""

    def create(self, given: str | None) -> None:
        """Create a file before it is edited, which has an outcome of its own."""
        wanted = self.values.get("create")
        if wanted is None or given in (NOT_KEPT, TIMEOUT) or not self.agent.recording:
            return
        if self.evaluator.known(wanted) in ("true", "yes", "on"):
            made = given == REPAIRED and self.promiser not in self.agent.created
            self.agent.created.add(self.promiser)
            self.outcome_classes(REPAIRED if made else KEPT)

    def is_unresolved(self) -> bool:
        """Return whether the arguments of a module still contain variables, so that it does not
        run."""
        texts = [self.promiser]
        common = syntax().promises["*", "*"]
        for attribute in self.plan.promise.attributes:
            if attribute.name not in common:
                found = self.evaluator.known(attribute.value)
                texts += found if isinstance(found, list) else [found]
        return any(isinstance(text, str) and unresolved(text) for text in texts)

    # ---- calls

    def called(self) -> str | None:
        """Evaluate the bundle that a promise calls, and return its outcome."""
        agent, frame = self.agent, self.frame
        found = self.callee()
        if found is None:
            return None
        bundle, arguments = found
        if frame.depth > DEEPEST_CALL:
            raise Aborted(f"bundle {bundle.name} calls itself for ever")
        inherit = self.values.get("inherit")
        wanted = inherit is not None and self.evaluator.known(inherit) in ("true", "yes", "on")
        file = self.promiser if bundle.type.startswith("edit") else ""
        inner = frame.inner(bundle, self.place, file, inherit=wanted)
        if self.type == "methods":
            agent.clear_arrays(bundle)
        outcome = self.call(agent, inner, arguments, self.evaluator.scope)
        if self.type == "methods":
            agent.unbind(bundle)
            self.take_results(bundle)
        agent.mark(journal.RETURN, frame, self.number, self.place)
        return outcome if outcome in (REPAIRED, NOT_KEPT, TIMEOUT) else KEPT

    def take_results(self, callee: Bundle) -> None:
        """Set the results of a bundle, for a methods promise with `useresult` (GetReturnValue)."""
        if "useresult" not in self.values:
            return
        name = self.evaluator.known(self.values["useresult"])
        for key, value in list(self.agent.table.items()):
            if key[:2] == (callee.namespace, callee.name) and key[2].startswith(RESULT):
                index = key[2].removeprefix(RESULT)
                place = (self.bundle.namespace, self.bundle.name, f"{name}{index}")
                self.agent.set_variable(place, value, self.place)

    def callee(self) -> tuple[Bundle, tuple[Value, ...]] | None:
        """Return the bundle that a promise calls, with its arguments."""
        for attribute, kinds in CALLS.get(self.type, ()):
            value = self.values.get(attribute)
            name, arguments = named(value) if value is not None else ("", ())
            if value is None and self.type == "methods":
                name = self.promiser
            name = self.evaluator.scope.expand(name)
            space = self.bundle.namespace
            bundle = self.agent.policy.bundle(name, space, *kinds) if name else None
            if bundle:
                return bundle, arguments
            if self.type == "methods" and not self.missing_allowed():
                raise Aborted(f"there is no bundle {name} for methods to use")
        return None

    def missing_allowed(self) -> bool:
        """Return whether calls of missing bundles are ignored."""
        found = self.agent.policy.control("common", "ignore_missing_bundles")
        return any(text in ("true", "yes", "on") for a in found for text in scalars(a.value))


ACTIONS: dict[str, Callable[[Actions], Found]] = {
    "meta": Actions.variable,
    "vars": Actions.variable,
    "defaults": Actions.default,
    "classes": Actions.set_class,
    "reports": Actions.report,
}
