"""A whole policy: a file and its inputs, in the order in which CFEngine loads them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from analyzer.frontends.cfengine.policy.augments import Augments
from analyzer.frontends.cfengine.syntax.ast import Attribute, Body, Bundle, PolicyFile

CONTROL = "control"
# The bundle `__main__` of the first file is `main`.
ENTRY, MAIN = "__main__", "main"


@dataclass(slots=True)
class Policy:
    """The files in load order, and their bundles and bodies by (type, namespace, name).

    `rounds` are the bundles whose variables and common classes are settled one after the other
    while the files are loaded. `classes` were set from the start, and chose the inputs;
    `negated` are never set.
    `warnings` tell which inputs could not be found without running the policy.
    """

    files: list[PolicyFile] = field(default_factory=list)
    bundles: dict[tuple[str, str, str], Bundle] = field(default_factory=dict)
    bodies: dict[tuple[str, str, str], Body] = field(default_factory=dict)
    controls: dict[str, Body] = field(default_factory=dict)
    promise_types: dict[str, Body] = field(default_factory=dict)
    rounds: list[tuple[Bundle, ...]] = field(default_factory=list)
    augments: Augments = field(default_factory=Augments)
    classes: tuple[str, ...] = ()
    negated: tuple[str, ...] = ()
    warnings: list[str] = field(default_factory=list)

    def add(self, tree: PolicyFile) -> None:
        """Add a file."""
        self.files.append(tree)
        for bundle in tree.bundles:
            self.bundles.setdefault((bundle.type, bundle.namespace, bundle.name), bundle)
        for body in tree.bodies:
            self.bodies.setdefault((body.type, body.namespace, body.name), body)
            if body.name == CONTROL:
                # A control body counts whatever namespace it stands in.
                self.controls.setdefault(body.type, body)
        for block in tree.promise_types:
            self.promise_types.setdefault(block.name, block)

    def bundle(self, name: str, namespace: str, *kinds: str) -> Bundle | None:
        """Return the bundle with a name, of the first of several types."""
        space, colon, plain = name.rpartition(":")
        for kind in kinds:
            found = self.bundles.get((kind, space if colon else namespace, plain))
            if found:
                return found
        return None

    def body(self, kind: str, name: str, namespace: str) -> Body | None:
        """Return a body by the name that an attribute gives."""
        space, colon, plain = name.rpartition(":")
        return self.bodies.get((kind, space if colon else namespace, plain))

    def control(self, kind: str, name: str) -> list[Attribute]:
        """Return the values of an attribute in control bodies, by guard."""
        body = self.controls.get(kind)
        return [a for a in body.attributes if a.name == name] if body else []

    def in_load_order(self, *kinds: str) -> Iterator[Bundle]:
        """Yield the bundles of some types, as they were loaded."""
        for tree in self.files:
            yield from (bundle for bundle in tree.bundles if bundle.type in kinds)


def entry_point(tree: PolicyFile, *, entry: bool) -> PolicyFile:
    """Return a file with `__main__` renamed to `main` if it is the entry, else without it."""
    if all(bundle.name != ENTRY for bundle in tree.bundles):
        return tree
    bundles = tuple(
        replace(bundle, name=MAIN) if bundle.name == ENTRY else bundle
        for bundle in tree.bundles
        if entry or bundle.name != ENTRY
    )
    return replace(tree, bundles=bundles)
