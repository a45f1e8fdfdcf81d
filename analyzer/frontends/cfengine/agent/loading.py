"""Loads a policy file and its inputs as CFEngine does, and evaluates variables between files.

Facts: loading.c of 3.21, measured with `cf-agent -d`. A file is parsed and settled alone; then come
the inputs of its `body common control`, then those of its `body file control`, depth first. Before
an input with `$(..)` in it the inputs that the same list has given so far are settled once more.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from analyzer.diagnostics import CompileError, InputError
from analyzer.frontends.cfengine.agent.bundlesequence import TRUE
from analyzer.frontends.cfengine.agent.passes import settle
from analyzer.frontends.cfengine.agent.state import Agent
from analyzer.frontends.cfengine.policy.augments import read_augments
from analyzer.frontends.cfengine.policy.blocks import ENTRY, MAIN, Policy, entry_point
from analyzer.frontends.cfengine.policy.cross_file import check_whole
from analyzer.frontends.cfengine.policy.evaluator import Evaluator, words
from analyzer.frontends.cfengine.policy.patterns import Spent
from analyzer.frontends.cfengine.policy.variables import Scope, unresolved
from analyzer.frontends.cfengine.syntax.ast import (
    ANY,
    Attribute,
    Call,
    ListValue,
    PolicyFile,
    Value,
)
from analyzer.frontends.cfengine.syntax.check import load_text, read_text
from analyzer.model.documents import JsonObject
from analyzer.reach import may_read, roots_of, within
from analyzer.source import Span, caret_snippet

PROMISES = "promises.cf"
# Before a class that is never set.
NEGATION = "!"
DEEPEST_INPUTS = 200


def load_policy(
    path: str | Sequence[str], classes: Sequence[str] = (), allow_read: Sequence[str] = ()
) -> Policy:
    """Load a policy file and its inputs; further paths are inputs of the first.

    A folder stands for its `promises.cf`, or for all its policy files. Which inputs there are may
    depend on variables and classes; `classes` are set besides those of any Linux machine, those
    with `!` before them never. The
    `def.json` beside the first file is honoured. Inputs outside of the policy's checkout are read
    if they are in the folders of `allow_read`.

    Raises:
        InputError: a file cannot be read, or CFEngine refuses the policy.
    """
    paths = [path] if isinstance(path, str) else list(path)
    return Loader(paths, tuple(classes), allow_read).load()


class Loader:
    """Loads one policy; further `paths` are inputs of the first.

    Raises:
        InputError: a folder holds no policy, or several.
    """

    def __init__(
        self,
        paths: Sequence[str],
        classes: tuple[str, ...] = (),
        allow_read: Sequence[str] = (),
    ) -> None:
        self.paths = [file for path in paths for file in policy_files(path)]
        self.entry = self.paths[0]
        self.folder = os.path.dirname(self.entry)
        self.allow_read = allow_read
        self.policy = Policy(
            classes=tuple(name for name in classes if name and name[0] != NEGATION),
            negated=tuple(name[1:] for name in classes if name[:1] == NEGATION),
        )
        self.seen: set[object] = set()
        self.texts: dict[str, str] = {}
        Spent.seconds = 0.0
        self.agent: Agent | None = None
        # How many rounds the agent has settled.
        self.settled = 0

    def load(self) -> Policy:
        """Return the policy.

        Raises:
            InputError: a file cannot be read, or CFEngine refuses the policy.
        """
        with within(roots_of([self.folder or os.curdir, *self.paths], self.allow_read)):
            self.policy.augments = read_augments(self.folder)
            self.policy.warnings += self.policy.augments.warnings
            for path in self.paths:
                self.load_file(path, None, 0)
        check_whole(self.policy, self.texts)
        return self.policy

    def load_file(self, path: str, named: Attribute | None, depth: int) -> list[PolicyFile]:
        """Load one file and the files that its control bodies name, once."""
        real = os.path.realpath(path)
        if real in self.seen:
            return []
        text = self.read(path, named)
        if text is None or text in self.seen:
            return []
        self.seen |= {real, text}
        self.texts[path] = text
        tree = entry_point(load_text(text, path), entry=path == self.entry)
        self.policy.add(tree)
        self.policy.rounds.append(tree.bundles)
        files = [tree]
        for kind in ("common", "file"):
            inputs = self.effective(tree, kind)
            if inputs is not None:
                files += self.load_inputs(items_of(inputs.value), inputs, depth + 1)
        return files

    def read(self, path: str, named: Attribute | None) -> str | None:
        """Return the text of a file, None for an input that may be missing.

        Raises:
            InputError: it cannot be read; the place is that of the list that names it.
        """
        try:
            return read_text(path)
        except InputError as error:
            if named is None:
                raise
            if self.says("ignore_missing_inputs") and not os.path.exists(path):
                return None
            raise self.refusal(f"input {path} {error.message}", named.span) from None

    def refusal(self, message: str, span: Span) -> CompileError:
        """Return an error at a place of a file that was read."""
        snippet = caret_snippet(self.texts.get(span.file, ""), span.line, span.column or 1)
        return CompileError(message, span, "cf-input", snippet)

    def effective(self, tree: PolicyFile, kind: str) -> Attribute | None:
        """Return the inputs of a file's control body: the first list whose guard holds."""
        for body in tree.bodies:
            for attribute in body.attributes if (body.type, body.name) == (kind, "control") else ():
                if attribute.name == "inputs" and self.holds(attribute.guard):
                    return attribute
        return None

    def says(self, name: str) -> bool:
        """Return whether the loaded control body enables an option."""
        found = (a.value for a in self.policy.control("common", name) if self.holds(a.guard))
        return getattr(next(found, None), "text", "") in TRUE

    def holds(self, guard: str) -> bool:
        """Return whether a guard holds at this point of loading."""
        return guard == ANY or self.settle().classes.holds(guard, "default", []) is True

    def settle(self) -> Agent:
        """Return an agent that has settled all rounds so far."""
        if self.agent is None:
            self.agent = Agent(self.policy)
            self.agent.install()
        for bundles in self.policy.rounds[self.settled :]:
            settle(self.agent, bundles)
        self.settled = len(self.policy.rounds)
        return self.agent

    def load_inputs(
        self, items: Sequence[Value | str], named: Attribute, depth: int
    ) -> list[PolicyFile]:
        """Load a list of inputs in order.

        Raises:
            InputError: the lists contain each other.
        """
        if depth > DEEPEST_INPUTS:
            found = self.refusal("the inputs are nested too deep", named.span)
            raise InputError(found.message, found.span, found.code, found.snippet)
        files: list[PolicyFile] = []
        for item in items:
            found = self.names(item, files)
            if isinstance(found, list):
                files += self.load_inputs(found, named, depth + 1)
            elif found is None or unresolved(found) or "$" in found:
                place = f"{named.span.file}:{named.span.line}"
                text = f"{place}: input {shown(item)} is known to CFEngine only; it is left out"
                self.policy.warnings.append(text)
            elif may_read(path := self.path_of(found)):
                files += self.load_file(path, named, depth)
            else:
                place = f"{named.span.file}:{named.span.line}"
                text = (
                    f"{place}: input {found} is outside the policy's checkout and was not read"
                    " (--allow-read DIR opens more)"
                )
                self.policy.warnings.append(text)
        return files

    def path_of(self, name: str) -> str:
        """Return the path of an input; relative names are below the folder of the first file."""
        here = os.path.join(os.path.abspath(self.folder), "")
        return os.path.join(self.folder, name.removeprefix(here))

    def names(self, item: Value | str, files: list[PolicyFile]) -> Any:
        """Return the file names that an item of inputs has: its text, or the items of a list."""
        text = item if isinstance(item, str) else getattr(item, "text", None)
        if text is not None and "$" not in text and text[:1] != "@":
            return text
        scope = Scope({}, "default", "", self.places())
        if text is not None:
            text = scope.expand(text)
            if "$" not in text and text[:1] != "@":
                return text
            if "$" in text:
                self.policy.rounds.append(tuple(b for tree in files for b in tree.bundles))
        agent = self.settle()
        scope = Scope(agent.table, "default", "", self.places())
        evaluator = Evaluator(scope, lambda guard: agent.classes.holds(guard, "default", []))
        if isinstance(item, Call):
            given = evaluator.known(item)
            return given if isinstance(given, list | str) else None
        found = scope.list(str(text)) if str(text)[:1] == "@" else scope.expand(str(text))
        return found if isinstance(found, list | str) else None

    def places(self) -> JsonObject:
        """Return the variables that name folders, as if the policy lay where the agent runs it."""
        folder = os.path.abspath(self.folder)
        return {
            "sys.inputdir": folder,
            "sys.libdir": os.path.join(folder, "lib"),
            "sys.local_libdir": "lib",
            "sys.policy_entry_dirname": folder,
            "sys.policy_entry_basename": os.path.basename(self.entry),
            "sys.policy_entry_filename": os.path.abspath(self.entry),
        }


