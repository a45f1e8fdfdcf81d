"""The compiler: what is declared, and the passes that make a catalog of it, in Puppet's order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from analyzer.frontends.puppet.compiler import (
    classes,
    finish,
    gaps,
    node_data,
    parameters,
    passes,
    references,
    relations,
    statements,
)
from analyzer.frontends.puppet.compiler.calls import dispatch as functions
from analyzer.frontends.puppet.compiler.calls.data import Data
from analyzer.frontends.puppet.compiler.declared import aliases, keys
from analyzer.frontends.puppet.compiler.declared.entry import Entry
from analyzer.frontends.puppet.compiler.declared.places import file_of
from analyzer.frontends.puppet.compiler.definitions.table import Definition, Known
from analyzer.frontends.puppet.compiler.recovery import FAILED, GoingOn
from analyzer.frontends.puppet.evaluate import (  # noqa: F401 (each registers its nodes)
    access,
    calls,
    control,
    literals,
    operators,
    templates,
)
from analyzer.frontends.puppet.evaluate.blocks import Block
from analyzer.frontends.puppet.evaluate.errors import EvaluationError, Jump, Unit
from analyzer.frontends.puppet.evaluate.machine import Machine
from analyzer.frontends.puppet.evaluate.scope import MISSING, Scope
from analyzer.frontends.puppet.node.exports import Exports
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.syntax.ast import Node
from analyzer.frontends.puppet.types.mismatches.assertions import assert_assignable
from analyzer.frontends.puppet.types.model.aliases import TypeAliasType, resolved
from analyzer.frontends.puppet.types.model.base import Type
from analyzer.frontends.puppet.types.model.catalog import ResourceType, RuntimeType
from analyzer.frontends.puppet.types.model.objects import ObjectType
from analyzer.frontends.puppet.types.parsing.parse import alias, find_type, parse_type
from analyzer.frontends.puppet.types.problems import TypeProblem
from analyzer.model.names import capitalize_type
from analyzer.model.statements import MissingReference
from analyzer.model.stubs import Stubs
from analyzer.model.values import DEFAULT, Unknown

if TYPE_CHECKING:
    from analyzer.frontends.puppet.bridge.calls import Link
    from analyzer.frontends.puppet.bridge.helper import Helper


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
        puppet_version: int = 8,
        environment_dir: str | None = None,
        hiera_config: str | None = None,
        classes: Mapping[str, Mapping[str, Any] | None] | None = None,
        node_parameters: Mapping[str, Any] | None = None,
        trusted: Mapping[str, Any] | None = None,
        server_facts: Mapping[str, Any] | None = None,
        stubs: Stubs | None = None,
        helper: Helper | None = None,
        lenient: bool = False,
        exports: Exports | None = None,
    ) -> None:
        super().__init__(strict_variables=strict_variables, puppet_version=puppet_version)
        self.known = known
        self.node = node
        self.facts = facts
        self.classes = classes
        self.node_parameters = node_parameters or {}
        self.trusted = trusted or {}
        self.server_facts = node_data.server_facts({}) if server_facts is None else server_facts
        self.stubs = stubs or Stubs()
        self.environment = environment
        self.exports = exports
        self.lenient = lenient
        self.begin()
        self.data = Data(self, environment_dir, hiera_config)
        self.ruby = link_to(helper, self) if helper is not None else None

    def begin(self) -> None:
        """Begin with nothing declared."""
        self.entries: dict[tuple[str, str], Entry] = {}
        self.aliases: dict[keys.TableKey, Entry] = {}
        self.edges: dict[tuple[Entry, Entry], None] = {}
        self.class_scopes: dict[str, Scope] = {}
        self.class_names: list[str] = []
        # The tags of all classes and nodes that are declared so far (Catalog#tags).
        self.tags: set[str] = set()
        # What went wrong so far, what tells it apart, and the classes that could not be evaluated.
        self.errors: list[Any] = []
        self.said: set[object] = set()
        self.broken: set[str] = set()
        self.overrides: dict[tuple[str, str], list[finish.Override]] = {}
        self.missing: list[MissingReference] = []
        # Set once something is known to be hidden (gaps.hides).
        self.partial = False
        self.class_uses: list[tuple[str, str, Scope, Unit, Node]] = []
        # Classes, or None for the main one, whose collectors have changed resources.
        self.unrestrained: set[Definition | None] = set()
        self.realizing: list[tuple[str, str, Unit, Node]] = []
        self.types: dict[str, Type] = {}
        self.parameter_types: dict[Definition, parameters.Types] = {}

    def compile(self) -> Compiler:
        """Run the passes.

        Raises:
            EvaluationError: the program cannot be compiled for this node.
        """
        try:
            self.check_definitions()
            for run in passes.PASSES:
                if not (self.errors and run is passes.CHECKS[0]):
                    with GoingOn(self):
                        run(self)
                else:
                    break
        except Jump as jump:
            self.errors.append(jump.illegal())
        except RecursionError:
            if not self.errors:
                raise
        if self.errors:
            first, *first.more = self.errors
            raise first
        return self

    def name_classes(self, *names: str) -> None:
        """Add names to the catalog's list of classes, and to its tags."""
        self.class_names += names
        for name in map(str.lower, names):
            self.tags.update({name, *name.split("::")})

    def check_definitions(self) -> None:
        """Check what the manifests define before anything of them is evaluated."""
        self.known.begin(self.check_types)
        for mapping, unit in self.known.mappings:
            with GoingOn(self):
                self.check_mapping(mapping, unit)

    def check_types(self, definition: Definition) -> None:
        """Evaluate the types of a definition's parameters, as Puppet does when it is loaded."""
        with GoingOn(self, definition.unit, definition.node):
            parameters.types_of(self, definition, self.top)

    def check_mapping(self, node: a.TypeMapping, unit: Unit) -> None:
        """Check that it is types of Ruby that are mapped; there are no values of them here.

        Raises:
            EvaluationError: it is another type, or none.
        """
        try:
            found = parse_type(node.type_expr, self.resolve, unit.text)
            assert_assignable("First argument of type mapping", RuntimeType("ruby"), found)
        except TypeProblem as problem:
            raise EvaluationError(str(problem), unit, node) from None

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
        owner = bare.rpartition("::")[0].lower()
        if owner and (owner in self.broken or owner not in self.class_scopes):
            # An error, or what is not known, may have kept the class away.
            if self.errors:
                return FAILED
            if gaps.hides(self):
                reason = f"${bare} is of a class that is not declared in what is known"
                self.leave_out("undecided", "variable", reason, unit, node, hides=False)
                return Unknown(reason)
        return super().no_variable(name, node, unit)

    def type_named(self, node: a.QualifiedReference, unit: Unit) -> Any:
        """Return the data type, alias or type of resources with a name.

        Raises:
            EvaluationError: there is none.
        """
        name = node.cased_value
        try:
            found = find_type(name.removeprefix("::"), self.resolve)
        except TypeProblem as problem:
            raise EvaluationError(str(problem), unit, node) from None
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
            made: Type = self.resolve_alias(definition)
            node = definition.node
            if isinstance(resolved(made), ObjectType) and resolved(made).name == node.name:
                made = resolved(made)
        elif self.is_native(name) or self.known.find("define", name):
            made = ResourceType(capitalize_type(name))
        else:
            return None
        self.types[name.lower()] = made
        return made

    def resolve_alias(self, definition: Definition) -> TypeAliasType:
        """Return an alias; it and the aliases that it is made of may name each other."""
        node, text = definition.node, definition.unit.text
        made = self.types[node.name.lower()] = TypeAliasType(node.name)
        try:
            return alias(node.name, node.type_expr, self.resolve, text, made)
        except BaseException:
            del self.types[node.name.lower()]
            raise

    def parameterize(self, value: Type, keys: list[Any], node: Any, unit: Unit) -> Any:
        """Return a type with parameters, or references to classes or resources."""
        return references.specialize(self, value, keys, node, unit)

    def resource_type(self, name: str, unit: Unit, node: Node) -> Definition | None:
        """Return the define of a type, None for a native one, which comes before a define."""
        if self.known.has_ruby_type(name, certainly=True):
            return None
        found = self.known.find("define", name)
        if found is None and not self.is_native(name):
            raise EvaluationError(f"Unknown resource type: '{name}'", unit, node)
        return found

    def resource_exists(self, name: str) -> bool:
        """Tell whether there are resources of a type."""
        return self.is_native(name) or self.known.find("define", name) is not None

    def is_native(self, name: str) -> bool:
        """Tell whether a type of resources is Puppet's own or one that a module has in Ruby."""
        return self.known.has_ruby_type(name)

    def as_parameter(self, value: Any, node: Node, unit: Unit) -> Any:
        """Return a value with `default` as Puppet passes it on.

        Raises:
            EvaluationError: there is a reference to no class in it.
        """
        relations.refuse_untitled(value, unit, node)
        return "default" if value is DEFAULT else value

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
            value = functions.call(self, name, arguments, block, scope, node, unit)
        except EvaluationError as error:
            raise error.at(unit, node) from None
        if block is not None and type(value) is Unknown:
            # A block that was not called may declare; one that was called is looked at alike.
            self.undecided(value, "iteration", unit, node, getattr(node, "lambda_", None))
        return value

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
            raise EvaluationError(aliases.duplicate(entry, known), unit, node)
        self.entries[key] = entry
        if container is not None and entry.type not in ("Class", "Stage"):
            self.edges[container, entry] = None
        aliases.add_aliases(self, entry, node, unit)

    def entry_at(self, key: keys.TableKey) -> Entry | None:
        """Return what is declared under a title, an alias or a key."""
        return self.entries.get(key) or self.aliases.get(key)

    def find(self, kind: str, title: str) -> Entry | None:
        """Return a declared resource by title, alias or key."""
        found = self.entry_at((kind, title))
        type = self.known.ruby_type(kind) if found is None else None
        if type is None:
            return found
        key = keys.sought_key(kind, title, type)
        return None if key is None else self.entry_at(key)

    def find_ref(self, ref: Any) -> Entry | None:
        """Return the resource or class that a reference names."""
        kind, title = relations.key_of(ref)
        return self.find(kind, title or "Main" if kind == "Class" else title)

    def declare(
        self,
        kind: str,
        titles: Sequence[Any],
        given: list[Any],
        scope: Scope,
        node: Node,
        unit: Unit,
        form: str | None = None,
    ) -> list[Any]:
        """Declare resources of one type with the same attributes."""
        form = form or str(getattr(node, "form", "regular"))
        if kind == "class":
            declare = classes.declare_class
            return [declare(self, str(t), given, scope, node, unit, form) for t in titles]
        definition = self.resource_type(kind, unit, node)
        kind = kind.lower().removeprefix("::")
        name_of_type, line = capitalize_type(kind), unit.line(node)
        made = []
        file = file_of(unit, node)
        for title in titles:
            entry = Entry(name_of_type, title, scope, file, line)
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
            made.append(ResourceType(entry.type, entry.title))
        return made

    def override(self, ref: Any, given: list[Any], scope: Scope, node: Node, unit: Unit) -> None:
        """Change attributes now, or when the resource is declared."""
        change = finish.Override(given, scope, unit, node)
        key = references.key_to_override(self, ref, node, unit)
        entry = self.find(*key)
        if entry is not None:
            finish.merge(self, entry, change)
        else:
            self.overrides.setdefault(key, []).append(change)


def link_to(helper: Helper, compiler: Compiler) -> Link:
    """Return the compile's end of the bridge to Ruby."""
    from analyzer.frontends.puppet.bridge.calls import Link

    return Link(helper, compiler)
