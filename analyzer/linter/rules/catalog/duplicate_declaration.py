"""A resource is declared twice.

Why: a catalog can hold each resource only once. If two classes need it, move it to a third class
that both include, or declare it virtual and realize it in both.

Evidence: the compilation of a node ended with this error. A class that is compiled by itself,
without data and with default parameters, proves less. In that case it is a note, and only if both
titles are literal and outside of conditions, and if one file contains both declarations or names
the class of the other one.

Bad:

```puppet
package { 'curl': }
package { 'curl': }  # <--
```

Good:

```puppet
@package { 'curl': }
realize Package['curl']
realize Package['curl']
```

Silent:

```puppet
define site() {
  file { "/srv/${title}": }
}
site { ['a', 'b']: }
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.syntax.ast import Node
from analyzer.frontends.puppet.syntax.validate.walk import nodes
from analyzer.linter.puppet.places import Place
from analyzer.linter.puppet.subjects import Refusal, manifest_of
from analyzer.linter.rule import Problem, rule
from analyzer.linter.texts import read
from analyzer.source import Span

# The beginnings of Puppet's messages: about a resource, and about another name for it.
BEGINNINGS = ("Duplicate declaration: ", "Cannot alias ")


# The place of the first declaration in Puppet's message.
BEFORE = re.compile(r"already declared at \(file: (.*?), line: (\d+)")

# The resource in Puppet's message.
REFERENCE = re.compile(r"[A-Z][\w:]*\[(.+?)\]")


@rule("CG202", on=Refusal, severity="error")
def check(refusal: Refusal) -> Iterator[Problem]:
    """Check the error that ended a compilation.

    A class that is compiled by itself has default parameters and none of the data of a node. It
    proves a duplicate only if both titles are literal and outside of conditions.
    """
    if not is_duplicate(refusal) or is_alone(refusal):
        return
    if not refusal.partial:
        yield Problem(refusal.error.message, refusal.error.span)
    elif is_together(refusal) and all(
        is_certain(refusal.error.message, place) for place in places(refusal)
    ):
        yield Problem(refusal.error.message, refusal.error.span, severity="note")


def places(refusal: Refusal) -> Iterator[Span]:
    """Yield the known places of the two declarations."""
    yield refusal.error.span
    for file, line in BEFORE.findall(refusal.error.message):
        yield Span(file, int(line))


def is_together(refusal: Refusal) -> bool:
    """Return whether one file contains both declarations, or names the class of the other one.

    Otherwise the other declaration may depend on facts that this class never sees on a real node.
    """
    here, *others = dict.fromkeys(place.file for place in places(refusal))
    text = read(here) or ""
    return all(re.search(rf"\b{re.escape(class_of(file))}\b", text) for file in others)


def class_of(file: str) -> str:
    """Return the class that a manifest of a module should define."""
    above, _, below = file.removesuffix(".pp").rpartition("/manifests/")
    module = above.rpartition("/")[2]
    return module if below == "init" else "::".join([module, *below.split("/")])


def is_certain(message: str, place: Span) -> bool:
    """Return whether a declaration has a literal title, and is outside of conditions."""
    named = REFERENCE.search(message)
    text = read(place.file)
    manifest = manifest_of(place.file, text) if named and text is not None else None
    if named is None or manifest is None:
        return False
    kinds = (a.ResourceExpression, a.CallNamedFunctionExpression)
    for node, around in manifest.nodes(*kinds):
        lines = {manifest.span(one).line for one in nodes(node)}
        if place.line in lines and any(names(one, named[1]) for one in titles_of(node)):
            return not Place(manifest, node, around).conditions
    return False


def titles_of(node: a.ResourceExpression | a.CallNamedFunctionExpression) -> Sequence[Node]:
    """Return the titles of a declaration, or the arguments of a call that declares."""
    if isinstance(node, a.ResourceExpression):
        return [body.title for body in node.bodies]
    return node.arguments


def names(node: object, title: str) -> bool:
    """Return whether a title is literal, alone or in a list."""
    if isinstance(node, a.LiteralList):
        return any(names(one, title) for one in node.values)
    value = getattr(node, "value", None)
    return isinstance(value, str) and value.lower().removeprefix("::") == title.lower()


def is_alone(refusal: Refusal) -> bool:
    """Return whether a class was declared twice only because it was compiled by itself."""
    kind, _, rest = refusal.error.message.partition("Class[")
    name = refusal.name.removeprefix("class ").partition(" ")[0]
    return refusal.partial and bool(kind) and rest.partition("]")[0].lower() == name


def is_duplicate(refusal: Refusal) -> bool:
    """Return whether a compilation ended with a second declaration."""
    return refusal.error.message.startswith(BEGINNINGS)
