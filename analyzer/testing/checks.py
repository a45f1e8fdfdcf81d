"""Assertions about a catalog and its relationship graph, in the words of rspec-puppet."""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, NoReturn

from analyzer.graph.findings import check, finding_text
from analyzer.graph.phrases import hop_lines
from analyzer.graph.relationship_graph import relate
from analyzer.model.completeness import statement
from analyzer.model.names import canonical_ref
from analyzer.model.refs import ResourceRef
from analyzer.model.resource import REDACTED, is_sensitive
from analyzer.model.values import Sensitive, Unknown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from analyzer.graph.relationship_graph import RelationshipGraph
    from analyzer.model.catalog import Catalog
    from analyzer.model.resource import Resource

    Ref = str | ResourceRef

# Resources and lines that a message lists before it counts the rest.
SHOWN = 8

VERDICTS = {
    "after": "{b} comes before {a}, not after it:",
    "cycle": "{a} and {b} wait for each other:",
    "contains": "{a} and {b} are not ordered, one contains the other:",
    "unordered": "no relationship orders {a} before {b}",
}


class IncompleteWarning(UserWarning):
    """The catalog lacks what could not be evaluated, so an assertion of absence proves little."""


class CheckedCatalog:
    """A compiled catalog with assertions; `catalog` and `graph` are there for all other questions.

    A reference is `Type[title]`; title, alias and name of the resource are accepted.
    """

    def __init__(self, catalog: Catalog) -> None:
        self.catalog = catalog
        self.graph: RelationshipGraph = relate(catalog)
        self._resources = {resource.ref: resource for resource in catalog.resources}
        self._by_text = {str(resource): resource for resource in catalog.resources}

    def __repr__(self) -> str:
        return f"<CheckedCatalog of {self.catalog!r}>"

    def assert_contains(self, ref: Ref, /, **parameters: object) -> CheckedResource:
        """Check that a resource is in the catalog, and has parameters; return it."""
        __tracebackhide__ = True
        found = CheckedResource(self, self.resource(ref))
        return found.with_(**parameters) if parameters else found

    def assert_does_not_contain(self, *refs: Ref) -> CheckedCatalog:
        """Check that resources are not in the catalog."""
        __tracebackhide__ = True
        for ref in refs:
            found = self._find(ref)
            if found is not None:
                fail(f"the catalog contains {placed(found)}")
        self._warn_if_incomplete(f"does not contain {', '.join(map(str, refs))}")
        return self

    def assert_count(self, type: str, count: int) -> CheckedCatalog:
        """Check how many resources of a type are in the catalog."""
        __tracebackhide__ = True
        found = [r for r in self.catalog.resources if r.type.lower() == type.lower()]
        if len(found) != count:
            fail(f"expected {count} {type} resources, the catalog has {len(found)}", rows(found))
        self._warn_if_incomplete(f"has {count} {type} resources")
        return self

    def assert_no_cycle(self) -> CheckedCatalog:
        """Check that the relationship graph has no dependency cycle."""
        __tracebackhide__ = True
        if self.graph.has_cycle:
            findings = check(self.catalog.name, self.graph).findings
            fail("the catalog has a dependency cycle", map(finding_text, findings))
        self._warn_if_incomplete("has no cycle")
        return self

    def assert_order(self, *refs: Ref) -> CheckedCatalog:
        """Check that relationships order each resource before the next one."""
        __tracebackhide__ = True
        for first, second in pairwise(refs):
            self._check_order(first, second)
        return self

    def assert_no_warnings(self) -> CheckedCatalog:
        """Check that the compile gave no warning."""
        __tracebackhide__ = True
        found = [*self.catalog.warnings, *self.graph.warnings]
        if found:
            fail("the compile gave warnings", found)
        return self

    def assert_complete(self) -> CheckedCatalog:
        """Check that the compile could evaluate everything that declares or orders resources."""
        __tracebackhide__ = True
        if not self.graph.is_complete:
            fail("the catalog is incomplete", statement(self.graph.gaps))
        return self

    def resource(self, ref: Ref) -> Resource:
        """Return a resource.

        Raises:
            AssertionError: it is not in the catalog.
        """
        __tracebackhide__ = True
        found = self._find(ref)
        if found is None:
            fail(f"the catalog does not contain {ref}; it contains:", self._instead_of(str(ref)))
        return found

    def _find(self, ref: Ref) -> Resource | None:
        found = self.graph.find(str(ref))
        if found in self._resources:
            return self._resources[found]
        # Some types give their resources another title in the graph.
        parsed = ResourceRef.parse(str(ref))
        return self._by_text.get(canonical_ref(parsed.type, parsed.title))

    def _instead_of(self, ref: str) -> Iterator[str]:
        """Yield the resources that were perhaps meant, and the gaps that may hide this one."""
        known = {str(resource): resource for resource in self.catalog.resources}
        close = [known[name] for name in get_close_matches(ref, known, cutoff=0.7)]
        kind = ref.partition("[")[0].lower()
        same = [r for r in self.catalog.resources if r.type.lower() == kind and r not in close]
        yield from rows([*close, *same]) or [f"no {ref.partition('[')[0]}"]
        if not self.graph.is_complete:
            yield from statement(self.graph.gaps)

    def _check_order(self, first: Ref, second: Ref) -> None:
        __tracebackhide__ = True
        a, b = self.resource(first), self.resource(second)
        why = self.graph.why(str(a), str(b))
        if why.verdict == "before":
            return
        lines = [f"{edge}  {place}  {word}" for edge, place, word, _ in hop_lines(why.hops)]
        if why.by_place:
            lines.append(f"{why.by_place} comes first only because of its place in the manifest")
        lines += [] if why.hops else [placed(a), placed(b)]
        fail(VERDICTS[why.verdict].format(a=a, b=b), lines)

    def _check_event(self, first: Ref, second: Ref) -> None:
        """Check as rspec-puppet does: an event of a container counts for its contents too."""
        __tracebackhide__ = True
        a, b = self.resource(first), self.resource(second)
        impact = self.graph.impact(str(a))
        refs = dict.fromkeys([*impact.refreshed, *impact.ignored, *self._notified(a.ref)])
        if refs.keys().isdisjoint(self._with_containers(b.ref)):
            fail(f"{a} does not notify {b}; it notifies:", map(str, refs) if refs else ["nothing"])

    def _notified(self, ref: ResourceRef) -> Iterator[ResourceRef]:
        """Yield what a resource or its containers notify, and what these notify in turn."""
        left, seen = self._with_containers(ref), set[ResourceRef]()
        while left:
            for target in self._events.get(left.pop(), ()):
                if target not in seen:
                    seen.add(target)
                    left.append(target)
                    yield target

    def _with_containers(self, ref: ResourceRef) -> list[ResourceRef]:
        """Return a resource and its containers, from the inside."""
        refs = [ref]
        while (outer := self._containers.get(refs[-1])) is not None:
            refs.append(outer)
        return refs

    @cached_property
    def _containers(self) -> dict[ResourceRef, ResourceRef]:
        return {edge.target: edge.source for edge in self.graph.containment()}

    @cached_property
    def _events(self) -> dict[ResourceRef, list[ResourceRef]]:
        events: dict[ResourceRef, list[ResourceRef]] = {}
        for edge in self.graph.relationships():
            if edge.kind == "notify":
                events.setdefault(edge.source, []).append(edge.target)
        return events

    def _warn_if_incomplete(self, what: str) -> None:
        if not self.graph.is_complete:
            reasons = "\n".join(statement(self.graph.gaps))
            message = f"the catalog {what}, as far as it is known\n{reasons}"
            warnings.warn(IncompleteWarning(message), stacklevel=3)


