"""What a real cf-agent did with a policy, promise by promise: its debug log folded into events.

The frames that the agent pushes and pops give the nesting; each section frame is the next type of
its bundle's sequence, and each promise in it the next one of the parsed section. A log that does
not fit is an error, so that every run also tests the sequence.
"""

from __future__ import annotations

import re
from typing import Any

from analyzer.frontends.cfengine.policy.blocks import Policy
from analyzer.frontends.cfengine.policy.normal_order import in_order
from analyzer.frontends.cfengine.syntax.ast import Bundle

LINES = {
    name: re.compile(pattern, re.S)
    for name, pattern in {
        "push": r"\s*debug: PUSHED FRAME \(type (\w+)\)$",
        "pop": r"\s*debug: POPPED FRAME \(type (\w+)\)$",
        "bundle": r"\s*verbose: B: BEGIN bundle ([^(\s]+)",
        "edit": r"\s*verbose: Handling file edits in (edit_line|edit_xml) bundle '([^']+)'",
        "resolve": r"\s*debug: Resolving classes and variables in 'bundle (\w+) ([^']+)'",
        "begin": r"\s*verbose: P: BEGIN promise '.*' of type \"(\w+)\" \(pass \d+\)$",
        "object": r"\s*verbose: P:    Promiser/affected object: '(.*)'$",
        "promise": r"\s*debug: DeRefCopyPromise\(\): promiser:'",
        "guard": r"\s*debug: Skipping \w+ promise expansion with promiser .* due to class guard",
        "condition": r"\s*verbose: Skipping promise '.*' because constraint",
        "dependency": r"\s*verbose: Skipping promise '.*', as promise dependency",
        "is_set": r"\s*debug: Skipping evaluation of classes promise as class",
        "done": r"\s*verbose: A: Promise (was KEPT|REPAIRED|TIMED-OUT|NOT KEPT)",
        "class_set": r"\s*verbose: C:     \+  (?:Private|Global) class: \S+",
        "repaired": r"\s*info: (\w+) promise '(.*)' repaired$",
        "unchanged": r"\s*verbose: No changes done for the (\w+) promise '(.*)'$",
        "start": r"\s*verbose:\s+Begin policy/promise evaluation",
    }.items()
}
OUTCOMES = {
    "was KEPT": "kept",
    "REPAIRED": "repaired",
    "TIMED-OUT": "timeout",
    "NOT KEPT": "not_kept",
}
EVALUATED = ("vars", "meta", "defaults")

Row = dict[str, Any]


