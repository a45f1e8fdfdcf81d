"""The world that a run finds and changes: a simulated one, or a host behind the same port."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from analyzer.apply.engine.simulated_changes import (
    does_nothing,
    nothing_of,
    plan_of,
    said_by,
    settles,
)
from analyzer.apply.host import EMPTY, Host
from analyzer.apply.overlay import FileOverlay
from analyzer.apply.provider import (
    ABSENT,
    Note,
    PlannedChanges,
    PropertyChange,
    Provider,
    ProviderError,
    State,
    UnsuitableError,
)
from analyzer.model.resource import Resource

# What a simulated resource is like once everything it declares was done: under this key its
# parameters then. It needs no provider to see that the same parameters ask for nothing more.
DECLARED = "(as declared)"

# Types whose resources are nothing but files to their providers.
OF_FILES = frozenset(("File", "File_line", "Host", "Ini_setting", "Ssh_authorized_key"))

# Other types of which it is known what they leave on a host, or that it is no file. All others may
# bring whatever later resources need: a package its folders and users, a command anything.
FORESEEN = OF_FILES | {"Concat_file", "Concat_fragment", "Cron", "Group", "Notify", "Service"}

# Numbers of accounts that would be made with any number.
FIRST_UNKNOWN = 100_000

# What noop adds to a resource is not declared.
PASSING = frozenset(("noop",))

# A state under this key was found by the type's provider.
FOUND = "(found)"


class ResourceWorld(Protocol):
    """The states of resources, and the providers that change them.

    `generate`, `retrieve`, `plan`, `apply` and `refresh` may raise ProviderError; `retrieve` may
    raise UnsuitableError.
    """

    def check(self, resource: Resource) -> None:
        """Find out whether the resource's provider works here.

        Raises:
            UnsuitableError: it does not, or not yet; the message is the provider's name.
        """

    @property
    def generators(self) -> Mapping[str, str]:
        """Return the types that may generate resources, and the parameter that enables it."""

    def generate(self, resource: Resource, others: Collection[Resource]) -> Sequence[Resource]:
        """Return the resources that one brings, given all others."""

    def retrieve(self, resource: Resource, kept: State | None) -> State:
        """Return the state of a resource; `kept` is its state in the run."""

    def plan(self, resource: Resource, state: State) -> PlannedChanges:
        """Return the planned changes."""

    def apply(self, resource: Resource, change: PropertyChange) -> Sequence[Note]:
        """Make a change; return the lines that are logged before its message."""

    def refresh(self, resource: Resource) -> Sequence[Note]:
        """Answer events."""

    def after(
        self, resource: Resource, state: State, made: tuple[PropertyChange, ...], complete: bool
    ) -> State | None:
        """Return the state of a resource after changes, None to read it again."""


# What finds the provider of a type, None where there is none.
Find = Callable[[str], Provider | None]

# Types whose resources may bring others, where a provider knows them, each with the parameter
# without which it brings nothing.
GENERATORS = {"Concat_file": "", "File": "recurse"}


@dataclass(frozen=True, slots=True)
class Simulation:
    """A world that is only imagined: `described` are states by reference, all else is absent.

    `properties` are those of types that were read from modules. `find` knows what resources bring:
    what the catalog and its modules tell of that, as `host` has nothing here.
    """

    described: Mapping[str, State] = field(default_factory=dict)
    properties: Mapping[str, Collection[str]] = field(default_factory=dict)
    find: Find = lambda _: None
    host: Host = EMPTY

    @property
    def generators(self) -> Mapping[str, str]:
        """Return the types that may generate resources, and the parameter that enables it."""
        return GENERATORS

    def generate(self, resource: Resource, others: Collection[Resource]) -> Sequence[Resource]:
        """Return the resources that one brings, as far as that is known without a host."""
        try:
            return generated_by(self.find(resource.type), resource, self.host, others)
        except ProviderError:
            return ()

    def anew(self) -> Simulation:
        """Return the same world before anything was done."""
        return self

    def check(self, resource: Resource) -> None:
        """Every provider works."""

    def retrieve(self, resource: Resource, kept: State | None) -> State:
        """Return the described state, or that of an absent resource."""
        if kept is not None:
            return kept
        found = self.described.get(str(resource))
        return nothing_of(resource) if found is None else found

    def plan(self, resource: Resource, state: State) -> PlannedChanges:
        """Return the changes that the type would make."""
        if is_as_declared(resource, state):
            return PlannedChanges()
        return plan_of(resource, state, self.properties.get(resource.type))

    def apply(self, resource: Resource, change: PropertyChange) -> Sequence[Note]:
        """Change nothing, and return the messages of the type."""
        return tuple(said_by(resource, change))

    def refresh(self, resource: Resource) -> Sequence[Note]:
        """Return no notes, because every refresh succeeds."""
        return ()

    def after(
        self, resource: Resource, state: State, made: tuple[PropertyChange, ...], complete: bool
    ) -> State | None:
        """Return the state with the changes in it."""
        if not made:
            return None
        values: dict[str, object] = {**state, **{change.property: change.new for change in made}}
        if complete:
            values[DECLARED] = resource.parameters
        return values


@dataclass(frozen=True, slots=True)
class ObservedHost(Simulation):
    """A host that is looked at and left alone: what is not described is as it is there.

    Behind an Overlay, files are as they would be after what was done before. What that leaves on
    the host is not known of every type: `unforeseen` are the resources of others that would have
    changed by now. From then on what fails on the host as it is may not fail in truth; it is
    `doubted`, told so, and taken to succeed.
    """

    unforeseen: list[str] = field(default_factory=list)
    doubted: dict[str, Note] = field(default_factory=dict)

    def anew(self) -> ObservedHost:
        """Return the same host before anything was done."""
        return replace(self, unforeseen=[], doubted={})

    def doubt(self, resource: Resource, error: ProviderError) -> Note:
        """Take it that something will not fail.

        Raises:
            ProviderError: nothing is unforeseen, and it will.
        """
        if not self.unforeseen:
            raise error
        words = (
            f"would fail on the host as it is now: {error}; {self.unforeseen[-1]} may prevent that"
        )
        note = self.doubted[str(resource)] = Note("warning", words)
        return note

    def generate(self, resource: Resource, others: Collection[Resource]) -> Sequence[Resource]:
        """Return the resources that one brings."""
        return generated_by(self.find(resource.type), resource, self.host, others)

    def retrieve(self, resource: Resource, kept: State | None) -> State:
        """Return the described or present state; empty if it cannot be read here."""
        provider = self.find(resource.type)
        if kept is None and str(resource) not in self.described and provider:
            try:
                return {**provider.retrieve(resource, self.host), FOUND: True}
            except UnsuitableError:
                pass
            except ProviderError as error:
                self.doubt(resource, error)
        return Simulation.retrieve(self, resource, kept)

    def plan(self, resource: Resource, state: State) -> PlannedChanges:
        """Return the changes that the provider would make."""
        provider = self.find(resource.type)
        if FOUND in state and provider is not None:
            if is_as_declared(resource, state):
                return PlannedChanges()
            try:
                return provider.plan(resource, state)
            except ProviderError as error:
                self.doubt(resource, error)
                state = nothing_of(resource)
        planned = Simulation.plan(self, resource, state)
        doubt = self.doubted.get(str(resource))
        return replace(planned, notes=(doubt, *planned.notes)) if doubt else planned

    def apply(self, resource: Resource, change: PropertyChange) -> Sequence[Note]:
        """Change nothing of the host; remember what would be different."""
        provider, host = self.find(resource.type), self.host
        events = Simulation.apply(self, resource, change)
        if resource.type not in FORESEEN and not does_nothing(resource):
            self.unforeseen.append(str(resource))
        if not isinstance(host, FileOverlay) or provider is None:
            return events
        if not self.is_remembered(resource):
            remember_account(host, resource, change)
            return events
        try:
            return provider.apply(resource, change, host)
        except ProviderError as error:
            return self.doubt(resource, error), *events

    def refresh(self, resource: Resource) -> Sequence[Note]:
        """Return no notes, because every refresh succeeds."""
        if resource.type not in FORESEEN and not does_nothing(resource):
            self.unforeseen.append(str(resource))
        return ()

    def is_remembered(self, resource: Resource) -> bool:
        """Return whether all that a resource changes is remembered."""
        ref = str(resource)
        described = ref in self.described or "validate_cmd" in resource.parameters
        described = described or ref in self.doubted
        return isinstance(self.host, FileOverlay) and resource.type in OF_FILES and not described

    def after(
        self, resource: Resource, state: State, made: tuple[PropertyChange, ...], complete: bool
    ) -> State | None:
        """Return the state with the changes in it, unless it is looked up anew."""
        if self.is_remembered(resource):
            return None
        return Simulation.after(self, resource, state, made, complete)


@dataclass(frozen=True, slots=True)
class PlannedHost(ObservedHost):
    """A host that is looked at to tell what a real run would do to it.

    `diffs` takes the differences to files, by reference and property.
    """

    diffs: dict[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)

    def check(self, resource: Resource) -> None:
        """Find out whether there is a provider, as a real run does."""
        provider = self.find(resource.type)
        refused = getattr(provider, "refused", "")
        if refused or (provider is None and not does_nothing(resource)):
            raise UnsuitableError(refused)

    def plan(self, resource: Resource, state: State) -> PlannedChanges:
        """Return the changes that the provider would make."""
        plan = ObservedHost.plan(self, resource, state)
        for change in plan.changes:
            if change.diff:
                self.diffs[str(resource), change.property] = change.diff
        return plan


@dataclass(frozen=True, slots=True)
class Hosted:
    """A host that is changed. Resources without a provider are not."""

    find: Find
    host: Host

    def provider(self, resource: Resource) -> Provider | None:
        """Return a resource's provider; None for types that do nothing themselves.

        Raises:
            UnsuitableError: there is none.
        """
        found = self.find(resource.type)
        if found is None and not does_nothing(resource):
            raise UnsuitableError("")
        return found

    def check(self, resource: Resource) -> None:
        """Find out whether there is a provider."""
        self.provider(resource)

    @property
    def generators(self) -> Mapping[str, str]:
        """Return the types that may generate resources, and the parameter that enables it."""
        return GENERATORS

    def generate(self, resource: Resource, others: Collection[Resource]) -> Sequence[Resource]:
        """Return the resources that one brings."""
        return generated_by(self.find(resource.type), resource, self.host, others)

    def retrieve(self, resource: Resource, kept: State | None) -> State:
        """Return the state of a resource on the host."""
        provider = self.provider(resource)
        return provider.retrieve(resource, self.host) if provider else {}

    def plan(self, resource: Resource, state: State) -> PlannedChanges:
        """Return the changes that its provider would make."""
        provider = self.provider(resource)
        return provider.plan(resource, state) if provider else PlannedChanges()

    def apply(self, resource: Resource, change: PropertyChange) -> Sequence[Note]:
        """Make a change on the host."""
        provider = self.provider(resource)
        return provider.apply(resource, change, self.host) if provider else ()

    def refresh(self, resource: Resource) -> Sequence[Note]:
        """Answer events on the host."""
        provider = self.provider(resource)
        return provider.refresh(resource, self.host) if provider else ()

    def after(
        self, resource: Resource, state: State, made: tuple[PropertyChange, ...], complete: bool
    ) -> State | None:
        """Leave it to the host to know."""
        return None


def generated_by(
    provider: Provider | None, resource: Resource, host: Host, others: Collection[Resource]
) -> Sequence[Resource]:
    """Return the resources that a resource generates, if its provider can."""
    generate = getattr(provider, "generate", None)
    found: Sequence[Resource] = generate(resource, host, others) if generate else ()
    return found


def is_as_declared(resource: Resource, state: State) -> bool:
    """Return whether all that a resource declares was done before."""
    declared = state.get(DECLARED)
    if declared is None or not settles(resource):
        return False
    return bool(without_passing(declared) == without_passing(resource.parameters))


def without_passing(parameters: Mapping[str, object]) -> Mapping[str, object]:
    """Return parameters without those of one run."""
    return {name: value for name, value in parameters.items() if name not in PASSING}


def remember_account(host: FileOverlay, resource: Resource, change: PropertyChange) -> None:
    """Record the number of a user or a group that would be created."""
    known = {"User": host.users, "Group": host.groups}.get(resource.type)
    if known is None or change.property != "ensure" or change.new == ABSENT:
        return
    name = str(resource.parameters.get("name", resource.title))
    number = str(resource.parameters.get({"User": "uid"}.get(resource.type, "gid"), ""))
    known[name] = int(number) if number.isdecimal() else FIRST_UNKNOWN + len(known)
