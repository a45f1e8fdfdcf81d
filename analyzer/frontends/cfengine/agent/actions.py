"""Simulates a promise of each type: its effect on variables, classes, handles and locks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from analyzer.frontends.cfengine.agent import journal
from analyzer.frontends.cfengine.agent.buffers import READ, Buffer, edit, edit_outcome
from analyzer.frontends.cfengine.agent.events import (
    KEPT,
    NOT_KEPT,
    REPAIRED,
    SKIPPED,
    TIMEOUT,
    UNKNOWN,
    worse,
)
from analyzer.frontends.cfengine.agent.file_promises import FilePromises
from analyzer.frontends.cfengine.agent.module_lines import output_of, read_lines
from analyzer.frontends.cfengine.agent.outcomes import DEFAULT
from analyzer.frontends.cfengine.agent.range_check import problem
from analyzer.frontends.cfengine.agent.setting import Found
from analyzer.frontends.cfengine.policy.bodies import CALLS, named
from analyzer.frontends.cfengine.policy.classes import canonified
from analyzer.frontends.cfengine.policy.evaluator import scalars
from analyzer.frontends.cfengine.policy.host_files import UNREAD_TEXT, File
from analyzer.frontends.cfengine.policy.normal_order import PASSES
from analyzer.frontends.cfengine.policy.unknown import Unknown, first_unknown, unsure_part
from analyzer.frontends.cfengine.policy.variables import (
    EVERYWHERE,
    Aborted,
    Refused,
    unresolved,
)
from analyzer.frontends.cfengine.syntax.ast import Bundle, Call, Scalar, Value
from analyzer.frontends.cfengine.syntax.vocabulary import syntax

DEEPEST_CALL = 50
# A report that is handed back to the caller, and the variable that it becomes first.
RESULT_INDEX, RESULT = "bundle_return_value_index", "last-result"
NEVER_LOCKED = frozenset(("build_xpath",))


@dataclass(slots=True)
class Actions(FilePromises):
    """One iteration of a promise that runs."""

    def act(self) -> Found:
        """Run it, and return the outcome.

        Raises:
            Aborted: the agent ends there.
        """
        if self.plan.refused:
            raise Refused(self.plan.aborts)
        if self.agent.checking:
            said = problem(self.plan, self.attributes, self.evaluator)
            if said and self.agent.doubt is None:
                raise Refused(said)
            return SKIPPED, "", ""
        if self.plan.aborts:
            self.end_run(Aborted(self.plan.aborts))
        found = ACTIONS.get(self.type, Actions.locked)(self)
        if found[0] != SKIPPED and found[1] != "undefined_type":
            if self.agent.recording and self.attributes.outcomes:
                self.outcome_classes(found[0])
            if "handle" in self.values:
                self.keep_handle(found[0])
        return found

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
        done, maybe, doubts = self.agent.done, self.agent.maybe_done, self.agent.doubts
        if identity in maybe:
            if doubts:
                return SKIPPED, "already_done", maybe[identity].why
            # It runs now, or has run before.
            why = maybe.pop(identity)
            done[identity] = self.place
            self.agent.begin_doubt(why)
            return None
        if identity not in done:
            if doubts:
                doubts[-1].locks.append(identity)
            done[identity] = self.place
            return None
        first = done[identity]
        if first is None or self.agent.events[first].promise is self.plan.promise:
            return SKIPPED, "already_done", ""
        return SKIPPED, "already_done", f"equal to {self.agent.events[first].promise.span}"

    def expanded(self, value: Value) -> object:
        """Return a value with its variables; a call of a bundle, or one not known, by its words."""
        found = self.evaluator.known(value)
        if (found is None or isinstance(found, Unknown)) and isinstance(value, Call):
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
        unsure = unsure_part(self.promiser, EVERYWHERE)
        if unsure is not None:
            self.agent.begin_doubt(unsure)
        if RESULT_INDEX in self.values:
            index = self.evaluator.known(self.values[RESULT_INDEX])
            key = (self.bundle.namespace, self.bundle.name, f"{RESULT}[{index}]")
            self.agent.set_variable(key, self.promiser, self.place)
            return KEPT, "", ""
        return self.done() or self.printed()

    def printed(self) -> Found:
        """Print a file beside the report, which fails if there is none."""
        wanted = self.values.get("file_to_print")
        if wanted is None:
            return KEPT, "", ""
        given = self.given()
        path = self.evaluator.known(wanted)
        if given is not None or not isinstance(path, str):
            return given or KEPT, "", ""
        found = self.agent.files.find(path)
        if isinstance(found, Unknown):
            self.agent.begin_doubt(found)
            return UNKNOWN, UNKNOWN, found.why
        return KEPT if found is not None else NOT_KEPT, "", ""

    def given(self) -> str | None:
        """Return the outcome that the user gives, if there is one."""
        place = (self.bundle.name, self.type, self.plan.promise.line, self.iteration or 1)
        return self.agent.outcomes.take(place)

    def locked(self) -> Found:
        """Keep a promise of any other type, once in a run."""
        if not self.plan.known and self.type not in self.agent.policy.promise_types:
            return NOT_KEPT, "undefined_type", self.type
        if self.type == "services" and self.is_for_windows():
            return SKIPPED, "service_type", "windows"
        locks = self.agent.program == "agent" and self.type not in NEVER_LOCKED
        done = self.done() if locks else None
        if done is not None:
            return done
        given = self.given()
        if not self.plan.known and self.is_unresolved():
            return NOT_KEPT, "unresolved", ""
        if self.type == "files":
            return self.file(given), "", ""
        if self.only_warns() and self.type in ("commands", "methods", "services"):
            return given or NOT_KEPT, "", ""
        if self.type == "commands" and self.enabled("module"):
            read_lines(self.agent, self.frame, self.promiser, output_of(self.promiser))
        inner = self.edited() if self.frame.buffer is not None else self.called()
        return given or inner or DEFAULT.get(self.type, KEPT), "", ""

    def edited(self) -> str | None:
        """Change the lines of the file that is edited, and return the outcome, if it is known."""
        buffer = self.frame.buffer
        assert buffer is not None
        found = {name: self.evaluator.known(value) for name, value in self.values.items()}
        texts = {name: text for name, text in found.items() if isinstance(text, str)}
        given: list[object] = [] if self.type == "insert_lines" else [self.promiser]
        given += [found[name] for name in found if name in READ]
        if self.agent.doubt is not None or first_unknown(given):
            buffer.lines = None
            return None
        return edit(buffer, self.type, self.promiser, texts)

    def file(self, given: str | None) -> str:
        """Make a file, edit it, and return the outcome."""
        effect = self.effect()
        if self.only_warns():
            return given or (NOT_KEPT if effect.outcome == REPAIRED else effect.outcome or KEPT)
        if given not in (NOT_KEPT, TIMEOUT):
            self.put_file(effect.after)
            self.create(given, made=effect.created)
        inner = None
        if given is not None or effect.outcome != NOT_KEPT:
            buffer = self.buffer_of(effect)
            before = buffer.text()
            inner = self.called(buffer)
            if inner is not None:
                inner = edit_outcome(before, buffer.text(), inner)
                text = buffer.text()
                self.put_file(File("file", UNREAD_TEXT if text is None else text))
                if self.agent.recording:
                    self.outcome_classes(inner)
        found = given or inner or effect.outcome or KEPT
        if given is None and inner is not None and effect.outcome is not None:
            found = worse(inner, effect.outcome)
        return found

    def only_warns(self) -> bool:
        """Return whether the promise changes nothing: what it would change is not kept."""
        value = self.values.get("action_policy")
        return value is not None and self.evaluator.known(value) in ("warn", "nop")

    def create(self, given: str | None, *, made: bool | None) -> None:
        """Set the classes of a file that is created before it is edited."""
        if not self.enabled("create") or not self.agent.recording:
            return
        if made is None:
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

    def called(self, buffer: Buffer | None = None) -> str | None:
        """Evaluate the bundle that a promise calls, and return its outcome; an edit bundle changes
        the lines of a buffer."""
        agent, frame = self.agent, self.frame
        found = self.callee()
        if found is None:
            return None
        bundle, arguments = found
        if frame.depth > DEEPEST_CALL:
            raise Aborted(f"bundle {bundle.name} calls itself for ever")
        inherit = self.values.get("inherit")
        if self.type == "services":
            self.evaluator.scope.special["this.service_policy"] = self.service_policy()
        wanted = inherit is not None and self.evaluator.known(inherit) in ("true", "yes", "on")
        file = self.promiser if bundle.type.startswith("edit") else ""
        inner = frame.inner(bundle, self.place, file, inherit=wanted)
        inner.buffer = buffer
        if self.type == "methods":
            agent.clear_arrays(bundle)
        outcome = self.call(agent, inner, arguments, self.evaluator.scope)
        if self.type == "methods":
            agent.unbind(bundle)
            self.take_results(bundle)
        agent.mark(journal.RETURN, frame, self.number, self.place)
        return outcome if outcome in (REPAIRED, NOT_KEPT, TIMEOUT, UNKNOWN) else KEPT

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
        if self.type == "services" and "service_bundle" not in self.values:
            return self.default_service()
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
                self.end_run(Aborted(f"there is no bundle {name} for methods to use"))
        return None

    def is_for_windows(self) -> bool:
        """Return whether a service is one of Windows, which has no outcome elsewhere."""
        value = self.values.get("service_type")
        return value is not None and self.evaluator.known(value) == "windows"

    def service_policy(self) -> str:
        """Return the state that a service is to have."""
        value = self.values.get("service_policy")
        found = self.evaluator.known(value) if value is not None else None
        return found if isinstance(found, str) and found else "start"

    def default_service(self) -> tuple[Bundle, tuple[Value, ...]] | None:
        """Return the bundle of a service without a method of its own: `service_NAME`, or the
        `standard_services` of the standard library."""
        policy, space = self.agent.policy, self.bundle.namespace
        own = policy.bundle(f"service_{canonified(self.promiser)}", space, "agent")
        found = own or policy.bundle("default:standard_services", space, *CALLS["services"][0][1])
        arguments = (Scalar(self.promiser), Scalar(self.service_policy()))
        return (found, arguments) if found is not None else None

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
