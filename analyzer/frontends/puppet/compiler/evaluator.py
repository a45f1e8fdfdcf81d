"""The evaluator of a compile: what expressions ask for besides values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analyzer.frontends.puppet.compiler import (  # noqa: F401 (these register their nodes)
    collectors,
    declarations,
    gaps,
    references,
    relations,
    statements,
)
from analyzer.frontends.puppet.compiler.calls import dispatch
from analyzer.frontends.puppet.compiler.declared.compilation import Compilation
from analyzer.frontends.puppet.compiler.definitions import origins
from analyzer.frontends.puppet.compiler.definitions.definition import Definition
from analyzer.frontends.puppet.evaluate import (  # noqa: F401 (each registers its nodes)
    access,
    calls,
    control,
    literals,
    operators,
    templates,
)
from analyzer.frontends.puppet.evaluate.access import is_fixed
from analyzer.frontends.puppet.evaluate.errors import EvaluationError, Unit
from analyzer.frontends.puppet.evaluate.recorded_errors import FAILED
from analyzer.frontends.puppet.evaluate.scope import Scope
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.syntax.ast import Node
from analyzer.frontends.puppet.types.model.aliases import TypeAliasType, opaque_alias, resolved
from analyzer.frontends.puppet.types.model.base import Type
from analyzer.frontends.puppet.types.model.catalog import ResourceType
from analyzer.frontends.puppet.types.model.objects import ObjectType, TypeSetType
from analyzer.frontends.puppet.types.parsing.parse import alias, find_type
from analyzer.frontends.puppet.types.parsing.type_sets import repeats_parent, within_set
from analyzer.frontends.puppet.types.problems import TypeProblem
from analyzer.model.names import capitalize_type
from analyzer.model.releases import STRICT, has
from analyzer.model.values import Unknown, Value

if TYPE_CHECKING:
    from analyzer.frontends.puppet.evaluate.blocks import Block


class Evaluator(Compilation):
    """Evaluates over a compilation; the methods are those that `Machine` leaves open."""

    def no_variable(self, name: str, node: Node, unit: Unit) -> Value:
        """Return undef for a variable that is not there, or refuse; it may be an unknown fact."""
        unknown = self.may_be_fact(name, unit.text)
        if unknown is not None:
            return unknown
        bare = name.removeprefix("::")
        if self.open_above and not bare.isdigit():
            return Unknown(self.open_above)
        owner = bare.rpartition("::")[0].lower()
        if owner and (owner in self.broken or owner not in self.class_scopes):
            # An error, or an Unknown, may have kept the class away.
            if self.recorded_errors.errors:
                return FAILED
            # A node that has the class declares others, too.
            if gaps.hides(self) or (self.inputs.alone and not self.inputs.strict):
                reason = f"${bare} is of a class that is not declared in what is known"
                self.leave_out("undecided", "variable", reason, unit, node, hides=False)
                return Unknown(reason)
        try:
            return super().no_variable(name, node, unit)
        except EvaluationError as error:
            return self.recover(error, unit, node)

    def type_named(self, node: a.QualifiedReference, unit: Unit) -> Value:
        """Return the data type, alias or type of resources with a name.

        Nothing is known of a type that does not exist.

        Raises:
            EvaluationError: its alias cannot be resolved.
        """
        name = node.cased_value
        try:
            found = find_type(name.removeprefix("::"), self.resolve)
        except TypeProblem as problem:
            raise EvaluationError(str(problem), unit, node) from None
        if found is None:
            if not self.definitions.may_be_unparsed("type", name):
                error = EvaluationError(f"Resource type not found: {name}", unit, node)
                self.recover(error, unit, node)
            self.definitions.missing.refuse("type", name)
            found = self.resolve(name)
        return found

    def resolve(self, name: str) -> Type | None:
        """Return the type that modules or the environment define under a name."""
        name = name.removeprefix("::")
        known = self.types.get(name.lower())
        if known is not None:
            return known
        made: Type
        definition = self.definitions.find("type", name)
        opaque = self.definitions.missing.reason("type", name) if definition is None else ""
        if opaque:
            made = opaque_alias(name, opaque)
        elif definition is not None:
            made = self.resolve_alias(definition)
            node = definition.node
            if isinstance(resolved(made), ObjectType | TypeSetType) and made.target is not None:
                made = made.target if made.target.name == node.name else made
        elif (found := self.in_type_set(name)) is not None:
            made = found
        elif self.resource_exists(name):
            made = ResourceType(capitalize_type(name))
        else:
            return None
        self.types[name.lower()] = made
        return made

    def in_type_set(self, name: str) -> Type | None:
        """Return a type of a set: `Set::Name`.

        As in Puppet, only an expression that names the set itself makes its types known.
        """
        owner, _, last = name.rpartition("::")
        found = self.types.get(owner.lower())
        return within_set(found.types, last) if isinstance(found, TypeSetType) else None

    def resolve_alias(self, definition: Definition) -> TypeAliasType:
        """Return an alias; it and the aliases that it is made of may name each other."""
        if definition.alias is not None:
            return definition.alias
        node, text = definition.node, definition.unit.text
        if repeats_parent(node.type_expr) and has(self.puppet_version, STRICT):
            raise TypeProblem("The key 'parent' is declared more than once")
        made = self.types[node.name.lower()] = TypeAliasType(node.name)
        try:
            made = alias(node.name, node.type_expr, self.resolve, text, made)
        except BaseException:
            del self.types[node.name.lower()]
            raise
        if is_fixed(node.type_expr):
            definition.alias = made
        return made

    def parameterize(self, value: Type, keys: list[Any], node: Any, unit: Unit) -> Value:
        """Return a type with parameters, or references to classes or resources."""
        return references.specialize(self, references.as_resources(value), keys, node, unit)

    def resource_exists(self, name: str) -> bool:
        """Return whether there are resources of a type."""
        return (
            self.definitions.has_ruby_type(name)
            or self.definitions.find("define", name) is not None
            or self.definitions.missing_type(name) != ""
        )

    def as_parameter(self, value: Value, node: Node, unit: Unit) -> Value:
        """Return a value with `default` as Puppet passes it on.

        Raises:
            EvaluationError: there is a reference to no class in it.
        """
        return references.as_parameter(value, self, node, unit)

    def call(
        self,
        name: str,
        arguments: list[Any],
        block: Block | None,
        scope: Scope,
        node: Node,
        unit: Unit,
    ) -> Any:
        """Call a function of the catalog, of the library, or of a module."""
        try:
            value = dispatch.call(self, name, arguments, block, scope, node, unit)
        except EvaluationError as error:
            raise error.at(unit, node) from None
        if block is not None and type(value) is Unknown:
            # A block may declare, whether it was called or not.
            self.undecided(value, "iteration", unit, node, getattr(node, "lambda_", None))
        return value

    def plain(self, name: str) -> bool:
        """Return whether a function of Puppet's is the one that a name means, and no other runs."""
        if self.ruby is not None or name in self.inputs.stubs.functions:
            return False
        found = origins.find(self.definitions, self.functions, name)
        return found is not None and found.native == name and found.rows != ()

    def declare(
        self, kind: str, titles: Any, given: list[Any], scope: Scope, node: Node, unit: Unit
    ) -> list[Value]:
        """Declare resources of one type with the same attributes."""
        form = str(getattr(node, "form", "regular"))
        return declarations.declare(self, kind, titles, given, scope, node, unit, form)

    def override(self, ref: Any, given: list[Any], scope: Scope, node: Node, unit: Unit) -> None:
        """Change attributes of a resource."""
        declarations.override(self, ref, given, scope, node, unit)
