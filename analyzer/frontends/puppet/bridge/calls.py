"""A compile's end of the bridge: sends calls to Ruby and answers the questions of Ruby code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from analyzer.frontends.puppet.bridge import templates
from analyzer.frontends.puppet.bridge.answers import ANSWERS, CALLED_HERE
from analyzer.frontends.puppet.bridge.handles import CONSTANTS, Handles
from analyzer.frontends.puppet.bridge.helper import Helper, Message
from analyzer.frontends.puppet.bridge.process import HelperError
from analyzer.frontends.puppet.bridge.wire import Wire
from analyzer.frontends.puppet.compiler.declared.compilation import CallSite, Compilation
from analyzer.frontends.puppet.compiler.definitions import origins
from analyzer.frontends.puppet.evaluate.errors import EvaluationError
from analyzer.frontends.puppet.functions.registry import UndecidedCall
from analyzer.model.documents import JsonObject
from analyzer.model.values import Unknown, Value

if TYPE_CHECKING:
    from analyzer.frontends.puppet.hiera.hierarchy.levels import Context

# Variables by name: the `variables` that a template is bound to, and those it `looks_up`.
VariablesSent = dict[str, JsonObject]


class RubyCalls:
    """Calls Ruby for one compile (`declared.compilation.Ruby`).

    `contexts` are those of Hiera's functions, with numbers that hold until the compile ends.
    """

    def __init__(self, helper: Helper, compilation: Compilation) -> None:
        self.helper = helper
        self.compilation = compilation
        self.handles = Handles(compilation, self.yield_to)
        self.wire = Wire(compilation.resolve)
        self.begun = 0
        self.hung: dict[str, str] = {}
        self.contexts: dict[Context, int] = {}
        # Whether the last function has run to its end.
        self.has_run = False

    @property
    def tabled(self) -> frozenset[str]:
        """Return the types whose automatic relationships need not be asked for."""
        return self.helper.tabled

    def template(self, site: CallSite, path: object, name: str) -> Value:
        """Return the text of a template; `name` is the path without Sensitive."""
        return templates.template(self.builtin, site, path, name)

    def inline_template(self, site: CallSite, text: object) -> Value:
        """Return the rendered text of an inline template."""
        return templates.inline_template(self.builtin, site, text)

    def relations(self, rows: Sequence[object], places: list[int], partial: bool) -> Any:
        """Return the automatic relationships that the types of some resources declare."""
        top = self.compilation.top
        site = CallSite(self.compilation, None, top, None, None)  # type: ignore[arg-type]
        message = {"do": "relations", "asked": places, "partial": partial}
        try:
            return self._call(site, "automatic relationships", message, [rows])
        except EvaluationError as error:
            return Unknown(error.message)

    def function(self, site: CallSite, name: str, arguments: Sequence[object]) -> Value:
        """Call a function that a module has in Ruby."""
        return self._call(
            site, f"the function '{name}'", {"do": "function", "name": name}, arguments
        )

    def data(self, site: CallSite, name: str, arguments: Sequence[object], context: Context) -> Any:
        """Call a function of a level of Hiera; its value in a list, an empty one for no value."""
        number = self.contexts.setdefault(context, len(self.contexts))
        message = {"do": "data", "name": name, "context": number, "module": context.module}
        return self._call(site, f"the function '{name}'", message, arguments)

    def builtin(
        self,
        site: CallSite,
        name: str,
        arguments: Sequence[object],
        variables: VariablesSent | None = None,
        what: str = "",
    ) -> Value:
        """Call a function of Puppet's 3.x API, with the variables of a template."""
        message = {"do": "builtin", "name": name}
        return self._call(site, what or f"the function '{name}'", message, arguments, variables)

    def _call(
        self,
        site: CallSite,
        what: str,
        message: Message,
        arguments: Sequence[object],
        variables: VariablesSent | None = None,
    ) -> Value:
        """Return the value, an Unknown where the helper fails or something Unknown decides.

        Raises:
            EvaluationError: the Ruby code fails.
            InputError: there is no Ruby with Puppet.
        """
        self.has_run = False
        if what in self.hung:
            return Unknown(f"{what} in Ruby: {self.hung[what]}")
        try:
            self._begin()
            if not self.handles.sites:
                self.wire.forget()
                self.handles.forget()
            self.handles.sites.append(site)
            try:
                known = site.unit is not None and site.node is not None
                message["place"] = (
                    [site.unit.file, site.unit.line(site.node)] if known else [None, None]
                )
                message["scope"] = self.handles.number_of(site.scope)
                if site.block is not None:
                    message["block"] = self.handles.describe_block(site.block)
                self._fill(message, arguments, variables or {})
                return self._result(self.helper.exchange(message, self.answer), what)
            finally:
                self.handles.sites.pop()
        except UndecidedCall as found:
            return found.unknown
        except HelperError as error:
            self.hung[what] = str(error)
            unknown = Unknown(f"{what} in Ruby: {error}")
            self.compilation.warnings.append(unknown.reason)
            return unknown

    def _fill(
        self, message: Message, arguments: Sequence[object], variables: VariablesSent
    ) -> None:
        """Put values into a message, in the order in which they are read there."""
        sent = {key: self.handles.withhold(names) for key, names in variables.items()}
        values = [value for names in sent.values() for value in names.values()]
        encoded = iter(self.wire.encode(*values, *arguments))
        for key, names in sent.items():
            message[key] = {name: next(encoded) for name in names}
        message["arguments"] = list(encoded)

    def _begin(self) -> None:
        """Begin this compile in the helper, unless it has begun."""
        compilation = self.compilation
        modulepath = [*map(str, compilation.definitions.modulepath)]
        started = self.helper.start(modulepath)
        if self.begun == started and self.helper.begun_for is self:
            return
        if self.begun and self.handles.sites:
            raise HelperError("the helper was ended meanwhile")
        self.begun, self.helper.begun_for = started, self
        known = [compilation.top.own(name) for name in CONSTANTS]
        self.wire = Wire(compilation.resolve)
        self.wire.constants = {id(one): one for one in known if isinstance(one, dict)}
        self.helper.exchange(
            {
                "do": "begin",
                "node": compilation.inputs.node,
                "environment": compilation.inputs.environment,
                "modulepath": modulepath,
                "strict_variables": compilation.strict_variables,
                "strict": "error" if compilation.strict else "warning",
                "elsewhere": [*self._elsewhere(), *compilation.inputs.stubs.functions],
            },
            self.answer,
        )

    def _elsewhere(self) -> list[str]:
        """Return the functions that Ruby calls here, but those that modules have otherwise."""
        compilation = self.compilation
        found = {
            n: origins.find(compilation.definitions, compilation.functions, n) for n in CALLED_HERE
        }
        return [name for name, one in found.items() if one is None or not one.ruby]

    def _result(self, reply: Message, what: str) -> Value:
        self.wire.change(reply.get("changed", ()))
        self.compilation.warnings.extend(reply.get("log", ()))
        if "value" in reply:
            return self.wire.decode(reply["value"])
        if "wordless" in reply:
            self.has_run = True
            return Unknown(f"{what} in Ruby: {reply['wordless']}")
        if "absent" in reply:
            return Unknown(f"{what} in Ruby: {reply['absent']}")
        for key in ("unwind", "error"):
            if key in reply:
                raise self.handles.raised[reply[key]]
        site = self.handles.sites[-1]
        raise EvaluationError(reply["failed"], site.unit, site.node)

    def yield_to(self, number: int, arguments: Sequence[object]) -> Value:
        """Call a block of Ruby code."""
        message = {"do": "yield", "number": number, "arguments": self.wire.encode(*arguments)}
        return self._result(self.helper.exchange(message, self.answer), "a block")

    def answer(self, question: Message) -> Message:
        """Return the answer to a question of Ruby code, or the number of an error."""
        # Ruby code may rescue an error of Puppet's.
        self.compilation.trials += 1
        try:
            self.wire.change(question["changed"])
            values = [self.wire.decode(one) for one in question["with"]]
            return {"value": self.wire.encode(ANSWERS[question["ask"]](self.handles, *values))[0]}
        except (HelperError, KeyboardInterrupt, SystemExit, GeneratorExit):
            raise
        except EvaluationError as error:
            self.handles.raised.append(error)
            here = error.node is None or error.node is self.handles.sites[-1].node
            message = error.message if here else f"Evaluation Error: {error.text}"
            return {"error": len(self.handles.raised) - 1, "message": message}
        except BaseException as error:
            # Leaves the Ruby code: a jump, an Unknown, too deep a recursion.
            self.handles.raised.append(error)
            return {"unwind": len(self.handles.raised) - 1}
        finally:
            self.compilation.trials -= 1
