"""The compile of one node: the declarations so far, and the sources that functions query."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple, NoReturn, Protocol

from analyzer.frontends.puppet.compiler.declared import aliases, keys
from analyzer.frontends.puppet.compiler.declared.entry import Entry, key_of
from analyzer.frontends.puppet.compiler.declared.module_files import ModuleFiles
from analyzer.frontends.puppet.compiler.declared.overrides import Override
from analyzer.frontends.puppet.compiler.definitions.definition import Definition, ParameterTypes
from analyzer.frontends.puppet.compiler.definitions.table import DefinitionTable
from analyzer.frontends.puppet.evaluate.errors import EvaluationError, Unit
from analyzer.frontends.puppet.evaluate.machine import Machine
from analyzer.frontends.puppet.evaluate.scope import MISSING, Scope
from analyzer.frontends.puppet.node.legacy_facts import is_legacy
from analyzer.frontends.puppet.syntax.ast import Node
from analyzer.frontends.puppet.syntax.diagnostic import ParseError
from analyzer.frontends.puppet.types.model.base import Type
from analyzer.frontends.puppet.types.model.catalog import ClassType, ResourceType
from analyzer.model.certnames import certname_of
from analyzer.model.statements import MissingReference
from analyzer.model.stubs import Stubs
from analyzer.model.values import Unknown, Value
from analyzer.pattern import pattern

if TYPE_CHECKING:
    from analyzer.frontends.puppet.evaluate.blocks import Block
    from analyzer.frontends.puppet.hiera.hierarchy.levels import Context
    from analyzer.frontends.puppet.hiera.lookup import Lookup
    from analyzer.frontends.puppet.node.exports import Exported

# A variable in a manifest, and how much of two names must agree if one is meant for the other.
VARIABLE = pattern(r"\$(\w+)")
ALIKE = 0.85
# A parameter that data have no value for; undef is a value.
NO_DATA: Final = object()

CatalogFunctions = Mapping[str, Callable[..., Value]]


@dataclass(frozen=True, slots=True)
class CompileInputs:
    """The inputs of the compile of one node.

    `facts` None: they are Unknown. `classes` are those of a classifier, with their parameters,
    and `node_parameters` its variables. `trusted` adds to the trusted data of a local
    compile, None: its extensions are Unknown. `server_facts` None: they are Unknown.
    `lenient` keeps relationships to what is not declared from ending the compile. `alone` is the
    class that is compiled by itself: unless `strict`, it needs no values. `parameters`
    are values of classes' parameters by name, `app::port`, that count before those of data.
    Unless `strict`, data that nobody can see are Unknown.
    `node_blocks` False: none of them applies. `typical`: the facts are those of a typical system,
    so that what else is asked of the top scope is Unknown; `no_legacy_facts` as in the settings.
    `old` says what shows that the code is for a Puppet before 8, if nobody gave the version.
    """

    node: str
    facts: Mapping[str, Value] | None = None
    environment: str = "production"
    environment_dir: str | None = None
    hiera_config: str | None = None
    classes: Mapping[str, Mapping[str, Value] | None] | None = None
    node_parameters: Mapping[str, Value] = field(default_factory=dict)
    trusted: Mapping[str, Value] | None = field(default_factory=dict)
    server_facts: Mapping[str, Value] | None = None
    stubs: Stubs = field(default_factory=Stubs)
    strict_variables: bool = True
    puppet_version: int = 8
    lenient: bool = False
    alone: str = ""
    parameters: Mapping[str, Value] = field(default_factory=dict)
    strict: bool = True
    node_blocks: bool = True
    typical: bool = False
    no_legacy_facts: str = ""
    old: str = ""

    @property
    def certname(self) -> str:
        """Return the certname of the node."""
        return certname_of(self.node)


class Kind(NamedTuple):
    """A type of resources: its name in capitals, its define, and why nothing is known of it."""

    name: str
    definition: Definition | None
    missing: str


class CompileData(Protocol):
    """Hiera, as a compile asks it."""

    def parameter(self, key: str, scope: Scope, entry: Entry) -> Value:
        """Return the value of a class's parameter, NO_DATA if data have none."""
        ...

    def at(self, scope: Scope) -> Lookup:
        """Return the lookup with the variables of a scope."""
        ...

    def mentions(self, key: str) -> bool:
        """Return whether files that are data of the repository have a key."""
        ...

    def assumed(self) -> dict[str, str]:
        """Return the levels that are assumed to have no values, with the reasons."""
        ...

    def secret_levels(self) -> Iterator[tuple[str, str]]:
        """Yield the levels whose folder of secrets is not here, each with the reason."""

    def of_server(self) -> str:
        """Return why only a server has data, empty if that is not so."""
        ...

    def unseen(self, *, assumed: bool = True) -> str:
        """Return why there may be data that cannot be read here, empty if all can be read."""

    def outside(self) -> list[tuple[str, str, bool]]:
        """Return files that may not be read, the reason, and whether they may have values."""
        ...