class Fold:
    """Events of the bundles' passes; what is evaluated between passes is left out."""

    def __init__(self, policy: Policy) -> None:
        self.policy = policy
        self.frames: list[Row] = []
        self.events: list[Row] = []
        self.running = False
        self.pending: Bundle | None = None
        self.open_edits: list[Row] = []
        # Promises of edit bundles that were begun, with the file: they have their locks.
        self.locked: set[tuple[Any, ...]] = set()

    def run(self, log: str) -> list[Row]:
        for line in log.split("\n"):
            for name, pattern in LINES.items():
                found = pattern.match(line)
                if found:
                    getattr(self, f"on_{name}")(*found.groups())
                    break
        kept = [event for event in self.events if event.pop("between") is False]
        return [event | {"outcome": event["outcome"] or "unfinished"} for event in kept]

    def top(self, *kinds: str) -> Row | None:
        return next((f for f in reversed(self.frames) if f["kind"] in kinds), None)

    def find(self, name: str, *kinds: str) -> Bundle | None:
        plain = name.rpartition(":")[2]
        for kind in kinds:
            for bundle in self.policy.bundles.values():
                if (bundle.type, bundle.name) == (kind, plain):
                    return bundle
        return None

    # ---- frames

    def on_start(self) -> None:
        self.running = True

    def on_bundle(self, name: str) -> None:
        self.pending = self.find(name, "agent", "common")

    def on_edit(self, kind: str, name: str) -> None:
        self.pending = self.find(name, kind)
        # What was repaired is told when an edit is over, before the next one.
        self.open_edits = []

    def on_push(self, kind: str) -> None:
        frame: Row = {"kind": kind}
        if kind == "BUNDLE":
            frame |= {"bundle": self.pending, "queue": [], "sections": 0, "last": ""}
            frame["begun"] = set()
            self.pending = None
        elif kind == "PROMISE_TYPE":
            frame |= self.next_section() | {"next": 0, "promise": None}
        elif kind == "PROMISE":
            frame |= {"iterations": 0, "skipped": 0}
        elif kind == "PROMISE_ITERATION":
            promise = self.top("PROMISE")
            if promise:
                promise["iterations"] += 1
                frame |= {"event": self.note(promise["iterations"]), "begins": 0}
        self.frames.append(frame)

    def next_section(self) -> Row:
        frame = self.top("BUNDLE")
        if frame is None or frame["bundle"] is None:
            return {"type": "", "pass": 0, "between": True}
        if frame["queue"]:
            return {"type": frame["queue"].pop(0), "pass": 0, "between": True}
        bundle = frame["bundle"]
        empty = bundle.type.startswith("edit")
        present = [s.type for s in bundle.sections if s.promises or empty]
        kinds = in_order(bundle.type, present)
        if not kinds:
            return {"type": "", "pass": 0, "between": True}
        number, place = divmod(frame["sections"], len(kinds))
        frame["sections"] += 1
        frame["last"] = kinds[place]
        return {"type": kinds[place], "pass": number + 1, "between": False}

    def on_resolve(self, kind: str, name: str) -> None:
        frame = self.top("BUNDLE")
        if frame is None:
            return
        frame["bundle"] = frame["bundle"] or self.find(name, kind)
        if frame["bundle"] is None:
            return
        types = ["vars", "classes", "vars"] if kind == "common" else ["vars"]
        types += ["defaults"] if frame["last"] == "classes" else []
        present = {section.type for section in frame["bundle"].sections}
        frame["queue"] = [kind for kind in types if kind in present]

    def on_pop(self, kind: str) -> None:
        frame = self.frames.pop()
        assert frame["kind"] == kind, "frames do not match"
        if kind == "PROMISE_ITERATION" and "event" in frame:
            self.finish(frame)
        elif kind == "PROMISE" and not frame["iterations"] and not frame["skipped"]:
            self.note(None, outcome="skipped")

    # ---- promises

    def note(self, iteration: int | None, **more: Any) -> Row:
        frame, section = self.top("BUNDLE"), self.top("PROMISE_TYPE")
        assert frame is not None
        assert section is not None
        bundle, promise = frame["bundle"], section["promise"]
        row: Row = {
            "bundle": bundle.name if bundle else "",
            "type": section["type"],
            "line": promise.line if promise else 0,
            # Where it holds no variables, as the log has it.
            "promiser": promise.promiser if promise and "$" not in promise.promiser else "",
            # Whether what makes its lock may be another one in another call.
            "varies": "$" in repr(promise),
            "iteration": iteration,
            "pass": section["pass"],
            "between": section["between"] or not self.running,
            "outcome": "",
        } | more
        self.events.append(row)
        return row

    def take_promise(self) -> None:
        frame, section = self.top("BUNDLE"), self.top("PROMISE_TYPE")
        if frame is None or section is None or frame["bundle"] is None:
            return
        for found in frame["bundle"].sections:
            if found.type == section["type"]:
                section["promise"] = found.promises[section["next"]]
                section["next"] += 1

    def on_promise(self) -> None:
        self.take_promise()

    def on_guard(self) -> None:
        self.take_promise()
        if self.top("PROMISE_TYPE"):
            self.note(None, outcome="skipped")

    def on_condition(self) -> None:
        if self.frames and self.frames[-1]["kind"] == "PROMISE":
            self.frames[-1]["skipped"] += 1
            self.note(None, outcome="skipped")

    on_dependency = on_is_set = on_condition

    def iteration(self) -> Row:
        return self.top("PROMISE_ITERATION") or {}

    def on_begin(self, kind: str) -> None:
        frame, section = self.iteration(), self.top("PROMISE_TYPE")
        if "event" in frame and section is not None:
            assert section["type"] == kind, f"{kind} where {section['type']} comes"
            frame["begins"] += 1

    def on_object(self, promiser: str) -> None:
        frame = self.iteration()
        if "event" in frame:
            frame["event"]["promiser"] = promiser

    def on_done(self, word: str) -> None:
        self.iteration()["done"] = OUTCOMES[word]

    def on_class_set(self) -> None:
        self.iteration()["set"] = True

    def finish(self, frame: Row) -> None:
        event = frame["event"]
        bundle = self.top("BUNDLE")
        assert bundle is not None
        edits = bundle["bundle"] and bundle["bundle"].type[:4] == "edit"
        place = tuple(event[key] for key in ("bundle", "type", "line", "iteration"))
        if event["type"] in EVALUATED:
            event["outcome"] = "evaluated"
        elif event["type"] == "classes":
            event["outcome"] = "set" if frame.get("set") else "not_set"
        elif edits and event["type"] != "reports":
            # Its result comes later, or never: then it is not known.
            begun = bundle["begun"] if event["varies"] else self.locked
            place = ((self.iteration().get("event") or {}).get("promiser"), *place)
            event["outcome"] = frame.get("edit") or ("skipped" if place in begun else "?")
            begun.add(place)
            self.open_edits.append(event)
        elif frame.get("done"):
            event["outcome"] = frame["done"]
        else:
            event["outcome"] = "kept" if edits and frame["begins"] > 1 else "skipped"

    def on_repaired(self, kind: str, promiser: str) -> None:
        for event in self.open_edits:
            text = event["promiser"]
            # The log has other letters in the place of two where a promise begins.
            told = promiser.replace("*", ":").replace("#", ".")
            if event["type"] == kind and event["outcome"] == "?" and text in ("", told):
                event["outcome"] = "repaired"
                return

    def on_unchanged(self, kind: str, promiser: str) -> None:
        self.iteration()["edit"] = "kept"