class CheckedResource:
    """A resource of a catalog with assertions, which return the resource: they can be chained."""

    def __init__(self, within: CheckedCatalog, resource: Resource) -> None:
        self.within = within
        self.resource = resource

    def __repr__(self) -> str:
        return repr(self.resource)

    def with_(
        self, expected: Mapping[str, object] | None = None, /, **more: object
    ) -> CheckedResource:
        """Check parameters; a compiled regular expression matches a part of a string."""
        __tracebackhide__ = True
        wanted = {**(expected or {}), **more}
        actual = self.resource.parameters
        lines = [
            f"{name} is {self._shown(name)}, expected {shown(value)}"
            for name, value in wanted.items()
            if not is_like(actual.get(name), value)
        ]
        if lines:
            fail(placed(self.resource), lines)
        return self

    def only_with(
        self, expected: Mapping[str, object] | None = None, /, **more: object
    ) -> CheckedResource:
        """Check parameters, and that there are no others."""
        __tracebackhide__ = True
        wanted = {**(expected or {}), **more}
        return self.without(*(n for n in self.resource.parameters if n not in wanted)).with_(wanted)

    def without(self, *names: str) -> CheckedResource:
        """Check that parameters are not set."""
        __tracebackhide__ = True
        found = [name for name in names if self.resource.parameters.get(name) is not None]
        if found:
            lines = [f"{name} is {self._shown(name)}, expected not to be set" for name in found]
            fail(placed(self.resource), lines)
        return self

    def that_requires(self, *refs: Ref) -> CheckedResource:
        """Check that this resource comes after others."""
        __tracebackhide__ = True
        for ref in refs:
            self.within._check_order(ref, self.resource.ref)
        return self

    def that_comes_before(self, *refs: Ref) -> CheckedResource:
        """Check that this resource comes before others."""
        __tracebackhide__ = True
        for ref in refs:
            self.within._check_order(self.resource.ref, ref)
        return self

    def that_notifies(self, *refs: Ref) -> CheckedResource:
        """Check that a change of this resource is an event for others."""
        __tracebackhide__ = True
        for ref in refs:
            self.within._check_event(self.resource.ref, ref)
        return self

    def that_subscribes_to(self, *refs: Ref) -> CheckedResource:
        """Check that a change of others is an event for this resource."""
        __tracebackhide__ = True
        for ref in refs:
            self.within._check_event(ref, self.resource.ref)
        return self

    def _shown(self, name: str) -> str:
        if name not in self.resource.parameters:
            return "not set"
        return shown(self.resource.shown_parameters()[name])


