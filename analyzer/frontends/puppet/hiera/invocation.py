"""One lookup: its scope, the lookups around it, and its sources (invocation.rb)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from analyzer.model.documents import JsonObject
from analyzer.model.values import Unknown, Value

from .errors import LookupFault, PuppetFault, RubyFault
from .explain import LookupOutcome, LookupStep, Read
from .scope import MISSING, LookupScope

Strict = str
# What Hiera 3 adds to the variables.
OF_HIERA_3 = ("calling_class", "calling_class_path", "calling_module")
# Variables that are undef where they have no value.
ALWAYS_THERE = ("module_name", "caller_module_name")
Find = Callable[["Invocation", str], Any]


@dataclass(slots=True)
class Invocation:
    """The state that nested lookups inherit and change.

    `find` looks up a key of another value's interpolation; `remembered` collects the variables
    that a hiera.yaml depends on, `expressions` the values of those in its paths. `in_locations`:
    the paths of a hierarchy are interpolated, in which unknown variables are no error unless they
    are `strict_paths`, as before Puppet 8. `read` collects all variables, to explain a value.
    """

    scope: LookupScope
    find: Find
    overrides: dict[str, Value] = field(default_factory=dict)
    defaults: JsonObject = field(default_factory=dict)
    strict: Strict = "warning"
    warn: Callable[[str], None] = lambda _message: None
    stack: list[str] = field(default_factory=list)
    top_key: str = ""
    module_name: str | None = None
    global_only: bool = False
    hiera_call: bool = False
    location_overrides: list[str] = field(default_factory=list)
    remembered: list[tuple[str, Value]] | None = None
    expressions: dict[str, Value] | None = None
    steps: list[LookupStep] | None = None
    depth: int = 0
    in_locations: bool = False
    strict_paths: bool = False
    read: list[Read] | None = None

    def child(
        self, scope: LookupScope | None = None, *, plain: bool = False, deeper: int = 0
    ) -> Invocation:
        """Return an invocation within this one; a plain one has no overrides and no defaults."""
        return Invocation(
            scope=scope or self.scope,
            find=self.find,
            overrides={} if plain else self.overrides,
            defaults={} if plain else self.defaults,
            strict=self.strict,
            warn=self.warn,
            stack=list(self.stack),
            top_key=self.top_key,
            module_name=self.module_name,
            global_only=self.global_only,
            hiera_call=self.hiera_call,
            location_overrides=self.location_overrides,
            steps=self.steps,
            depth=self.depth + deeper,
            in_locations=self.in_locations,
            strict_paths=self.strict_paths,
            read=self.read,
        )

    def for_options(self, read: list[Read]) -> Invocation:
        """Return an invocation for `lookup_options`; `read` collects the variables, if wanted."""
        made = self.child(plain=True)
        made.top_key, made.steps = "lookup_options", None
        made.read = None if self.read is None else read
        return made

    @contextmanager
    def within(self, name: str) -> Iterator[None]:
        """Look up `name`: it must not be looked up again for its own value.

        Raises:
            LookupFault: it is; and for every other fault of Puppet.
        """
        if name in self.stack:
            raise LookupFault(f"Recursive lookup detected in [{', '.join(self.stack)}]")
        self.stack.append(name)
        try:
            yield
        except LookupFault:
            raise
        except PuppetFault as fault:
            raise LookupFault(str(fault)) from fault
        finally:
            self.stack.pop()

    def variable(self, name: str) -> Any:
        """Return the value of a variable, or MISSING.

        Raises:
            RubyFault: it is unknown, and `strict` is `error`.
        """
        value = self.scope.variable(name)
        if value is not MISSING or name.isdigit() or name in ALWAYS_THERE:
            return value
        if name in OF_HIERA_3 and self.strict == "error":
            return Unknown(f"%{{{name}}} is the caller's name with Hiera 3, and no variable after")
        problem = f"Undefined variable '{name}'; {undefined_reason(name)}"
        if self.strict == "error" and (self.strict_paths or not self.in_locations):
            raise RubyFault(problem)
        if self.strict == "error":
            problem = f"Interpolation failed with '{name}', but compilation continuing; "
            problem += undefined_reason(name)
        if self.strict != "off":
            self.warn(problem)
        return MISSING

    def report(
        self,
        place: tuple[str, str, str | None],
        key: str,
        outcome: LookupOutcome,
        value: object = None,
    ) -> None:
        """Note what a place had to say."""
        if self.steps is not None:
            self.steps.append(LookupStep(*place, key, outcome, value, self.depth))


def undefined_reason(name: str) -> str:
    """Return why a variable has no value: the class of a qualified name is not there."""
    class_name, colons, _ = name.removeprefix("::").rpartition("::")
    return f"class {class_name} could not be found" if colons else ""
