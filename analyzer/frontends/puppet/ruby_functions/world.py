"""The world of a Ruby function: Puppet's API, the constants of Ruby, what the code may ask for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from analyzer.frontends.puppet.evaluate.scope import MISSING
from analyzer.frontends.puppet.functions.registry import UndecidedCall
from analyzer.frontends.puppet.ruby_functions import libraries
from analyzer.frontends.puppet.ruby_functions import values as v
from analyzer.frontends.puppet.ruby_functions.machine import ABOVE, Machine
from analyzer.frontends.puppet.ruby_functions.sending import is_a
from analyzer.frontends.puppet.ruby_functions.stream import Tree
from analyzer.frontends.puppet.ruby_functions.values import (
    AttributeValue,
    CatalogValue,
    Constant,
    Frame,
    NotStatic,
    Pattern,
    ResourceValue,
    RubyError,
    ScopeValue,
    Symbol,
    written,
)
from analyzer.model.names import capitalize_type
from analyzer.model.unknowns import find_unknown
from analyzer.model.values import Regexp

# Functions of Puppet that Ruby code calls by `call_function` and that jump or need a block.
UNFIT = frozenset({"break", "next", "return"})


@dataclass(slots=True)
class World:
    """The answers to what a call asks for; `legacy`: it has the 3.x API, and is its scope."""

    call: Any
    legacy: bool
    # Functions of the 3.x API that the same file defines.
    others: Mapping[str, Tree] = field(default_factory=dict)
    # Whether something was done that another way to evaluate the function would do again.
    acted: bool = False
    lenient: bool = False
    kept: list[Any] = field(default_factory=list)

    # ---- the function itself

    def call_kernel(self, machine: Machine, name: str, arguments: list[Any], block: Any) -> Any:
        """Call a method of the function that its code does not define."""
        if name.startswith("function_") and self.legacy:
            name = name.removeprefix("function_")
            return self.function(machine, name, arguments[0], block, outermost=False)
        if name == "send" and self.legacy:
            return self.call_kernel(machine, written(arguments[0]), arguments[1:], block)
        if name == "call_function":
            given = arguments[1] if self.legacy else arguments[1:]
            outermost = not self.legacy
            return self.function(machine, written(arguments[0]), given, block, outermost=outermost)
        if name in ("closure_scope", "scope") and not self.legacy and not arguments:
            return ScopeValue(True)
        if block is not None:
            raise NotStatic(f"{name} with a block")
        return self.kernel(machine, name, arguments)

    def kernel(self, machine: Machine, name: str, arguments: list[Any]) -> Any:
        """Call a method that every object of Ruby has, or one of the scope."""
        if name in ("raise", "fail"):
            raise self.exception(arguments)
        if name == "_":
            return arguments[0]
        if name in ("sprintf", "format"):
            return self.sprintf(arguments[0], arguments[1:])
        if name in libraries.KERNEL:
            return libraries.KERNEL[name](*arguments)
        if self.legacy:
            return self.of_scope(machine, ScopeValue(False), name, arguments, None)
        raise NotStatic(f"the method {name}")

    def exception(self, arguments: list[Any]) -> RubyError:
        """Return the exception that `raise` raises.

        Raises:
            NotStatic: its class is not known.
        """
        first = arguments[0] if arguments else None
        if isinstance(first, RubyError):
            return first
        if isinstance(first, str):
            return RubyError("RuntimeError", first)
        if not isinstance(first, Constant) or first.name not in ABOVE:
            raise NotStatic("an exception of a class that is not known")
        return RubyError(first.name, written(arguments[1]) if len(arguments) > 1 else first.name)

    def function(
        self, machine: Machine, name: str, arguments: Any, block: Any, *, outermost: bool
    ) -> Any:
        """Call a function of Puppet."""
        if block is not None or name in UNFIT or not isinstance(arguments, list):
            raise NotStatic(f"the call of {name}")
        if name in self.others:
            _, parameters, body = self.others[name]
            frame = Frame({})
            machine.bind(parameters, [arguments], frame, strict=False)
            return machine.within(body, frame)
        given = [libraries.plain(one) for one in arguments]
        self.kept.append(given)
        self.acted = True
        return self.given(machine, self.call_from(outermost, name, given))

    def call_from(self, outermost: bool, name: str, given: list[Any]) -> Any:
        """Call a function of Puppet from the scope of the call, or from the outermost one.

        A function of the 4.x API has lost the scope of its call: what it declares is in the main
        class, without tags and defaults of the calling class.
        """
        call = self.call
        compilation = call.compilation
        if not outermost:
            return call.call(name, *given)
        return compilation.call(name, given, None, compilation.top, call.node, call.unit)

    def given(self, machine: Machine, value: Any) -> Any:
        """Return a value of Puppet's, which the code may not change.

        Raises:
            Undecided: something in it is Unknown.
        """
        unknown = find_unknown([value])
        if unknown is not None:
            raise UndecidedCall(unknown)
        return machine.adopt(from_puppet(value))

    def call_outer_block(self, machine: Machine, block: Any, arguments: list[Any]) -> Any:
        """Call a lambda of the manifest, or a block of our own."""
        if not callable(block):
            raise NotStatic("a call without a block")
        self.acted = True
        return self.given(machine, block(*arguments))

    def sprintf(self, form: Any, values: list[Any]) -> str:
        """Evaluate `sprintf`: a hash gives the values by name."""
        if not isinstance(form, str):
            raise NotStatic("a form of sprintf")
        if len(values) == 1 and isinstance(values[0], dict):
            named = {written(key): value for key, value in values[0].items()}
            if re.search(r"%(?!\{\w+\}|%)", form):
                raise NotStatic("a form of sprintf")
            return re.sub(r"%\{(\w+)\}|%%", lambda m: written(named[m[1]]) if m[1] else "%", form)
        from analyzer.frontends.puppet.functions.core.sprintf import sprintf

        if any(not isinstance(one, (str, int, float)) or one is True for one in values):
            raise NotStatic("a value of sprintf")
        return str(sprintf(self.call, form, *values))

    # ---- constants

    def of_constant(
        self, machine: Machine, kind: str, name: str, arguments: list[Any], block: Any
    ) -> Any:
        """Return the result of a method of a class or a module."""
        if name == "===":
            if arguments and isinstance(arguments[0], RubyError):
                raise NotStatic("the class of an exception")
            return is_a(machine, arguments[0], Constant(kind))
        if name in ("==", "name", "to_s") and kind in v.KNOWN_CLASSES:
            return kind if name != "==" else arguments[0] == Constant(kind)
        if kind == "Puppet":
            return self.of_puppet(name, arguments, block)
        if name == "new" and kind in ABOVE:
            return self.exception([Constant(kind), *arguments])
        if kind == "Puppet::Parser::Functions":
            if name == "function":
                return Symbol(f"function_{written(arguments[0])}")
            raise NotStatic(f"{kind}.{name}")
        if kind == "Hash" and name == "new":
            return self.hash_with_default(machine, arguments, block)
        if block is not None:
            raise NotStatic(f"{kind}.{name} with a block")
        return libraries.call(kind, name, arguments)

    def of_puppet(self, name: str, arguments: list[Any], block: Any) -> Any:
        """Return a setting that matters to variables, or log something."""
        if name in ("debug", "info", "notice"):
            return None
        if name in ("warning", "deprecation_warning", "warn_once"):
            self.call.warn(written(arguments[0]) if name == "warning" else "")
            return None
        if arguments and arguments[0] == Symbol("strict"):
            if name == "[]":
                return Symbol("off" if self.lenient else "error")
            if name == "[]=":
                self.lenient = arguments[1] == Symbol("off")
                return None
        raise NotStatic(f"Puppet.{name}")

    def hash_with_default(self, machine: Machine, arguments: list[Any], block: Any) -> Any:
        """Evaluate `Hash.new(0)` and `Hash.new { |hash, key| ... }`."""
        if block is None and not arguments:
            return {}
        made = v.DefaultHash()
        if block is not None:
            made.compute = lambda hash, key: machine.call_block(block, [hash, key])
        else:
            value = arguments[0]
            made.compute = lambda hash, key: value
        return made

    # ---- objects of Puppet

    def of_object(
        self, machine: Machine, value: Any, name: str, arguments: list[Any], block: Any
    ) -> Any:
        """Return the result of a method of a scope, a catalog or a resource."""
        if name == "nil?":
            return False
        if isinstance(value, ScopeValue):
            return self.of_scope(machine, value, name, arguments, block)
        if isinstance(value, CatalogValue) and name == "resource" and arguments:
            return self.resource([written(one) for one in arguments])
        if isinstance(value, CatalogValue) and name == "resources" and not arguments:
            entries = self.call.compilation.entries.values()
            return machine.adopt([ResourceValue(entry) for entry in entries])
        if isinstance(value, ResourceValue):
            return self.of_resource(machine, value.entry, name, arguments)
        if isinstance(value, AttributeValue) and name == "value":
            return self.attribute(machine, value)
        raise NotStatic(f"the method {name} of a {type(value).__name__}")

    def attribute(self, machine: Machine, value: AttributeValue) -> Any:
        """Return the value of a parameter of a resource."""
        compilation = self.call.compilation
        if compilation.trace is not None and value.entry.type == "Class":
            name = f"{str(value.entry.title).lower()}::{value.name}"
            compilation.trace.read_variable(name, compilation.top)
        return self.given(machine, value.entry.parameters.get(value.name))

    def of_resource(self, machine: Machine, entry: Any, name: str, arguments: list[Any]) -> Any:
        """Return the type, the title or the parameters of a resource."""
        if name in ("type", "title") and not arguments:
            return getattr(entry, name)
        if name in ("parameters", "to_hash") and not arguments:
            found = {Symbol(key): AttributeValue(entry, key) for key in entry.parameters}
            if name == "parameters":
                return machine.adopt(found)
            return machine.adopt({key: self.attribute(machine, one) for key, one in found.items()})
        if name == "[]" and len(arguments) == 1:
            return self.attribute(machine, AttributeValue(entry, written(arguments[0])))
        raise NotStatic(f"the method {name} of a resource")

    def of_scope(
        self, machine: Machine, scope: ScopeValue, name: str, arguments: list[Any], block: Any
    ) -> Any:
        """Return a variable, the catalog, or what a function returns."""
        if name in ("lookupvar", "[]", "exist?", "include?") and len(arguments) == 1:
            return self.variable(machine, scope, written(arguments[0]), name)
        if name in ("find_global_scope", "scope", "closure_scope") and not arguments:
            return ScopeValue(True)
        if name == "catalog" and not arguments:
            return CatalogValue()
        if name == "call_function":
            outermost = scope.outermost
            return self.function(
                machine, written(arguments[0]), arguments[1], block, outermost=outermost
            )
        if name.startswith("function_"):
            name, outermost = name.removeprefix("function_"), scope.outermost
            return self.function(machine, name, arguments[0], block, outermost=outermost)
        raise NotStatic(f"the method {name}")

    def variable(self, machine: Machine, scope: ScopeValue, name: str, method: str) -> Any:
        """Return the value of a variable."""
        compilation = self.call.compilation
        seen_from = compilation.top if scope.outermost else self.call.scope
        if compilation.trace is not None:
            compilation.trace.read_variable(name, seen_from)
        found = compilation.visible_variable(name, seen_from)
        if found is MISSING:
            unknown = compilation.may_be_fact(name)
            if unknown is not None:
                raise UndecidedCall(unknown)
        if method in ("exist?", "include?"):
            return found is not MISSING
        if found is MISSING and compilation.strict_variables and not self.lenient:
            raise NotStatic(f"${name} has no value")
        return None if found is MISSING else self.given(machine, found)

    def resource(self, words: list[str]) -> ResourceValue | None:
        """Return a resource by its reference, or by type and title."""
        if len(words) == 1:
            found = re.fullmatch(r"([\w:]+)\[(.*)\]", words[0], re.DOTALL)
            if found is None:
                raise NotStatic("a reference")
            words = [found[1], found[2]]
        kind, title = words
        if kind == "Class":
            title = capitalize_type(title)
        entry = self.call.compilation.find(kind, title)
        return None if entry is None else ResourceValue(entry)


def from_puppet(value: Any) -> Any:
    """Return a value of Puppet's as Ruby's."""
    return Pattern(value.source, "") if isinstance(value, Regexp) else value
