"""The promises of a policy with all possible attributes, and the classes that they may set."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from analyzer.frontends.cfengine.policy.blocks import Policy
from analyzer.frontends.cfengine.policy.bodies import named, replaced
from analyzer.frontends.cfengine.policy.classes import canonified
from analyzer.frontends.cfengine.policy.possible_values import WILD, Values, may_equal
from analyzer.frontends.cfengine.syntax.ast import (
    Bundle,
    Call,
    ListValue,
    PolicyFile,
    Promise,
    Scalar,
    Value,
)
from analyzer.frontends.cfengine.syntax.vocabulary import syntax

DEEPEST_BODY = 20
# Attributes, mostly of bodies, that name classes to be set; which outcome of the promise does.
OUTCOMES = {
    "promise_kept": "kept",
    "promise_repaired": "repaired",
    "repair_failed": "not_kept",
    "repair_denied": "not_kept",
    "repair_timeout": "timeout",
    "in_range_define": "",
    "out_of_range_define": "",
    "restart_class": "",
}


@dataclass(frozen=True, slots=True, eq=False)
class Site:
    """A promise as it is written: `rows` are its attributes and all those of its bodies.

    `unknown` are the bodies that are not there, with their arguments.
    """

    bundle: Bundle
    type: str
    promise: Promise
    rows: tuple[tuple[str, Value], ...]
    unknown: tuple[tuple[str, tuple[Value, ...]], ...] = ()

    def get(self, name: str) -> Value | None:
        """Return an attribute's value, None if it is not set."""
        return next((value for key, value in self.rows if key == name), None)

    def all(self, name: str) -> Iterator[Value]:
        """Yield the values that an attribute may have."""
        return (value for key, value in self.rows if key == name)

    def text(self, name: str) -> str:
        """Return an attribute's value if it is a text, else nothing."""
        found = self.get(name)
        return found.text if isinstance(found, Scalar) else ""


@dataclass(frozen=True, slots=True)
class Setting:
    """A class that a promise may set: `shared` with all bundles of the namespace or not.

    `outcome` is that of the promise which sets it, if it has to do with that.
    """

    name: str
    namespace: str
    shared: bool
    outcome: str = ""
    persistent: bool = False


