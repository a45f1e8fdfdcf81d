"""The compiler: what is declared, and the passes that make a catalog of it, in Puppet's order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from analyzer.frontends.puppet import ast as a
from analyzer.frontends.puppet.ast import Node
from analyzer.frontends.puppet.compiler import (  # noqa: F401 (statements registers its nodes)
    classes,
    finish,
    functions,
    parameters,
    passes,
    references,
    statements,
)
from analyzer.frontends.puppet.compiler.data import Data
from analyzer.frontends.puppet.compiler.entry import Entry
from analyzer.frontends.puppet.compiler.known import Definition, Known
from analyzer.frontends.puppet.compiler.native import NATIVE_TYPES
from analyzer.frontends.puppet.evaluate import (  # noqa: F401 (each registers its nodes)
    access,
    calls,
    control,
    literals,
    operators,
    templates,
)
from analyzer.frontends.puppet.evaluate.calls import Lambda
from analyzer.frontends.puppet.evaluate.errors import EvaluationError, Unit
from analyzer.frontends.puppet.evaluate.machine import Machine
from analyzer.frontends.puppet.evaluate.scope import MISSING, Scope
from analyzer.frontends.puppet.exports import Exports
from analyzer.frontends.puppet.types.base import Type
from analyzer.frontends.puppet.types.catalog import ClassType, ResourceType
from analyzer.frontends.puppet.types.parse import alias, find_type
from analyzer.frontends.puppet.types.problems import TypeProblem
from analyzer.model.names import capitalize_type
from analyzer.model.values import DEFAULT, Unknown


class Compiler(Machine):
    """Compiles for one node.

    `entries` are the resources in order of declaration, `edges` the containment, container first.
    `exports` are what other nodes export; without them collectors of exported resources find
    nothing, as in a Puppet without storeconfigs.
    """

    def __init__(  # noqa: PLR0913
        self,
        known: Known,
        node: str,
        facts: Mapping[str, Any] | None,
        *,
        environment: str = "production",
        strict_variables: bool = True,
        environment_dir: str | None = None,
        hiera_config: str | None = None,
        classes: Mapping[str, Mapping[str, Any] | None] | None = None,
        node_parameters: Mapping[str, Any] | None = None,
        exports: Exports | None = None,
    ) -> None:
        super().__init__(strict_variables=strict_variables)
        self.known = known
        self.node = node
        self.facts = facts
        self.classes = classes
        self.node_parameters = node_parameters or {}
        self.environment = environment
        self.exports = exports
        self.entries: dict[tuple[str, str], Entry] = {}
        self.aliases: dict[tuple[str, str], Entry] = {}
        self.edges: list[tuple[Entry, Entry]] = []
        self.class_scopes: dict[str, Scope] = {}
        self.class_names: list[str] = list(classes or ())
        self.overrides: dict[tuple[str, str], list[finish.Override]] = {}
        self.realizing: list[tuple[str, str]] = []
        self.types: dict[str, Type] = {}
        self.parameter_types: dict[Definition, parameters.Types] = {}
        self.data = Data(self, environment_dir, hiera_config)

    def compile(self) -> Compiler:
        """Run the passes.

        Raises:
            EvaluationError: the program cannot be compiled for this node.
        """
        self.known.on_define = self.check_types
        try:
            for definition in list(self.known.found.values()):
                if definition.kind in ("class", "define"):
                    self.check_types(definition)
            for run in passes.PASSES:
                run(self)
        except TypeProblem as problem:
            raise EvaluationError(str(problem)) from None
        return self

    def check_types(self, definition: Definition) -> None:
        """Evaluate the types of a definition's parameters, as Puppet does when it is loaded.

        Raises:
            EvaluationError: one of them is none.
        """
        parameters.types_of(self, definition, self.top)

    # ---- what expressions ask for

    def class_variable(self, name: str) -> Any:
        """Return the value of `class::name`."""
        owner, _, variable = name.rpartition("::")
        if owner == "settings":
            known = {"environment": self.environment, "certname": self.node}
            return known.get(variable) or Unknown(f"the setting {variable} is the machine's own")
        scope = self.class_scopes.get(owner.lower())
        while scope is not None:
            value = scope.own(variable)
            above = scope.enclosing
            if value is not MISSING or above is None or above.resource is None:
                return value
            # The scope of an inherited class, or the top or node scope, where the search ends.
            scope = above if above.resource.type == "Class" and above is not self.top else None
        return MISSING

    def no_variable(self, name: str, node: Node, unit: Unit) -> Any:
        """Return undef for a variable that is not there, or refuse; it may be an unknown fact."""
        bare = name.removeprefix("::")
        if self.facts is None and "::" not in bare and not bare.isdigit():
            return Unknown(f"${bare} may be a fact, and there are no facts (--facts FILE)")
        return super().no_variable(name, node, unit)

    def type_named(self, node: a.QualifiedReference, unit: Unit) -> Any:
        """Return the data type, alias or type of resources with a name.

        Raises:
            EvaluationError: there is none.
        """
        name = node.cased_value.removeprefix("::")
        found = find_type(name, self.resolve)
        if found is None:
            raise EvaluationError(f"Resource type not found: {name}", unit, node)
        return found

    def resolve(self, name: str) -> Type | None:
        """Return what modules and the environment define under the name of a type."""
        name = name.removeprefix("::")
        known = self.types.get(name.lower())
        if known is not None:
            return known
        definition = self.known.find("type", name)
        if definition is not None:
            node = definition.node
            made: Type = alias(node.name, node.type_expr, self.resolve, definition.unit.text)
        elif self.is_native(name) or self.known.find("define", name):
            made = ResourceType(capitalize_type(name))
        else:
            return None
        self.types[name.lower()] = made
        return made

    def parameterize(self, value: Type, keys: list[Any], node: Any, unit: Unit) -> Any:
        """Return a type with parameters, or references to classes or resources."""
        return references.specialize(self, value, keys, node, unit)

    def resource_type(self, name: str, unit: Unit, node: Node) -> Definition | None:
        """Return the define of a type, None for a native one."""
        found = self.known.find("define", name)
        if found is None and not self.is_native(name):
            raise EvaluationError(f"Unknown resource type: '{name.lower()}'", unit, node)
        return found

    def resource_exists(self, name: str) -> bool:
        """Tell whether there are resources of a type."""
        return self.is_native(name) or self.known.find("define", name) is not None

    def is_native(self, name: str) -> bool:
        """Tell whether a type of resources is Puppet's own or one that a module has in Ruby."""
        name = name.lower()
        return name in NATIVE_TYPES or self.known.native_file(name) is not None

    def as_parameter(self, value: Any) -> Any:
        """Return references as texts, `default` as Puppet passes it on."""
        if isinstance(value, (ResourceType, ClassType)):
            return value
        return "default" if value is DEFAULT else value

    def call(
        self,
        name: str,
        arguments: list[Any],
        block: Lambda | None,
        scope: Scope,
        node: Node,
        unit: Unit,
    ) -> Any:
        """Call a function of the catalog, of the library, or of a module."""
        return functions.call(self, name, arguments, block, scope, node, unit)

    # ---- what is declared

    def add(
        self, entry: Entry, container: Entry | None, node: Node | None, unit: Unit | None
    ) -> None:
        """Add a resource to the catalog, in what contains it.

        Raises:
            EvaluationError: there is one with that type and title, or with its alias.
        """
        key = (entry.type, entry.title)
        known = self.entries.get(key) or self.aliases.get(key)
        if known is not None:
            raise EvaluationError(finish.duplicate(entry, known), unit, node)
        self.entries[key] = entry
        if container is not None and entry.type not in ("Class", "Stage"):
            self.edges.append((container, entry))
        for other in finish.names_of(entry):
            found = self.find(entry.type, other)
            if found is not None and found is not entry:
                raise EvaluationError(finish.cannot_alias(entry, other, found), unit, node)
            self.aliases[entry.type, other] = entry

    def find(self, kind: str, title: str) -> Entry | None:
        """Return a declared resource by title, alias or namevar."""
        found = self.entries.get((kind, title)) or self.aliases.get((kind, title))
        if found is None and kind == "File" and len(title) > 1 and title.endswith("/"):
            return self.find(kind, title.rstrip("/") or "/")
        return found

    def find_ref(self, ref: Any) -> Entry | None:
        """Return the resource or class that a reference names."""
        if isinstance(ref, ClassType):
            return self.find("Class", capitalize_type(ref.class_name or "main"))
        return self.find(capitalize_type(ref.type_name), ref.title)

    def declare(
        self,
        kind: str,
        titles: list[str],
        given: list[Any],
        scope: Scope,
        node: Node,
        unit: Unit,
        form: str | None = None,
    ) -> list[Any]:
        """Declare resources of one type with the same attributes."""
        kind = kind.lower().removeprefix("::")
        if kind == "class":
            return [classes.declare_class(self, t, given, scope, node, unit) for t in titles]
        definition = self.resource_type(kind, unit, node)
        form = form or getattr(node, "form", "regular")
        made = []
        for title in titles:
            entry = Entry(capitalize_type(kind), title, scope, unit.file, unit.line(node))
            entry.unit, entry.node = unit, node
            entry.definition = definition
            entry.kind = "defined_type" if definition else "compilable_type"
            entry.virtual = form != "regular"
            entry.exported = form == "exported"
            entry.source = scope.source
            for name, value, _ in given:
                entry.set(name, value)
            finish.add_defaults(entry, scope)
            self.add(entry, scope.resource, node, unit)
            if "stage" in entry.parameters and kind != "stage":
                message = (
                    "Only classes can set 'stage'; normal resources like {} cannot change run stage"
                )
                raise EvaluationError(message.format(entry.ref), unit, node)
            made.append(ResourceType(entry.type, title))
        return made

    def override(self, ref: Any, given: list[Any], scope: Scope, node: Node, unit: Unit) -> None:
        """Change attributes now, or when the resource is declared."""
        change = finish.Override(given, scope, unit, node)
        entry = self.find_ref(ref)
        if entry is not None:
            finish.merge(self, entry, change)
        else:
            key = (capitalize_type(ref.type_name), ref.title)
            self.overrides.setdefault(key, []).append(change)
