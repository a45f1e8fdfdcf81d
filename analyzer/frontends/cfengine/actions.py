"""What a promise of each type does in a simulated run: to variables, classes, handles and locks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from analyzer.frontends.cfengine.ast import Call, Value
from analyzer.frontends.cfengine.bodies import named
from analyzer.frontends.cfengine.classes import canonified
from analyzer.frontends.cfengine.events import (
    EVALUATED,
    KEPT,
    NOT_KEPT,
    NOT_SET,
    REPAIRED,
    SET,
    SKIPPED,
    TIMEOUT,
    Aborted,
    Event,
)
from analyzer.frontends.cfengine.functions import NotKnown
from analyzer.frontends.cfengine.outcomes import DEFAULT
from analyzer.frontends.cfengine.sequence import PASSES
from analyzer.frontends.cfengine.values import Evaluator, scalars
from analyzer.frontends.cfengine.variables import unresolved

if TYPE_CHECKING:
    from analyzer.frontends.cfengine.agent import Agent, Frame

VARIABLE = ("string", "int", "real", "slist", "ilist", "rlist", "data")
# Not part of what makes two promises the same (PromiseRuntimeHash).
LEFT_OUT = frozenset(
    ("mtime", "atime", "ctime", "stime_range", "ttime_range", "log_string", "template_data")
)
# How often CFEngine expands a value to find the variable in it.
DEEPEST_VALUE = 5
NEVER_LOCKED = frozenset(("build_xpath",))
# Outcome: the classes that a body sets, and those that it cancels.
SETS = {
    KEPT: ("promise_kept",),
    REPAIRED: ("promise_repaired",),
    NOT_KEPT: ("repair_failed",),
    TIMEOUT: ("repair_timeout",),
}
CANCELS = {KEPT: "cancel_kept", REPAIRED: "cancel_repaired"}
COMBINATIONS: dict[str, Callable[[list[bool]], bool]] = {
    "expression": all,
    "and": all,
    "or": any,
    "not": lambda truths: not any(truths),
    "xor": lambda truths: sum(truths) % 2 == 1,
}


class Actions:
    """One iteration of a promise that is begun; `place` is its event's, None between passes."""

    def __init__(
        self,
        agent: Agent,
        frame: Frame,
        event: Event,
        attributes: dict[str, Value],
        evaluator: Evaluator,
        place: int | None,
    ) -> None:
        self.agent = agent
        self.frame = frame
        self.event = event
        self.attributes = attributes
        self.evaluator = evaluator
        self.place = place

    def act(self) -> Event:
        """Do it, and return the event with its outcome."""
        kind = self.event.type
        action = {
            "meta": self.variable,
            "vars": self.variable,
            "defaults": self.default,
            "classes": self.set_class,
            "reports": self.report,
        }.get(kind, self.locked)
        found = action()
        if found.begun:
            if self.agent.recording:
                self.outcome_classes(found.outcome)
            self.keep_handle(found.outcome)
        return found

    def ended(self, outcome: str, reason: str = "") -> Event:
        """Return the event with its outcome."""
        return replace(self.event, outcome=outcome, reason=reason)

    # ---- variables

    def variable(self) -> Event:
        """Set a variable, if its value is known."""
        for name in VARIABLE:
            if name in self.attributes:
                value = self.evaluator.known(self.attributes[name])
                if not isinstance(self.attributes[name], Call):
                    self.refuse_itself(value)
                self.assign(value)
        return self.ended(EVALUATED)

    def refuse_itself(self, value: Any) -> None:
        """End the run where a variable's value holds the variable, as CFEngine does.

        Raises:
            Aborted: it does.
        """
        name = self.event.promiser
        texts = [text for text in (value if isinstance(value, list) else [value]) if text]
        for _ in range(DEEPEST_VALUE):
            texts = [text for text in texts if isinstance(text, str) and "$" in text]
            if any(f"$({name})" in text or f"${{{name}}}" in text for text in texts):
                raise Aborted(f"variable {name} contains itself")
            texts = [self.evaluator.scope.expand(text) for text in texts]

    def default(self) -> Event:
        """Set a variable that has no value, or one that matches a pattern."""
        import re

        scope = self.evaluator.scope
        now = scope.get(self.event.promiser)
        pattern = self.attributes.get("if_match_regex")
        wanted = now is None
        if pattern is not None and isinstance(now, str):
            text = self.evaluator.known(pattern)
            wanted = isinstance(text, str) and re.fullmatch(text, now, re.DOTALL) is not None
        for name in VARIABLE if wanted else ():
            if name in self.attributes:
                self.assign(self.evaluator.known(self.attributes[name]))
        return self.ended(EVALUATED)

    def assign(self, value: Any) -> None:
        """Give the variable that the promiser names a value."""
        if isinstance(value, bool) or not isinstance(value, str | list | dict):
            return
        namespace, bundle, name = self.evaluator.scope.key(self.event.promiser)
        if self.event.type == "meta":
            bundle += "_meta"
        key = (namespace, bundle, name)
        self.agent.set_by(("variable", *key), self.place)
        self.agent.table[key] = value

    # ---- classes

    def set_class(self) -> Event:
        """Set a class, if its expression holds."""
        names = [name for name in COMBINATIONS if name in self.attributes]
        holds = not names or COMBINATIONS[names[0]](self.truths(self.attributes[names[0]]))
        if not holds:
            return self.ended(NOT_SET)
        scope = self.attributes.get("scope")
        shared = self.event.bundle.type == "common" or "persistence" in self.attributes
        wide = scope is not None and self.evaluator.known(scope) == "namespace"
        self.put_class(canonified(self.event.promiser), shared=shared or wide)
        return self.ended(SET)

    def truths(self, value: Value) -> list[bool]:
        """Return the truth of each part of an expression; what is not known is false."""
        try:
            found = self.evaluator.value(value)
        except NotKnown:
            return [False]
        result = []
        for part in found if isinstance(found, list) else [found]:
            try:
                result.append(self.evaluator.truth(part))
            except NotKnown:
                result.append(False)
        return result

    def put_class(self, name: str, *, shared: bool) -> None:
        """Set a class for the namespace, or for this call of the bundle."""
        space, colon, plain = name.rpartition(":")
        key = (space if colon else self.event.bundle.namespace, plain)
        if shared:
            self.agent.classes.soft.add(key)
            self.agent.set_by(("class", *key), self.place)
        else:
            self.frame.private[0].add(plain)
            self.agent.set_by(("class", str(id(self.frame.private[0])), plain), self.place)

    def outcome_classes(self, outcome: str) -> None:
        """Set and cancel the classes that a body ties to an outcome."""
        if outcome in (EVALUATED, SET, NOT_SET):
            outcome = KEPT
        scope = self.attributes.get("scope")
        shared = self.event.type == "classes" or scope is None
        shared = shared or self.evaluator.known(scope) != "bundle"  # type: ignore[arg-type]
        for attribute in SETS.get(outcome, ()):
            for name in self.class_names(attribute):
                self.put_class(name, shared=shared)
        for name in self.class_names(CANCELS.get(outcome, "cancel_notkept")):
            self.agent.classes.soft.discard((self.event.bundle.namespace, name))
            for private in self.frame.private:
                private.discard(name)

    def class_names(self, attribute: str) -> list[str]:
        """Return the classes that a body's attribute names."""
        value = self.attributes.get(attribute)
        return [
            canonified(self.evaluator.scope.expand(text))
            for text in (scalars(value) if value is not None else ())
        ]

    # ---- locks, handles

    def keep_handle(self, outcome: str) -> None:
        """Let those go on that depend on this promise."""
        handle = self.attributes.get("handle")
        if handle is None or outcome in (NOT_KEPT, TIMEOUT):
            return
        name = self.evaluator.known(handle)
        if isinstance(name, str):
            self.agent.handles.setdefault(name, self.place)

    def is_done(self) -> bool:
        """Take the promise's lock; true if an equal promise had it."""
        known = []
        for name in sorted(self.attributes):
            if name not in LEFT_OUT:
                known.append((name, repr(self.expanded(self.attributes[name]))))
        event = self.event
        where = (event.bundle.namespace, event.bundle.name, self.frame.file)
        identity = (event.type, event.promiser, *where, *known)
        done = identity in self.agent.done
        self.agent.done.add(identity)
        return done

    def expanded(self, value: Value) -> Any:
        """Return a value with its variables; a call of a bundle, or one not known, by its words."""
        found = self.evaluator.known(value)
        if found is None and isinstance(value, Call):
            return (value.name, *map(self.expanded, value.arguments))
        return found

    def report(self) -> Event:
        """Print a report; one with variables that are not known waits until the last pass."""
        if unresolved(self.event.promiser) and self.agent.number < PASSES:
            return self.ended(SKIPPED, "held_unresolved")
        if self.is_done():
            return self.ended(SKIPPED, "already_done")
        return self.ended(KEPT)

    def locked(self) -> Event:
        """Keep a promise of any other type, once in a run."""
        if self.event.type not in NEVER_LOCKED and self.is_done():
            return self.ended(SKIPPED, "already_done")
        event = self.event
        place = (event.bundle.name, event.type, event.promise.line, event.iteration or 1)
        given = self.agent.outcomes.take(place)
        inner = self.called()
        return self.ended(given or inner or DEFAULT.get(event.type, KEPT))

    # ---- calls

    def called(self) -> str | None:
        """Evaluate the bundle that a promise calls, and return its outcome."""
        from analyzer.frontends.cfengine.agent import DEEPEST_CALL, Frame

        agent, frame, event = self.agent, self.frame, self.event
        found = self.callee()
        if found is None:
            return None
        bundle, arguments = found
        if frame.depth > DEEPEST_CALL:
            raise Aborted(f"bundle {bundle.name} calls itself for ever")
        edits = bundle.type.startswith("edit")
        inherit = self.attributes.get("inherit")
        wanted = inherit is not None and self.evaluator.known(inherit) in ("true", "yes", "on")
        private: list[set[str]] = [set(), *(frame.private if wanted else [])]
        file = event.promiser if edits else ""
        inner = Frame(bundle, private, self.place, file, frame.depth + 1)
        outcome = agent.call(inner, arguments, self.evaluator.scope)
        return outcome if outcome in (REPAIRED, NOT_KEPT, TIMEOUT) else KEPT

    def callee(self) -> tuple[Any, tuple[Value, ...]] | None:
        """Return the bundle that a promise calls, with its arguments."""
        event, policy = self.event, self.agent.policy
        ways = {
            "methods": (("usebundle", ("agent", "common")),),
            "files": (("edit_line", ("edit_line",)), ("edit_xml", ("edit_xml",))),
            "services": (("service_bundle", ("agent", "common")),),
            "users": (("home_bundle", ("agent", "common")),),
        }
        for attribute, kinds in ways.get(event.type, ()):
            value = self.attributes.get(attribute)
            name, arguments = named(value) if value is not None else ("", ())
            if value is None and event.type == "methods":
                name = event.promiser
            name = self.evaluator.scope.expand(name)
            bundle = policy.bundle(name, event.bundle.namespace, *kinds) if name else None
            if bundle:
                return bundle, arguments
            if event.type == "methods" and not self.agent.missing_allowed():
                raise Aborted(f"there is no bundle {name} for methods to use")
        return None
