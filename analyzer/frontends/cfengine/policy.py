"""A whole policy: a file and its inputs, in the order in which CFEngine loads them."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from analyzer.frontends.cfengine.ast import (
    Attribute,
    Body,
    Bundle,
    ListValue,
    PolicyFile,
    Scalar,
    Value,
)
from analyzer.frontends.cfengine.check import load

ENTRY, RENAMED = "__main__", "main"


@dataclass(slots=True)
class Policy:
    """The files in load order, and their bundles and bodies by (type, namespace, name).

    `warnings` tell which inputs could not be found without running the policy.
    """

    files: list[PolicyFile] = field(default_factory=list)
    bundles: dict[tuple[str, str, str], Bundle] = field(default_factory=dict)
    bodies: dict[tuple[str, str, str], Body] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)

    def bundle(self, name: str, namespace: str, *kinds: str) -> Bundle | None:
        """Return the bundle that a name stands for, of the first of several types."""
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
        """Return what a control body says of an attribute, by guard."""
        body = self.bodies.get((kind, "default", "control"))
        return [a for a in body.attributes if a.name == name] if body else []


def load_policy(path: str) -> Policy:
    """Load a policy file and its inputs.

    Raises:
        InputError: a file cannot be read, or CFEngine refuses it.
    """
    policy = Policy()
    seen: set[str] = set()
    load_file(path, policy, seen, entry=True)
    for tree in policy.files:
        for bundle in tree.bundles:
            policy.bundles.setdefault((bundle.type, bundle.namespace, bundle.name), bundle)
        for body in tree.bodies:
            policy.bodies.setdefault((body.type, body.namespace, body.name), body)
    return policy


def load_file(path: str, policy: Policy, seen: set[str], *, entry: bool) -> None:
    """Load one file, and then what its control bodies name."""
    real = os.path.realpath(path)
    if real in seen:
        return
    seen.add(real)
    tree = load(path)
    policy.files.append(entry_point(tree, entry=entry))
    for kind in ("common", "file"):
        for body in tree.bodies:
            if (body.type, body.name) == (kind, "control"):
                for name in input_names(body):
                    load_input(name, path, policy, seen)


def load_input(name: str, path: str, policy: Policy, seen: set[str]) -> None:
    """Load an input, if its name is known without running anything."""
    folder = os.path.dirname(path)
    found = name.replace("$(this.promise_dirname)", folder or ".")
    if "$" in found or "@" in found:
        policy.warnings.append(f"{path}: input {name} is known to CFEngine only; it is left out")
        return
    load_file(os.path.join(folder, found), policy, seen, entry=False)


def input_names(body: Body) -> list[str]:
    """Return the inputs that a control body names; a guarded list counts too."""
    names: list[str] = []
    for attribute in body.attributes:
        if attribute.name == "inputs":
            names += texts(attribute.value)
    return names


def texts(value: Value) -> list[str]:
    """Return the texts of a list, or of one text."""
    if isinstance(value, ListValue):
        return [item.text if isinstance(item, Scalar) else "$(a call)" for item in value.items]
    return [value.text] if isinstance(value, Scalar) else ["$(a call)"]


def entry_point(tree: PolicyFile, *, entry: bool) -> PolicyFile:
    """Return a file whose `__main__` is `main` if it is the first, and gone if it is an input."""
    from dataclasses import replace

    bundles = tuple(
        replace(bundle, name=RENAMED) if bundle.name == ENTRY else bundle
        for bundle in tree.bundles
        if entry or bundle.name != ENTRY
    )
    return replace(tree, bundles=bundles)