class Ruby(Protocol):
    """The bridge to Ruby."""

    @property
    def has_run(self) -> bool:
        """Return whether the last function ran to its end, though its value is not known."""
        ...

    def function(self, site: CallSite, name: str, arguments: Sequence[Value]) -> Value:
        """Call a function that a module has in Ruby."""
        ...

    def data(self, site: CallSite, name: str, arguments: Sequence[Value], context: Context) -> Any:
        """Call a function of a level of Hiera; its value in a list, an empty one for no value."""
        ...

    def template(self, site: CallSite, path: Value, name: str) -> Value:
        """Return the text of a template; `name` is the path without Sensitive."""
        ...

    def inline_template(self, site: CallSite, text: Value) -> Value:
        """Return the rendered text of an inline template."""
        ...

    @property
    def tabled(self) -> frozenset[str]:
        """Return the types whose automatic relationships need not be asked for."""
        ...

    def relations(self, rows: Sequence[Value], places: list[int], partial: bool) -> Any:
        """Return the automatic relationships that the types of some resources declare.

        `rows` are all resources as type, title and parameters, `places` positions among them;
        `partial` if Unknown parameters were left out. For each of those asked comes a list of
        kinds, target types and titles, with whether it generates resources; or a text, the reason
        why that is not known. If Ruby fails the whole is an Unknown.
        """
        ...


class Compilation(Machine):
    """The resources, classes and scopes that are declared so far.

    `entries` are the resources in order of declaration, `edges` the containment, container first.
    `functions` are those that work on the catalog, by name. `search_exports` returns the resources
    of a type that other nodes export; without it their collectors find nothing, as in a Puppet
    without storeconfigs.
    """

    data: CompileData

    def __init__(
        self, definitions: DefinitionTable, inputs: CompileInputs, functions: CatalogFunctions
    ) -> None:
        super().__init__(
            strict_variables=inputs.strict_variables, puppet_version=inputs.puppet_version
        )
        self.goes_on, self.recorded_errors.programs = True, definitions.programs
        self.definitions = definitions
        self.inputs = inputs
        self.functions = functions
        self.ruby: Ruby | None = None
        self.search_exports: Callable[[str], Iterable[Exported]] | None = None
        self.entries: dict[tuple[str, str], Entry] = {}
        self.aliases: dict[keys.TableKey, Entry] = {}
        self.edges: dict[tuple[Entry, Entry], None] = {}
        self.class_scopes: dict[str, Scope] = {}
        self.class_names: list[str] = []
        # The tags of all classes and nodes that are declared so far (Catalog#tags).
        self.tags: set[str] = set()
        # The classes whose evaluation has not ended, or ended in an error.
        self.broken: set[str] = set()
        self.overrides: dict[tuple[str, str], list[Override]] = {}
        self.missing: list[MissingReference] = []
        # References to resources whose title is undef.
        self.untitled: list[tuple[Unit, Node]] = []
        # Set once something is known to be hidden (gaps.hides).
        self.partial = False
        # Why a class that is inherited is not known: any variable may be of it.
        self.open_above = ""
        self.class_uses: list[tuple[str, str, Scope, Unit, Node]] = []
        # Classes, or None for the main one, whose collectors have changed resources.
        self.unrestrained: set[Definition | None] = set()
        self.realizing: list[tuple[str, str, Unit, Node]] = []
        self.types: dict[str, Type] = {}
        self.kinds: dict[str, Kind] = {}
        self.parameter_types: dict[Definition, ParameterTypes] = {}
        self.trace = None if definitions.watch is None else definitions.watch.trace
        if self.trace is not None:
            self.trace.begin(self)

    def seek_class(self, name: str, missing: EvaluationError) -> Definition:
        """Return the definition of a class; for a missing one, an empty one and the error."""
        found = self.seek("class", name, missing)
        assert found is not None
        return found

    def seek(self, kind: str, name: str, missing: EvaluationError | None) -> Definition | None:
        """Return a definition; what stands for it if its file is broken, or if it is `missing`.

        Such errors are recorded; the files that can be read may hold the definition all the same.
        """
        while True:
            try:
                found = self.definitions.find(kind, name)
                break
            except ParseError as error:
                self.recover(error, None, None)
                self.definitions.accepted.add(error)
                self.definitions.take_refused(
                    error, name.lower().removeprefix("::").partition("::")[0]
                )
        broken = self.definitions.may_be_unparsed(kind, name)
        if found is None and (broken or missing is not None):
            if not broken and missing is not None:
                self.recover(missing, missing.unit, missing.node)
            found = self.definitions.missing.refuse(kind, name)
        return found

    def name_classes(self, *names: str) -> None:
        """Add names to the catalog's list of classes, and to its tags."""
        self.class_names += names
        for name in map(str.lower, names):
            self.tags.update({name, *name.split("::")})

    def class_variable(self, name: str) -> Value:
        """Return the value of `class::name`."""
        owner, _, variable = name.rpartition("::")
        if owner == "settings":
            known = {"environment": self.inputs.environment, "certname": self.inputs.certname}
            return known.get(variable) or Unknown(f"the setting {variable} depends on the machine")
        scope = self.class_scopes.get(owner.lower())
        while scope is not None:
            value = scope.innermost(variable)
            if value is MISSING and scope.source is not None and scope.source.missing:
                return Unknown(f"Class[{scope.source.name}] {scope.source.missing}")
            above = scope.enclosing
            if value is not MISSING or above is None or above.resource is None:
                return value
            # The scope of an inherited class, or the top or node scope, where the search ends.
            scope = above if above.resource.type == "Class" and above is not self.top else None
        return MISSING

    def visible_variable(self, name: str, scope: Scope) -> Value:
        """Return the value of a variable, qualified or not, MISSING if there is none."""
        if "::" in (bare := name.removeprefix("::")):
            return self.class_variable(bare)
        return scope.find(bare) if bare == name else self.top.own(bare)

    def may_be_fact(self, name: str, text: str = "") -> Unknown | None:
        """Return why a variable that is not set may still be a fact, None if it cannot be one.

        A classifier sets variables, too; a name that resembles one of the text is misspelled.
        """
        bare = name.removeprefix("::")
        if "::" in bare or bare.isdigit():
            return None
        if self.inputs.facts is None:
            return Unknown(f"${bare} may be a fact, and no facts are given (--facts FILE)")
        if self.inputs.no_legacy_facts == "all" and is_legacy(bare):
            return None
        if self.inputs.typical and (name != bare or not is_misspelled(bare, text)):
            return Unknown(f"${bare} may be a fact of your own ([stubs.facts] in catgraph.toml)")
        return None

    def add(
        self, entry: Entry, container: Entry | None, node: Node | None, unit: Unit | None
    ) -> None:
        """Add a resource to the catalog, in what contains it.

        Raises:
            EvaluationError: there is one with that type and title, or with its alias or key; or
                the title has not the form that the type asks for.
        """
        key = (entry.type, entry.title)
        known = self.entries.get(key) or self.aliases.get(key)
        if known is not None:
            raise EvaluationError(aliases.duplicate(entry, known), unit, node)
        self.entries[key] = entry
        if container is not None and entry.type not in ("Class", "Stage"):
            self.edges[container, entry] = None
        try:
            type = self.definitions.ruby_type(entry.type) if entry.definition is None else None
            if type is not None and "alias" not in entry.parameters and keys.is_title(entry, type):
                return
            for other, name, parts in aliases.names_of(entry, type):
                found = self.entry_at(other)
                if found is not None and found is not entry:
                    raise EvaluationError(aliases.cannot_alias(entry, name, parts, found))
                self.aliases[other] = entry
        except EvaluationError as error:
            raise (error.at(unit, node) if unit and node else error) from None

    def entry_at(self, key: keys.TableKey) -> Entry | None:
        """Return the resource with a title, an alias or a key."""
        return self.entries.get(key) or self.aliases.get(key)

    def find(self, kind: str, title: str) -> Entry | None:
        """Return a declared resource by title, alias or key."""
        found = self.entry_at((kind, title))
        type = self.definitions.ruby_type(kind) if found is None else None
        if type is None:
            return found
        key = keys.sought_key(kind, title, type)
        return None if key is None else self.entry_at(key)

    def find_ref(self, ref: ClassType | ResourceType) -> Entry | None:
        """Return the resource or class that a reference names."""
        kind, title = key_of(ref)
        return self.find(kind, title or "Main" if kind == "Class" else title)


