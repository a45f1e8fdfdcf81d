"""All that the Ruby files of modules define: types, modules, methods and constants."""

from __future__ import annotations

import os
from collections.abc import Sequence

from analyzer.frontends.puppet.ruby_types import calls, statements
from analyzer.frontends.puppet.ruby_types.constants import CONSTANTS
from analyzer.frontends.puppet.ruby_types.declarations import (
    DECLARING,
    HARMLESS,
    RELATING,
    TypeDeclarations,
)
from analyzer.frontends.puppet.ruby_types.nesting import Group, Item, is_token, mentions, read
from analyzer.frontends.puppet.ruby_types.resource_api import register_type
from analyzer.frontends.puppet.ruby_types.scope import (
    Block,
    Jump,
    Method,
    Receiver,
    RubyScope,
    Runtime,
)
from analyzer.frontends.puppet.ruby_types.tokens import Unreadable
from analyzer.frontends.puppet.ruby_types.values import (
    Const,
    Opaque,
    TypeRef,
    add,
    method_result,
    truth,
)
from analyzer.model.values import Value
from analyzer.reach import check
from analyzer.reading import read_text

_BIGGEST = 2_000_000
_MOST_STEPS = 100_000
_EACH = frozenset({"each", "each_pair", "each_entry", "each_value", "each_key", "map", "collect"})


class TooManySteps(TimeoutError):
    """A type's declarations take too many steps."""


class RubyWorld(Runtime):
    """Everything read so far; `folders` are where `require` looks (the `lib` of each module)."""

    def __init__(self, folders: Sequence[str]) -> None:
        self.folders = folders
        self.types: dict[str, TypeDeclarations] = {}
        self.modules: dict[str, dict[str, Method]] = {}
        self.constants: dict[str, object] = {}
        self.problems: dict[str, str] = {}
        self.loaded: set[str] = set()
        self._holding: dict[str, list[str]] = {}
        self.file = ""
        # The type whose body is being read.
        self.current: TypeDeclarations | None = None
        # How many conditions stand around that are not known.
        self.doubts = 0
        self.depth = 0
        # How many statements were done for the file that is being read.
        self.steps = 0
        self.uncertain_return = False
        # How many statements were not understood.
        self.misread = 0

    # ---- files

    def load(self, path: str) -> None:
        """Read a file, once; its problem is recorded."""
        if path in self.loaded:
            return
        self.loaded.add(path)
        before = self.file, self.current, self.doubts, self.steps
        self.file, self.current, self.doubts, self.steps = path, None, 0, 0
        try:
            if os.path.getsize(check(path)) > _BIGGEST:
                raise Unreadable("the file is too big")
            items = read(read_text(path, "replace"))
            statements.run(
                items, RubyScope(self, RubyModule(self, self.modules.setdefault("", {})))
            )
        except OSError as error:
            self.problems[path] = f"its file cannot be read: {error.strerror}"
        except (Unreadable, TooManySteps, Jump) as problem:
            self.problems[path] = str(problem) or "the file returns"
        except RecursionError:
            self.problems[path] = "the file is nested too deep"
        finally:
            self.file, self.current, self.doubts, self.steps = before

    def loads(self, name: str, arguments: list[object]) -> bool:
        """Read another file for `require` and its like; return False for other calls."""
        if name not in ("require", "require_relative", "load"):
            return False
        path = arguments[0] if arguments else None
        if isinstance(path, str):
            above, file = os.path.split(path if path.endswith(".rb") else f"{path}.rb")
            here = os.path.normpath(os.path.join(os.path.dirname(self.file), above))
            around = [here] if name == "require_relative" else self.holding(above)
            for full in [f"{folder}/{file}" for folder in around]:
                if os.path.isfile(full):
                    self.load(os.path.normpath(full))
                    break
        return True

    def holding(self, name: str) -> list[str]:
        """Return the folders of a name below those where `require` looks."""
        if name not in self._holding:
            places = [os.path.normpath(os.path.join(folder, name)) for folder in self.folders]
            self._holding[name] = list(filter(os.path.isdir, places))
        return self._holding[name]

    # ---- statements

    def run(self, items: list[Item], scope: RubyScope) -> object:
        """Evaluate the statements of a body and return the value of the last."""
        return statements.run(items, scope)

    def structure(self, group: Group, scope: RubyScope) -> object:
        """Evaluate a group between a keyword and its end."""
        return statements.structure(group, scope)

    def one_statement(self, items: list[Item], scope: RubyScope) -> object:
        """Evaluate a statement; one that is not understood may have declared something."""
        self.steps += 1
        if self.steps > _MOST_STEPS:
            raise TooManySteps("it does too much")
        try:
            return statements.statement(items, scope)
        except Unreadable as problem:
            self.misread += 1
            first = items[0]
            unknown = is_token(first, "id") and getattr(first, "value", "") not in HARMLESS
            if self.current is not None and (unknown or mentions(items, DECLARING)):
                self.current.doubt(f"a statement is not understood: {problem}")
            if self.current is not None and mentions(items, RELATING):
                self.current.relates = self.current.relates or f"not understood: {problem}"
            return Opaque(str(problem))

    def instance_variable(self, scope: RubyScope, name: str, value: object) -> None:
        """Record `@isomorphic` of a type."""
        if name == "@isomorphic" and isinstance(scope.receiver, TypeDeclarations):
            known = truth(value)
            scope.receiver.isomorphic = None if self.doubts else known

    # ---- types

    def new_type(self, name: object, options: object, block: Block | None) -> object:
        """`Puppet::Type.newtype`."""
        if not isinstance(name, str):
            return Opaque("a type")
        type = self.types[name.lower()] = TypeDeclarations(name.lower())
        if isinstance(options, dict) and truth(options.get("self_refresh", False)):
            type.refreshable = type.self_refresh = True
        if block is None:
            return type
        before, self.current = (self.current, self.doubts), type
        self.doubts = 0
        try:
            calls.call(block, [], type)
            self.current, self.doubts = None, 0
            type.read_titles(block.scope)
        except (Unreadable, TooManySteps) as problem:
            type.doubt(str(problem))
        except RecursionError:
            type.doubt("the body is nested too deep")
        finally:
            self.current, self.doubts = before
        return type

    # ---- modules

    def in_module(self, names: tuple[str, ...], body: list[Item], scope: RubyScope) -> object:
        """Read the body of a module or class."""
        methods = self.modules.setdefault("::".join(names), {})
        return statements.run(body, RubyScope(self, RubyModule(self, methods), names))

    def constant(self, name: str, nesting: tuple[str, ...]) -> object:
        """Return a constant, looked for from the innermost module outwards."""
        for depth in range(len(nesting), -1, -1):
            full = "::".join((*nesting[:depth], name))
            if full in self.constants:
                return self.constants[full]
            if full in self.modules:
                return Const(full)
        return Const("Puppet::Type" if name == "Type" and nesting[:1] == ("Puppet",) else name)

    def methods_of(self, name: str) -> dict[str, Method] | None:
        """Return the methods of a module, None where no file that was found defines it."""
        if name not in self.modules:
            parts = [_underscored(part) for part in name.split("::")]
            while parts and name not in self.modules:
                self.loads("require", ["/".join(parts)])
                parts.pop()
        return self.modules.get(name)

    # ---- calls

    def send(
        self,
        value: object,
        name: str,
        arguments: list[object],
        block: Block | None,
        scope: RubyScope,
    ) -> object:
        """Return the result of a method of a value."""
        if isinstance(value, TypeRef):
            value = self.types.get(value.name, value)
        if isinstance(value, Receiver):
            return value.call(name, arguments, block, scope)
        if isinstance(value, Const):
            return self.send_const(value.name, name, arguments, block, scope)
        if isinstance(value, Block):
            called = name in ("call", "()", "yield", "[]")
            return calls.call(value, arguments) if called else Opaque(f"the result of {name}")
        if block is not None:
            return iterate(value, name, block)
        if name in ("push", "append") and isinstance(value, list):
            for one in arguments:
                add(value, None, one, not self.doubts)
            return value
        return method_result(value, name, arguments)

    def send_const(
        self, of: str, name: str, arguments: list[object], block: Block | None, scope: RubyScope
    ) -> object:
        """Return the result of a method of a module or class."""
        if (of, name) == ("Puppet::Type", "newtype"):
            declared, options = (*arguments, None, None)[:2]
            return self.new_type(declared, options, block)
        if (of, name) == ("Puppet::Type", "type"):
            type = arguments[0] if arguments else None
            return TypeRef(type.lower()) if isinstance(type, str) else Opaque("a type")
        if (of, name) == ("Puppet::ResourceApi", "register_type"):
            return register_type(self.types, arguments)
        known = CONSTANTS.get((of, name))
        if known is not None:
            return known(arguments)
        methods = self.methods_of(of) or {}
        method = methods.get(f"self.{name}") or methods.get(name)
        if method is not None:
            return calls.invoke(method, arguments, block, RubyModule(self, methods), scope)
        if self.current is not None and self.current in arguments:
            self.current.doubt(f"{of}.{name} is given the type and is not found")
        if block is not None:
            iterate(Opaque(of), name, block)
        return Opaque(f"the result of {of}.{name}")


