"""Evaluates trees of Ruby: variables, conditions, loops, blocks, methods, exceptions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from analyzer.frontends.puppet.ruby_functions.evaluation import LONGEST, Evaluation
from analyzer.frontends.puppet.ruby_functions.values import (
    Frame,
    NotStatic,
    Proc,
    RubyError,
    Symbol,
    is_true,
    written,
)

STEPS = 200_000
DEPTH = 60


class Jump(Exception):
    """`return`, `next` and `break`: with a value, out of a method or a block."""

    def __init__(self, word: str, value: Any, frame: Frame) -> None:
        self.word, self.value, self.frame = word, value, frame


# The classes of exceptions that a `rescue` of a class catches.
ABOVE: dict[str, tuple[str, ...]] = {
    "Puppet::ParseError": ("Puppet::Error", "RuntimeError"),
    "Puppet::Error": ("RuntimeError",),
    "Puppet::DevError": ("Puppet::Error", "RuntimeError"),
    "KeyError": ("IndexError",),
    **dict.fromkeys(("RuntimeError", "ArgumentError", "TypeError", "IndexError"), ()),
    **dict.fromkeys(("StandardError", "NotImplementedError", "NameError"), ()),
}


class Machine(Evaluation):
    """One call of a function."""

    def run(self, tree: Any, frame: Frame) -> Any:
        """Return the value of a tree.

        Raises:
            NotStatic: it is not evaluated here.
            RubyError: the code raises an exception.
        """
        self.steps += 1
        if self.steps > STEPS:
            raise NotStatic("it takes too long")
        return _RUN[tree[0]](self, tree, frame)

    # ---- conditions and loops

    def if_(self, tree: Any, frame: Frame) -> Any:
        """Evaluate a condition and one branch."""
        branch = tree[2] if is_true(self.run(tree[1], frame)) else tree[3]
        return None if branch is None else self.run(branch, frame)

    def case(self, tree: Any, frame: Frame) -> Any:
        """Evaluate the first branch with a test that holds."""
        subject = None if tree[1] is None else self.run(tree[1], frame)
        for tests, body in tree[2]:
            for test in self.elements(tests, frame):
                if tree[1] is None and is_true(test):
                    return self.run(body, frame)
                if tree[1] is not None and self.send(self, test, "===", [subject], None):
                    return self.run(body, frame)
        return None if tree[3] is None else self.run(tree[3], frame)

    def while_(self, tree: Any, frame: Frame) -> Any:
        """Evaluate a body as long as a condition holds."""
        while is_true(self.run(tree[1], frame)) != tree[3]:
            try:
                self.run(tree[2], frame)
            except Jump as jump:
                if jump.word == "return" or jump.frame is not frame:
                    raise
                if jump.word == "break":
                    return jump.value
        return None

    def jump(self, tree: Any, frame: Frame) -> NoReturn:
        """Leave a method, a block or a loop."""
        value = self.run(tree[1], frame)
        raise Jump(tree[0], value, frame.method if tree[0] == "return" else frame)

    def begin(self, tree: Any, frame: Frame) -> Any:
        """Evaluate a body, and the `rescue` of its exception."""
        _, body, rescues, otherwise, ensure = tree
        try:
            try:
                value = self.run(body, frame)
            except RubyError as error:
                return self.rescued(error, rescues, frame)
            return value if otherwise is None else self.run(otherwise, frame)
        finally:
            if ensure is not None:
                self.run(ensure, frame)

    def rescued(self, error: RubyError, rescues: list[Any], frame: Frame) -> Any:
        """Evaluate the `rescue` that catches an exception, or raise it again."""
        caught = {error.kind, *ABOVE.get(error.kind, ()), "StandardError", "Exception"}
        for kinds, name, body in rescues:
            wanted = {written(one) for one in self.elements(kinds, frame)} or {"StandardError"}
            if wanted - {*ABOVE, "Exception"}:
                raise NotStatic("a rescue of a class that is not known")
            if wanted & caught:
                if name is not None:
                    self.store(("local", name), error, frame)
                return self.run(body, frame)
        raise error

    def rescue_value(self, tree: Any, frame: Frame) -> Any:
        """Evaluate `value rescue other`."""
        try:
            return self.run(tree[1], frame)
        except RubyError:
            return self.run(tree[2], frame)

    # ---- calls

    def call(self, tree: Any, frame: Frame) -> Any:
        """Call a method of a value, or of the function itself."""
        _, receiver, name, trees, block, safe = tree
        if name == "<<" and (variable := appended(receiver)) is not None:
            return self.append(tree, variable, frame)
        on = None if receiver is None else self.receiver(receiver, frame)
        if safe and on is None:
            return None
        given = None if block is None else Proc(block[1], block[2], frame)
        if trees and trees[-1][0] == "block_argument":
            given, trees = self.run(trees[-1][1], frame), trees[:-1]
        arguments = self.elements(trees, frame)
        if receiver is None or receiver[0] == "self":
            return self.call_own(name, arguments, given, frame)
        try:
            return self.send(self, on, name, arguments, given)
        except Jump as jump:
            if jump.word == "break" and isinstance(given, Proc) and jump.frame.around is frame:
                return jump.value
            raise

    def receiver(self, tree: Any, frame: Frame) -> Any:
        """Return the value of a receiver; a method that is called shares no text."""
        if tree[0] == "local":
            holder = frame.holder(tree[1])
            return None if holder is None else holder.names[tree[1]]
        return None if tree[0] == "self" else self.run(tree, frame)

    def append(self, tree: Any, name: str, frame: Frame) -> Any:
        """Evaluate `name << value`: a text that only the variable holds becomes longer."""
        before = None if tree[1][0] == "local" else self.run(tree[1], frame)
        holder = frame.holder(name)
        value = None if holder is None else holder.names[name]
        added = self.elements(tree[3], frame)
        if not isinstance(value, str) or holder is None:
            return self.send(self, value if before is None else before, "<<", added, None)
        if name in holder.shared or not isinstance(added[0], str):
            raise NotStatic("it changes a text")
        if len(value) > LONGEST:
            raise NotStatic("too long a text")
        holder.names[name] = value + added[0]
        return holder.names[name]

    def call_own(self, name: str, arguments: list[Any], block: Any, frame: Frame) -> Any:
        """Call a method that the code defines, or one of the world."""
        if name == "yield":
            return self.call_block(frame.method.block, arguments)
        if name == "block_given?":
            return frame.method.block is not None
        if name in ("lambda", "proc") and isinstance(block, Proc):
            return Proc(block.parameters, block.body, block.frame, name == "lambda")
        if name in self.methods:
            return self.call_method(name, arguments, block)
        return self.world.call_kernel(self, name, arguments, block)

    def call_method(self, name: str, arguments: list[Any], block: Any) -> Any:
        """Call a method that the code defines."""
        _, _, parameters, body = self.methods[name]
        frame = Frame({}, None, block)
        self.bind(parameters, arguments, frame, strict=True)
        return self.within(body, frame)

    def within(self, body: Any, frame: Frame) -> Any:
        """Evaluate the body of a method."""
        self.depth += 1
        if self.depth > DEPTH:
            raise NotStatic("too deep a recursion")
        try:
            return self.run(body, frame)
        except Jump as jump:
            if jump.word == "return" and jump.frame is frame:
                return jump.value
            raise
        finally:
            self.depth -= 1

    def call_block(self, block: Any, arguments: list[Any]) -> Any:
        """Call a block, a lambda, or a method by its symbol."""
        if isinstance(block, Symbol):
            return self.send(self, arguments[0], block.name, arguments[1:], None)
        if not isinstance(block, Proc):
            return self.world.call_outer_block(self, block, arguments)
        frame = Frame({}, block.frame)
        spread = len(block.parameters) > 1
        if not block.strict and spread and len(arguments) == 1 and isinstance(arguments[0], list):
            arguments = arguments[0]
        self.bind(block.parameters, arguments, frame, strict=block.strict)
        try:
            return self.run(block.body, frame)
        except Jump as jump:
            if jump.word == "next" and jump.frame is frame:
                return jump.value
            if jump.word == "return" and block.strict:
                raise NotStatic("return in a lambda") from None
            raise

    def bind(self, parameters: list[Any], given: list[Any], frame: Frame, *, strict: bool) -> None:
        """Give arguments to parameters."""
        taking = [one for one in parameters if one[0] != "takes_block"]
        kinds = [one[0] for one in taking]
        least = kinds.count("required") + kinds.count("nested")
        if strict and (len(given) < least or ("rest" not in kinds and len(given) > len(taking))):
            raise NotStatic("a wrong number of arguments")
        if "rest" in kinds and kinds[-1] != "rest":
            raise NotStatic("parameters after the rest")
        spare = max(0, len(given) - least)
        at = 0
        for one in taking:
            if one[0] == "rest":
                frame.names[one[1]] = list(given[at:])
                continue
            absent = at >= len(given) or (one[0] == "optional" and spare <= 0)
            if one[0] == "optional":
                spare -= 1
                value = self.run(one[2], frame) if absent else given[at]
            else:
                value = None if absent else given[at]
            at += not absent
            if one[0] == "nested":
                inner = value if isinstance(value, list) else [value]
                self.bind(one[1], inner, frame, strict=False)
            else:
                frame.names[one[1]] = value
                frame.shared.add(one[1])
        for one in parameters[len(taking) :]:
            frame.names[one[1]] = frame.block


def appended(receiver: Any) -> str | None:
    """Return the variable of `name << a << b`, None for another receiver."""
    while receiver is not None and receiver[0] == "call" and receiver[2] == "<<":
        receiver = receiver[1]
    return receiver[1] if receiver is not None and receiver[0] == "local" else None


def body(machine: Machine, tree: Any, frame: Frame) -> Any:
    """Evaluate statements and return the value of the last."""
    value = None
    for one in tree[1]:
        value = machine.run(one, frame)
    return value


def refuse(machine: Machine, tree: Any, frame: Frame) -> NoReturn:
    """Refuse what is not evaluated."""
    raise NotStatic(str(tree[1] if len(tree) > 1 else tree[0]))


_RUN: dict[str, Callable[[Machine, Any, Frame], Any]] = {
    "and": lambda m, t, f: m.run(t[2], f) if is_true(left := m.run(t[1], f)) else left,
    "array": lambda m, t, f: m.elements(t[1], f),
    "assign": Machine.assign,
    "begin": Machine.begin,
    "body": body,
    "break": Machine.jump,
    "call": Machine.call,
    "case": Machine.case,
    "constant": Machine.constant,
    "defined": lambda m, t, f: "local-variable" if t[1] else refuse(m, t, f),
    "hash": Machine.hash,
    "if": Machine.if_,
    "index": lambda m, t, f: m.send(m, m.receiver(t[1], f), "[]", m.elements(t[2], f), None),
    "lambda": lambda m, t, f: Proc(t[1][1], t[1][2], f, True),
    "local": Machine.local,
    "matched": Machine.matched,
    "next": Machine.jump,
    "nil": lambda m, t, f: None,
    "not": lambda m, t, f: not is_true(m.run(t[1], f)),
    "number": lambda m, t, f: t[1],
    "operate": Machine.operate,
    "or": lambda m, t, f: left if is_true(left := m.run(t[1], f)) else m.run(t[2], f),
    "range": Machine.range,
    "regex": Machine.regex,
    "rescue_value": Machine.rescue_value,
    "return": Machine.jump,
    "several": Machine.several,
    "string": lambda m, t, f: t[1],
    "symbol": lambda m, t, f: Symbol(t[1]),
    "text": Machine.text,
    "true": lambda m, t, f: True,
    "false": lambda m, t, f: False,
    "while": Machine.while_,
    **dict.fromkeys(
        ("define", "instance", "module", "self", "splat", "unreadable", "__FILE__", "__LINE__"),
        refuse,
    ),
}