class CallSite:
    """A call in a manifest, as its function sees it (`functions.registry.Call`)."""

    __slots__ = ("block", "compilation", "node", "scope", "unit")

    def __init__(
        self,
        compilation: Compilation,
        block: Block | None,
        scope: Scope,
        node: Node,
        unit: Unit,
    ) -> None:
        self.compilation = compilation
        self.block = block
        self.scope = scope
        self.node = node
        self.unit = unit

    @property
    def files(self) -> ModuleFiles:
        """The files of modules."""
        known = self.compilation.definitions
        return ModuleFiles(self.compilation, known.module, known.overlay, self.node, self.unit)

    @property
    def puppet_version(self) -> int:
        """Puppet's major version."""
        return self.compilation.puppet_version

    def call(self, name: str, *arguments: Value, block: Block | None = None) -> Value:
        """Call another function."""
        return self.compilation.call(name, list(arguments), block, self.scope, self.node, self.unit)

    def variable(self, name: str) -> Value:
        """Return a variable's value, None where it has none."""
        if self.compilation.trace is not None:
            self.compilation.trace.read_variable(name, self.scope)
        found = self.compilation.visible_variable(name, self.scope)
        return None if found is MISSING else found

    def fail(self, message: str) -> NoReturn:
        """End the evaluation with an error."""
        raise EvaluationError(message, self.unit, self.node)

    def warn(self, message: str) -> None:
        """Log a warning."""
        self.compilation.warnings.append(message)

    def log(self, level: str, *values: Value) -> None:
        """Log values, which changes nothing in the catalog."""


def is_misspelled(name: str, text: str) -> bool:
    """Return whether a manifest has a variable with a name that resembles one."""
    from difflib import get_close_matches

    others = {*VARIABLE.findall(text)} - {name}
    return bool(get_close_matches(name, others, 1, ALIKE))