class RubyModule(Receiver):
    """The self of a file, or of a module's body, with the methods that are defined there."""

    def __init__(self, world: RubyWorld, methods: dict[str, Method]) -> None:
        self.world = world
        self.methods = methods

    def define(self, name: str, method: Method) -> None:
        """Record a method."""
        self.methods[name] = method

    def call(
        self, name: str, arguments: list[object], block: Block | None, scope: RubyScope
    ) -> Value:
        """Call a method of the module, or load another file."""
        world = self.world
        if world.loads(name, arguments):
            return True
        method = self.methods.get(f"self.{name}") or self.methods.get(name)
        if method is not None:
            return calls.invoke(method, arguments, block, self, scope)
        if world.current is not None and world.current in arguments:
            world.current.doubt(f"{name} is given the type and is not found")
        return Opaque(f"the result of {name}")


def iterate(value: object, name: str, block: Block) -> object:
    """Call a block for the parts of a value; once, as a possibility, if they are not known."""
    if name == "tap":
        calls.call(block, [value])
        return value
    if name == "each_with_index" and isinstance(value, list):
        calls.each([[one, index] for index, one in enumerate(value)], block)
        return value
    if isinstance(value, dict):
        value = {"each_key": list(value), "each_value": list(value.values())}.get(name, value)
    known = name in _EACH and isinstance(value, (list, dict))
    found = calls.each(value if known else Opaque("the value of an iteration"), block)
    if not known:
        return Opaque(f"the result of {name}")
    return found if name in ("map", "collect") else value


def _underscored(name: str) -> str:
    """Return the name of the file in which a module is by convention."""
    import re

    return re.sub(r"(?<=[a-z\d])([A-Z])|(?<=[A-Z])([A-Z])(?=[a-z])", r"_\1\2", name).lower()