class Sites:
    """The promises of a policy, including those of bundles that are not evaluated."""

    def __init__(self, policy: Policy, values: Values | None = None) -> None:
        self.policy = policy
        self.values = values or Values(policy)
        self.values.update()
        self._settings: dict[Site, tuple[Setting, ...]] = {}

    @cached_property
    def all(self) -> tuple[Site, ...]:
        """Return every promise, in load order and as written."""
        return tuple(site for tree in self.policy.files for site in self.of_file(tree))

    @cached_property
    def by_bundle(self) -> dict[int, dict[str, list[Site]]]:
        """Return the promises by the id of their bundle, and by type."""
        found: dict[int, dict[str, list[Site]]] = {}
        for site in self.all:
            found.setdefault(id(site.bundle), {}).setdefault(site.type, []).append(site)
        return found

    def of(self, bundle: Bundle) -> dict[str, list[Site]]:
        """Return the promises of a bundle by type."""
        return self.by_bundle.get(id(bundle), {})

    def of_file(self, tree: PolicyFile) -> Iterator[Site]:
        """Yield the promises of a file."""
        for bundle in tree.bundles:
            for section in bundle.sections:
                for promise in section.promises:
                    yield self.site(bundle, section.type, promise)

    def site(self, bundle: Bundle, kind: str, promise: Promise) -> Site:
        """Return a promise with its bodies."""
        rows: list[tuple[str, Value]] = []
        unknown: list[tuple[str, tuple[Value, ...]]] = []
        for attribute in promise.attributes:
            rows.append((attribute.name, attribute.value))
            wanted = syntax().known_attribute(bundle.type, kind, attribute.name)
            if wanted and wanted.type == "body":
                name, arguments = named(attribute.value)
                body = self.policy.body(attribute.name, name, bundle.namespace)
                if body:
                    rows += self.body_rows(attribute.name, body.name, body.namespace, arguments, 0)
                else:
                    unknown.append((attribute.name, arguments))
        for space in () if promise.get("classes") else ("bodydefault",):
            if self.policy.body("classes", f"{kind}_classes", space):
                rows += self.body_rows("classes", f"{kind}_classes", space, (), 0)
        return Site(bundle, kind, promise, tuple(rows), tuple(unknown))

    def body_rows(
        self, kind: str, name: str, space: str, arguments: tuple[Value, ...], depth: int
    ) -> Iterator[tuple[str, Value]]:
        """Yield the attributes of a body under any guards, with its parameters replaced."""
        body = self.policy.body(kind, name, space)
        if body is None or depth > DEEPEST_BODY:
            return
        given = dict(zip(body.parameters, arguments, strict=False))
        for attribute in body.attributes:
            value = replaced(attribute.value, given)
            if attribute.name == "inherit_from":
                parent, passed = named(value)
                yield from self.body_rows(kind, parent, body.namespace, passed, depth + 1)
            else:
                yield attribute.name, value

    # ---- effects

    def settings(self, site: Site) -> tuple[Setting, ...]:
        """Return the classes that a promise may set."""
        if site not in self._settings:
            self._settings[site] = tuple(self.find_settings(site))
        return self._settings[site]

    def find_settings(self, site: Site) -> Iterator[Setting]:
        """Yield the classes that a promise may set."""
        persistent = any(key in ("persistence", "persist_time") for key, _ in site.rows)
        if site.type == "classes":
            yield from self.own_classes(site, persistent)
        scopes = [value.text for value in site.all("scope") if isinstance(value, Scalar)]
        bundle_only = site.type != "classes" and scopes and set(scopes) == {"bundle"}
        for key, value in site.rows:
            if key in OUTCOMES:
                for name in self.names(value, site.bundle):
                    yield self.setting(name, site, not bundle_only, OUTCOMES[key], persistent)
        for kind, arguments in site.unknown:
            if kind in ("classes", "process_count"):
                texts = [t for a in arguments for t in self.values.items(a, site.bundle)] or [""]
                for text in texts:
                    plain = WILD.join(map(canonified, text.split(WILD)))
                    yield self.setting(f"{WILD}{plain}{WILD}", site, True, "", persistent)
        if sets_anything(site):
            yield self.setting(WILD, site, True)

    def own_classes(self, site: Site, persistent: bool) -> Iterator[Setting]:
        """Yield the classes that a classes promise is about."""
        scope = site.get("scope")
        shared = site.bundle.type == "common" or persistent
        shared = shared or (scope is not None and scope != Scalar("bundle"))
        shared = shared and scope not in (Scalar("bundle"), Scalar("bundle", symbol=True))
        for name in self.names(Scalar(site.promise.promiser), site.bundle):
            yield self.setting(name, site, shared, "", persistent)
            if site.get("dist"):
                yield self.setting(f"{name}_{WILD}", site, shared, "", persistent)
        for value in site.all("select_class"):
            for name in self.names(value, site.bundle):
                yield self.setting(name, site, shared, "", persistent)

    def names(self, value: Value, bundle: Bundle) -> Iterator[str]:
        """Yield the names of classes in a value."""
        for text in self.values.items(value, bundle):
            yield WILD.join(map(canonified, text.split(WILD)))

    def setting(
        self, name: str, site: Site, shared: bool, outcome: str = "", persistent: bool = False
    ) -> Setting:
        """Return a class that a promise may set."""
        space, colon, plain = name.rpartition(":")
        known = colon and WILD not in space
        namespace = space if known else site.bundle.namespace
        return Setting(plain if known else name, namespace, shared, outcome, persistent)

    def handles(self, site: Site) -> list[str]:
        """Return the handles that a promise may have."""
        value = site.get("handle")
        return [] if value is None else list(self.values.items(value, site.bundle))

    def owners(self, handle: str) -> list[Site]:
        """Return the promises that may have a handle, in load order."""
        plain, wild = self._owners
        names = [name for name in plain if may_equal(name, handle)] if WILD in handle else [handle]
        found = {number for name in names for number in plain.get(name, ())}
        found |= {number for name, number in wild if may_equal(name, handle)}
        return [self.all[number] for number in sorted(found)]

    @cached_property
    def _owners(self) -> tuple[dict[str, list[int]], list[tuple[str, int]]]:
        """Return the numbers of promises by handle, and those whose handles are partly unknown."""
        plain: dict[str, list[int]] = {}
        wild: list[tuple[str, int]] = []
        for number, site in enumerate(self.all):
            for name in self.handles(site):
                if WILD in name:
                    wild.append((name, number))
                else:
                    plain.setdefault(name, []).append(number)
        return plain, wild

    def dependencies(self, site: Site) -> list[str]:
        """Return the handles that a promise waits for."""
        value = site.get("depends_on")
        return [] if value is None else list(self.values.items(value, site.bundle))


def sets_anything(site: Site) -> bool:
    """Return whether a promise runs a module, which may set any class and variable."""
    if any(value in (Scalar("true"), Scalar("yes"), Scalar("on")) for value in site.all("module")):
        return True
    modules = ("usemodule", "read_module_protocol", "remoteclassesmatching", "hubknowledge")
    return any(call.name in modules for call in calls(value for _, value in site.rows))


def calls(values: Iterable[Value]) -> Iterator[Call]:
    """Yield the calls in values, outer ones first."""
    for value in values:
        if isinstance(value, Call):
            yield value
            yield from calls(value.arguments)
        elif isinstance(value, ListValue):
            yield from calls(value.items)