def items_of(value: Value) -> Sequence[Value]:
    """Return the items of a list, or one value alone."""
    return value.items if isinstance(value, ListValue) else (value,)


def shown(item: Value | str) -> str:
    """Return the source text of an input."""
    return item if isinstance(item, str) else words(item)


def policy_files(path: str) -> list[str]:
    """Return the files of a path: the file itself, or the policy of a folder.

    That is `promises.cf`, as for `cf-agent -f FOLDER`. Without one it is the file that has the
    common control body, else all files, first the one that has the bundle `main`.

    Raises:
        InputError: the folder holds no policy, or several that have control bodies.
    """
    if not os.path.isdir(path):
        return [path]
    names = sorted(name for name in os.listdir(path) if name.endswith(".cf"))
    if not names:
        raise InputError("the folder holds no policy (no file *.cf)", Span(path), "no-policy")
    if PROMISES in names:
        return [os.path.join(path, PROMISES)]
    files = [os.path.join(path, name) for name in names]
    trees = [load_text(read_text(file), file) for file in files]
    whole = [
        t.path for t in trees if any(b.type == "common" and b.name == "control" for b in t.bodies)
    ]
    if len(whole) > 1:
        message = f"the folder holds several policies: {', '.join(whole[:5])}; name one of them"
        raise InputError(message, Span(path), "no-policy")
    first = [t.path for t in trees if any(b.name in (ENTRY, MAIN) for b in t.bundles)]
    return whole or [*first[:1], *(file for file in files if file not in first[:1])]
