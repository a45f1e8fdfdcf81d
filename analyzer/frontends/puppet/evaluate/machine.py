"""The machine that evaluates: variables, calls and truth; a compiler adds the catalog."""

from __future__ import annotations

from typing import Any, NoReturn

from analyzer.frontends.puppet.evaluate.blocks import Block
from analyzer.frontends.puppet.evaluate.errors import (
    ISSUES,
    EvaluationError,
    Problem,
    Refusal,
    Unit,
)
from analyzer.frontends.puppet.evaluate.listening import Trace
from analyzer.frontends.puppet.evaluate.recorded_errors import FAILED, RecordedErrors, make_unknown
from analyzer.frontends.puppet.evaluate.scope import MISSING, Scope
from analyzer.frontends.puppet.evaluate.text import text_of, unknown_in
from analyzer.frontends.puppet.syntax.ast import Node
from analyzer.frontends.puppet.types.generalize import generalize
from analyzer.frontends.puppet.types.model.base import ANY, Type
from analyzer.frontends.puppet.types.signatures import SignatureParameter, signature_of
from analyzer.frontends.puppet.types.unknowns import is_instance
from analyzer.model.completeness import Gap, GapKind
from analyzer.model.values import Unknown
from analyzer.source import Span, place_of

# The first version whose settings strict and strict_variables are on.
STRICT = 8

# Variables that are undef where they have no value (Scope::BUILT_IN_VARS).
ALWAYS_THERE = ("module_name", "caller_module_name")


