"""A compile's end of the bridge: calls go over to Ruby, and its questions are answered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from analyzer.frontends.puppet.bridge.answers import ASKS, ELSEWHERE
from analyzer.frontends.puppet.bridge.helper import Helper, Message
from analyzer.frontends.puppet.bridge.process import HelperError
from analyzer.frontends.puppet.bridge.wire import Wire, Withheld
from analyzer.frontends.puppet.evaluate.errors import EvaluationError
from analyzer.frontends.puppet.evaluate.text import unknown_in
from analyzer.frontends.puppet.functions.registry import Undecided
from analyzer.model.values import Unknown

if TYPE_CHECKING:
    from analyzer.frontends.puppet.compiler.calls.dispatch import Site
    from analyzer.frontends.puppet.compiler.compiler import Compiler
    from analyzer.frontends.puppet.evaluate.scope import Scope
    from analyzer.frontends.puppet.hiera.hierarchy.levels import Context

# What a classifier, facts and the machine say is shared by all, and set once.
CONSTANTS = ("facts", "trusted", "server_facts")

# Variables by name: the `variables` that a template is bound to, and those it `looks_up`.
Told = dict[str, dict[str, Any]]


class Link:
    """What one compile has to do with the helper.

    `scopes`, `blocks` and `raised` are what Ruby knows by number, until the outermost call ends;
    `contexts` are those of Hiera's functions, until the compile ends.
    """

    def __init__(self, helper: Helper, compiler: Compiler) -> None:
        self.helper = helper
        self.compiler = compiler
        self.wire = Wire(compiler.resolve)
        self.begun = 0
        self.hung: dict[str, str] = {}
        self.sites: list[Site] = []
        self.contexts: dict[Context, int] = {}
        self.forget()

    def forget(self) -> None:
        """Begin a call that is in no other."""
        self.wire.forget()
        self.scopes: list[Scope] = [self.compiler.top]
        self.blocks: list[Any] = []
        self.raised: list[BaseException] = []

    def number_of(self, scope: Scope) -> int:
        """Return the number by which Ruby knows a scope."""
        for number, known in enumerate(self.scopes):
            if known is scope:
                return number
        self.scopes.append(scope)
        return len(self.scopes) - 1

    def function(self, site: Site, name: str, arguments: Sequence[Any]) -> Any:
        """Call a function that a module has in Ruby."""
        return self._call(
            site, f"the function '{name}'", {"do": "function", "name": name}, arguments
        )

    def data(self, site: Site, name: str, arguments: Sequence[Any], context: Context) -> Any:
        """Call a function of a level of Hiera; its value in a list, an empty one for no value."""
        number = self.contexts.setdefault(context, len(self.contexts))
        message = {"do": "data", "name": name, "context": number, "module": context.module}
        return self._call(site, f"the function '{name}'", message, arguments)

    def builtin(
        self,
        site: Site,
        name: str,
        arguments: Sequence[Any],
        told: Told | None = None,
        what: str = "",
    ) -> Any:
        """Call a function of Puppet's 3.x API, `what` in words; a template is told variables."""
        message = {"do": "builtin", "name": name}
        return self._call(site, what or f"the function '{name}'", message, arguments, told)

    def _call(
        self,
        site: Site,
        what: str,
        message: Message,
        arguments: Sequence[Any],
        told: Told | None = None,
    ) -> Any:
        """Return the value, an Unknown where the helper fails or something Unknown decides.

        Raises:
            EvaluationError: the Ruby code fails.
            InputError: there is no Ruby with Puppet.
        """
        if what in self.hung:
            return Unknown(f"{what} in Ruby: {self.hung[what]}")
        try:
            self._begin()
            if not self.sites:
                self.forget()
            self.sites.append(site)
            try:
                known = site.unit is not None and site.node is not None
                message["place"] = (
                    [site.unit.file, site.unit.line(site.node)] if known else [None, None]
                )
                message["scope"] = self.number_of(site.scope)
                if site.block is not None:
                    message["block"] = self._block(site.block)
                self._fill(message, arguments, told or {})
                return self._result(self.helper.exchange(message, self.answer), what)
            finally:
                self.sites.pop()
        except Undecided as found:
            return found.unknown
        except HelperError as error:
            self.hung[what] = str(error)
            unknown = Unknown(f"{what} in Ruby: {error}")
            self.compiler.warnings.append(unknown.reason)
            return unknown

    def withheld(self, values: dict[str, Any]) -> dict[str, Any]:
        """Return values with what is Unknown withheld."""
        told = {}
        for name, value in values.items():
            unknown = unknown_in(value)
            if unknown is None:
                told[name] = value
            else:
                self.raised.append(Undecided(unknown))
                told[name] = Withheld(len(self.raised) - 1)
        return told

    def _fill(self, message: Message, arguments: Sequence[Any], told: Told) -> None:
        """Put values into a message, in the order in which they are read there."""
        told = {key: self.withheld(names) for key, names in told.items()}
        values = [value for names in told.values() for value in names.values()]
        encoded = iter(self.wire.encode(*values, *arguments))
        for key, names in told.items():
            message[key] = {name: next(encoded) for name in names}
        message["arguments"] = list(encoded)

    def _block(self, block: Any) -> Message:
        self.blocks.append(block)
        parameters = [
            [p.name, p.default is not None or None, p.rest]
            for p in getattr(block, "parameters", ())
        ]
        kind = str(block.callable_type)
        return {"number": len(self.blocks) - 1, "type": kind, "parameters": parameters}

    def _begin(self) -> None:
        """Tell the helper of this compile, if it does not know of it."""
        compiler = self.compiler
        started = self.helper.start()
        if self.begun == started and self.helper.told is self:
            return
        if self.begun and self.sites:
            raise HelperError("the helper was ended meanwhile")
        self.begun, self.helper.told = started, self
        known = [compiler.top.own(name) for name in CONSTANTS]
        self.wire = Wire(compiler.resolve)
        self.wire.constants = {id(one): one for one in known if isinstance(one, dict)}
        self.helper.exchange(
            {
                "do": "begin",
                "node": compiler.node,
                "environment": compiler.environment,
                "modulepath": [*map(str, compiler.known.modulepath)],
                "strict_variables": compiler.strict_variables,
                "strict": "error" if compiler.strict else "warning",
                "elsewhere": [*self._elsewhere(), *compiler.stubs.functions],
            },
            self.answer,
        )

    def _elsewhere(self) -> list[str]:
        """Return the functions that Ruby calls here, but those that modules have otherwise."""
        from analyzer.frontends.puppet.compiler.calls.dispatch import origin

        origins = {name: origin(self.compiler, name) for name in ELSEWHERE}
        return [name for name, one in origins.items() if one is None or not one.ruby]

    def _result(self, reply: Message, what: str) -> Any:
        self.wire.change(reply.get("changed", ()))
        self.compiler.warnings.extend(reply.get("log", ()))
        if "value" in reply:
            return self.wire.decode(reply["value"])
        if "absent" in reply:
            return Unknown(f"{what} in Ruby: {reply['absent']}")
        for key in ("unwind", "error"):
            if key in reply:
                raise self.raised[reply[key]]
        site = self.sites[-1]
        raise EvaluationError(reply["failed"], site.unit, site.node)

    def yield_to(self, number: int, arguments: Sequence[Any]) -> Any:
        """Call a block of Ruby code."""
        message = {"do": "yield", "number": number, "arguments": self.wire.encode(*arguments)}
        return self._result(self.helper.exchange(message, self.answer), "a block")

    def answer(self, question: Message) -> Message:
        """Return what Ruby code asks for, or the number of the error that came of it."""
        try:
            self.wire.change(question["changed"])
            values = [self.wire.decode(one) for one in question["with"]]
            return {"value": self.wire.encode(ASKS[question["ask"]](self, *values))[0]}
        except (HelperError, KeyboardInterrupt, SystemExit, GeneratorExit):
            raise
        except EvaluationError as error:
            self.raised.append(error)
            here = error.node is None or error.node is self.sites[-1].node
            message = error.message if here else f"Evaluation Error: {error.text}"
            return {"error": len(self.raised) - 1, "message": message}
        except BaseException as error:
            # Leaves the Ruby code: a jump, an Unknown, too deep a recursion.
            self.raised.append(error)
            return {"unwind": len(self.raised) - 1}
