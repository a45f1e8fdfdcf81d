"""Makes functions of Ruby files: signatures, and an implementation that evaluates the code."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from analyzer.frontends.puppet.functions.registry import Dispatch, check_arity
from analyzer.frontends.puppet.ruby_functions import libraries
from analyzer.frontends.puppet.ruby_functions.machine import Jump, Machine
from analyzer.frontends.puppet.ruby_functions.sending import send
from analyzer.frontends.puppet.ruby_functions.stream import Tree
from analyzer.frontends.puppet.ruby_functions.structures import tree_of
from analyzer.frontends.puppet.ruby_functions.values import (
    DefaultHash,
    Frame,
    NotStatic,
    RubyError,
    ScopeValue,
)
from analyzer.frontends.puppet.ruby_functions.world import World, from_puppet
from analyzer.frontends.puppet.ruby_types.tokens import Unreadable
from analyzer.model.values import Unknown
from analyzer.reach import may_read
from analyzer.reading import read_text

# The result of code that is not understood.
NOT_UNDERSTOOD = Unknown("")
_PLACES = (("lib", "puppet", "functions"), ("lib", "puppet", "parser", "functions"))
# How parameters are declared, with the form of each in a signature.
_FORMS = {
    "param": "{0} ${1}",
    "required_param": "{0} ${1}",
    "optional_param": "{0} ${1} = undef",
    "repeated_param": "Array[{0}] *${1}",
    "optional_repeated_param": "Array[{0}] *${1}",
    "required_repeated_param": "Array[{0}, 1] *${1}",
    "block_param": "&{0} ${1}",
    "required_block_param": "&{0} ${1}",
    "optional_block_param": "&Optional[{0}] ${1}",
}


def rows_of(folder: str, name: str) -> tuple[Dispatch, ...]:
    """Return the implementations of a module's function, none if its file is not understood."""
    for place in _PLACES:
        file = os.path.join(folder, *place, *name.split("::")) + ".rb"
        if may_read(file) and os.path.isfile(file):
            try:
                return tuple(Reader(name, file).rows())
            except (OSError, UnicodeDecodeError, Unreadable, NotStatic, RecursionError):
                return ()
    return ()