class Machine:
    """Evaluates expressions; a compiler adds what declares and collects resources.

    `top` is the top scope. `undecided_by` are the Unknown values that decided something, with what
    and where; `gaps` what was left out for another reason; `related` the two operands of each
    arrow, as evaluated. With `strict_variables` an unknown variable is an error, else a warning;
    so is a text taken as a number, but an error only from Puppet 8 on, which is strict in all.
    Before Puppet 5 an empty operand of an arrow breaks the chain.
    """

    def __init__(self, *, strict_variables: bool = True, puppet_version: int = 8) -> None:
        self.top = Scope(None)
        self.strict_variables = strict_variables
        self.strict = strict_variables and puppet_version >= STRICT
        self.puppet_version = puppet_version
        self.undecided_by: list[tuple[Unknown, str, Unit, Node, Node]] = []
        self.warnings: list[str] = []
        self.gaps: list[Gap] = []
        self.arrows: list[Any] = []
        self.related: list[tuple[Any, Unit, Scope, list[Any], list[Any]]] = []
        self.collectors: list[Any] = []
        # How many expressions around may never be evaluated by Puppet: their errors are none.
        self.trials = 0
        # How many lambdas are evaluated: in generated code, an error ends all of them.
        self.lambdas = 0
        # Whether the evaluation goes on after an error, and the errors after which it went on.
        self.goes_on = False
        self.recorded_errors = RecordedErrors()
        # Hears of values and where they come from, None: nobody asks.
        self.trace: Trace | None = None

    def variable(self, name: str, scope: Scope, node: Node, unit: Unit) -> Any:
        """Return the value of a variable by unqualified name."""
        value = scope.find(name)
        return self.no_variable(name, node, unit) if value is MISSING else value

    def qualified_variable(self, name: str, scope: Scope, node: Node, unit: Unit) -> Any:
        """Return the value of `::name`, or of a class's variable."""
        if name.startswith("::") and "::" not in name[2:]:
            value = self.top.own(name[2:])
        else:
            value = self.class_variable(name.removeprefix("::"))
        return self.no_variable(name, node, unit) if value is MISSING else value

    def class_variable(self, name: str) -> Any:
        """Return the value of `class::name`, MISSING if there is none."""
        return MISSING

    def no_variable(self, name: str, node: Node, unit: Unit) -> Any:
        """Return undef for a variable that is not there and warn of it, or refuse."""
        if not name.isdigit() and name not in ALWAYS_THERE:
            self.object_to(self.strict_variables, unit, node, "UNKNOWN_VARIABLE", name=name)
        return None

    def object_to(
        self, error: bool, unit: Unit, node: Node, code: str, **arguments: object
    ) -> None:
        """Warn of an issue at a node, once.

        Raises:
            EvaluationError: it is an error.
        """
        issue = EvaluationError(ISSUES[code].format(**arguments), unit, node)
        if error:
            raise issue
        if issue.text not in self.warnings:
            self.warnings.append(issue.text)

    def truth(self, value: object) -> bool | Unknown:
        """Return whether a value counts as true; an Unknown stays one, but every text is true."""
        if type(value) is Unknown:
            return value.is_text or value
        return value is not None and value is not False

    def known_text(self, value: object) -> str | Unknown:
        """Return a value as text, or the Unknown in it."""
        if type(value) is int:
            return str(value)
        unknown = unknown_in(value)
        return text_of(value) if unknown is None else unknown.as_text()

    def undecided(
        self, value: Unknown, what: str, unit: Unit, node: Node, around: Node | None = None
    ) -> Unknown:
        """Remember that an Unknown should have decided something, and return it."""
        self.undecided_by.append((value, what, unit, node, around or node))
        return value

    def leave_out(
        self,
        kind: GapKind,
        name: str,
        reason: str,
        unit: Unit | None,
        node: Node | None,
        *,
        hint: str = "",
        hides: bool = True,
    ) -> None:
        """Record something that the catalog lacks because it cannot be known here.

        What a classifier or Ruby code asks for has no place in a manifest.
        """
        span = None
        if unit is not None and node is not None:
            span = Span(unit.file, *place_of(unit.text, node.offset))
        self.gaps.append(Gap(kind, name, reason, span, hint, hides))

    def recover(self, error: Problem, unit: Unit | None, node: Node | None) -> Any:
        """Return Unknown for an expression that cannot be evaluated, if the evaluation goes on.

        Raises:
            Refusal: the program refuses to go on.
            EvaluationError, ParseError, TypeProblem: the evaluation ends with the first error, or
                the expression may never be evaluated.
        """
        if not self.goes_on or self.trials or isinstance(error, Refusal):
            raise error
        self.recorded_errors.add(error, unit, node)
        return FAILED

    def skip(self, error: Problem, unit: Unit, node: Node, scope: Scope) -> Any:
        """Leave out a statement that cannot be evaluated, if the evaluation goes on.

        The variables that it would have set are Unknown.

        Raises:
            EvaluationError, ParseError, TypeProblem: as for `recover`.
        """
        value = self.recover_part(error, unit, node)
        make_unknown([node], scope)
        return value

    def recover_part(self, error: Problem, unit: Unit, node: Node) -> Any:
        """Return the value of a part of a statement, as `recover`; a lambda ends with the error.

        Raises:
            EvaluationError, ParseError, TypeProblem: the one given, where nothing goes on after it.
        """
        if self.lambdas:
            raise error
        return self.recover(error, unit, node)

    def warn_coercion(self, before: Any, after: Any, unit: Unit, node: Node) -> None:
        """Warn that a text is taken as a number, or refuse."""
        numbers = {"before": before, "after": text_of(after)}
        self.object_to(self.strict, unit, node, "NUMERIC_COERCION", **numbers)

    def type_word(self, value: object) -> str:
        """Return the general type of a value, for messages."""
        from analyzer.frontends.puppet.types.infer import infer

        return str(generalize(infer(value)))

    def check_argument(self, function: str, name: str, wanted: Type, value: object) -> None:
        """Check an argument against a parameter's type.

        Raises:
            EvaluationError: it is not of that type.
        """
        if not is_instance(wanted, value):
            from analyzer.frontends.puppet.types.mismatches.calls import describe_call

            takes = signature_of([SignatureParameter(name, wanted)])
            raise EvaluationError(describe_call(function, [takes], [value]))

    def known_type(self, value: Any) -> Type:
        """Return the evaluated type of a parameter; an Unknown one accepts any value."""
        return ANY if isinstance(value, Unknown) else value

    def as_parameter(self, value: object, node: Node, unit: Unit) -> Any:
        """Return a value as a resource's parameter holds it."""
        return value

    def call(
        self,
        name: str,
        arguments: list[object],
        block: Block | None,
        scope: Scope,
        node: Node,
        unit: Unit,
    ) -> Any:
        """Call a function."""
        raise EvaluationError(f"Unknown function: '{name}'.", unit, node)

    def plain(self, name: str) -> bool:
        """Return whether a function of Puppet's is the one that a name means."""
        return False

    def resolve(self, name: str) -> Type | None:
        """Return the type that modules or the environment define under a name."""
        return None

    def type_named(self, node: Any, unit: Unit) -> Any:
        """Return the type of a name."""
        return self.outside("types")

    def parameterize(self, value: Type, keys: list[object], node: object, unit: Unit) -> Any:
        """Return a type with parameters."""
        return self.outside("types")

    def resource_exists(self, name: str) -> bool:
        """Return whether there are resources of a type."""
        return self.outside("resource types")

    def declare(
        self, kind: str, titles: object, given: list[Any], scope: Scope, node: Node, unit: Unit
    ) -> list[Any]:
        """Declare resources, return references to them."""
        return self.outside("resources")

    def override(
        self, ref: object, given: list[object], scope: Scope, node: Node, unit: Unit
    ) -> None:
        """Change the attributes of a resource."""
        self.outside("overrides")

    def outside(self, what: str) -> NoReturn:
        """Refuse what only a compile can do."""
        raise EvaluationError(f"{what} can be used in a compile only")