def is_like(actual: object, expected: object) -> bool:
    """Return True for a value that is the expected one, or that matches the expected pattern."""
    if isinstance(expected, re.Pattern):
        return isinstance(actual, str) and expected.search(actual) is not None
    if isinstance(actual, Mapping) and actual.get("__ptype") == "Sensitive":
        actual = actual.get("__pvalue")
    if isinstance(actual, Sensitive):
        actual = actual.value
    if isinstance(expected, Sensitive):
        expected = expected.value
    if any(value is None or isinstance(value, bool) for value in (actual, expected)):
        return actual is expected
    if isinstance(expected, (list, tuple)) and isinstance(actual, list):
        pairs = zip(actual, expected, strict=False)
        return len(actual) == len(expected) and all(is_like(a, e) for a, e in pairs)
    if isinstance(expected, Mapping) and isinstance(actual, Mapping):
        return actual.keys() == expected.keys() and all(
            is_like(actual[key], value) for key, value in expected.items()
        )
    # As in Puppet, the number 80 and the string '80' are the same port.
    return str(actual) == str(expected)


def shown(value: object) -> str:
    """Return a value for a message."""
    if isinstance(value, Sensitive) or is_sensitive(value):
        return REDACTED
    if isinstance(value, Unknown):
        place = f" at {value.span}" if value.span else ""
        return f"not known: {value.reason}{place}"
    return f"/{value.pattern}/" if isinstance(value, re.Pattern) else repr(value)


def placed(resource: Resource) -> str:
    """Return a reference with the place of its declaration."""
    return f"{resource} at {resource.span}" if resource.span else str(resource)


def rows(resources: list[Resource]) -> list[str]:
    """Return resources with their places, the first of them if there are many."""
    more = len(resources) - SHOWN
    return [*map(placed, resources[:SHOWN]), *([f"... and {more} more"] if more > 0 else [])]


def fail(message: str, lines: Iterable[str] = ()) -> NoReturn:
    """Fail a test.

    Raises:
        AssertionError: always.
    """
    __tracebackhide__ = True
    raise AssertionError("\n".join([message, *(indented(line) for line in lines)]))


def indented(text: str) -> str:
    """Return lines with two spaces before each."""
    return "\n".join(f"  {line}" for line in text.splitlines())