class Reader:
    """Reads the file of one function."""

    def __init__(self, name: str, file: str) -> None:
        self.name, self.file = name, file
        # The types that the function defines for its parameters.
        self.types: dict[str, str] = {}
        # The other functions of the same file.
        self.others: dict[str, Tree] = {}

    def rows(self) -> list[Dispatch]:
        """Return the implementations.

        Raises:
            NotStatic: the file has something else, too.
        """
        found: list[Dispatch] = []
        for tree in statements(tree_of(read_text(self.file))):
            if tree[0] == "module":
                found += [row for inner in statements(tree[2]) for row in self.statement(inner)]
            else:
                found += self.statement(tree)
        if not found:
            raise NotStatic("no function")
        return found

    def statement(self, tree: Tree) -> list[Dispatch]:
        """Return the implementations that a statement declares."""
        if tree[0] == "call" and tree[2] == "require" and tree[1] is None:
            return []
        if tree[0] == "call" and tree[4] is not None and tree[3]:
            of_it = tree[3][0][0] in ("symbol", "string") and tree[3][0][1] == self.name
            if of_it and tree[2] == "create_function":
                return self.created(tree[3][1:], tree[4])
            if of_it and tree[2] == "newfunction":
                return [self.legacy(tree[3][1:], tree[4])]
            if tree[2] == "newfunction" and tree[3][0][0] in ("symbol", "string"):
                self.others[tree[3][0][1]] = tree[4]
                return []
        raise NotStatic(f"a statement beside the function: {str(tree)[:70]}")

    def created(self, more: Sequence[Tree], block: Tree) -> list[Dispatch]:
        """Return the rows of `create_function`."""
        methods: dict[str, Tree] = {}
        dispatches: list[tuple[str, Tree]] = []
        for tree in statements(block[2]):
            if tree[0] == "define":
                methods[tree[1]] = tree
            elif tree[0] == "call" and tree[2] == "dispatch" and tree[4] is not None:
                dispatches.append((tree[3][0][1], tree[4][2]))
            elif tree[0] == "call" and tree[2] == "local_types" and tree[4] is not None:
                self.types.update(map(local_type, statements(tree[4][2])))
            elif tree == ("call", None, "private", [], None, False):
                continue
            else:
                raise NotStatic(f"a statement beside the methods: {str(tree)[:70]}")
        if not dispatches:
            own = self.name.rpartition("::")[2]
            if own not in methods or more:
                raise NotStatic("no method")
            return [Dispatch(("Array[Any] *$arguments",), self.method(methods, own, False))]
        return [self.row(methods, name, body) for name, body in dispatches]

    def row(self, methods: dict[str, Tree], name: str, body: Tree) -> Dispatch:
        """Return the row of a `dispatch`."""
        parts, scoped = [], False
        for tree in statements(body):
            if tree[0] != "call" or tree[1] is not None:
                raise NotStatic("a statement in a dispatch")
            if tree[2] == "scope_param":
                scoped = True
            elif tree[2] != "return_type":
                parts.append(parameter(tree))
        if name not in methods:
            raise NotStatic("a dispatch without a method")
        compute = self.method(methods, name, scoped)
        return Dispatch((", ".join(parts),), compute, types=self.types)

    def method(self, methods: dict[str, Tree], name: str, scoped: bool) -> Any:
        """Return an implementation that calls a method."""

        def compute(call: Any, *arguments: Any) -> Any:
            machine = Machine(World(call, False), methods, send)
            given = [machine.adopt(from_puppet(one)) for one in arguments]
            scope = [ScopeValue(False)] if scoped else []
            return self.result(
                machine, lambda: machine.call_method(name, [*scope, *given], call.block)
            )

        return compute

    def legacy(self, more: Sequence[Tree], block: Tree) -> Dispatch:
        """Return the row of `newfunction`."""
        options = {pair[1][1]: pair[2] for one in more if one[0] == "hash" for pair in one[1]}
        arity = options.get("arity", ("number", -1))
        if arity[0] != "number":
            raise NotStatic("an arity")
        rvalue = options.get("type", ("symbol", "statement"))[1] == "rvalue"

        def compute(call: Any, *arguments: Any) -> Any:
            check_arity(call, self.name, arity[1], len(arguments))
            machine = Machine(World(call, True, self.others), {}, send)
            frame = Frame({})
            given = [machine.adopt(from_puppet(one)) for one in arguments]
            machine.bind(block[1], [given], frame, strict=False)
            value = self.result(machine, lambda: machine.within(block[2], frame))
            return value if rvalue or isinstance(value, Unknown) else None

        return Dispatch((), compute, arity=arity[1])

    def result(self, machine: Machine, run: Any) -> Any:
        """Return the value of an evaluation as Puppet's, Unknown where it is not understood."""
        try:
            value = run()
            if isinstance(value, DefaultHash):
                value = dict(value)
            if id(value) not in machine.foreign:
                value = libraries.plain(value)
        except RubyError as error:
            machine.world.call.fail(error.message)
        except (NotStatic, RecursionError, Jump):
            return NOT_UNDERSTOOD
        return value


def statements(tree: Tree) -> Sequence[Tree]:
    """Return the statements of a body."""
    found: Sequence[Tree] = tree[1] if tree[0] == "body" else (tree,)
    return found


def local_type(tree: Tree) -> tuple[str, str]:
    """Return the name and the meaning of a type that a function defines."""
    words = [one[1] for one in tree[3] if one[0] == "string"] if tree[0] == "call" else []
    name, mark, meaning = words[0].partition("=") if words else ("", "", "")
    if not mark or len(words) != 1:
        raise NotStatic("a type of the function")
    return name.strip(), meaning.strip()


def parameter(tree: Tree) -> str:
    """Return a parameter of a dispatch as a signature has it."""
    form = _FORMS.get(tree[2])
    words = [one[1] for one in tree[3] if one[0] in ("string", "symbol")]
    if form is None or len(words) != len(tree[3]):
        raise NotStatic("a declaration in a dispatch")
    if "block" in tree[2]:
        kind = words[0] if len(words) == 2 else "Callable"
        return form.format(kind, words[-1] if words else "block")
    if len(words) != 2:
        raise NotStatic("a type of a parameter")
    return form.format(*words)
