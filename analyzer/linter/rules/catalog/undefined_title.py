"""A relationship parameter refers to a resource whose title is undef.

Why: Puppet drops such a reference without a message, so the resource is not ordered. Often the
title comes from a key of a hash that is missing or has another name.

Evidence: a catalog in which the title of the reference was undef. In a class that was compiled by
itself, a parameter proves nothing: a node may give it a value.

Bad:

```puppet
$repository = { 'name' => 'tools' }
package { 'make': require => File[$repository['file']] }  # <--
```

Good:

```puppet
$repository = { 'file' => '/etc/tools.repo' }
file { '/etc/tools.repo': }
package { 'make': require => File[$repository['file']] }
```

Silent:

```puppet
$repository = { 'name' => 'tools' }
$required = $repository['file'] ? { undef => undef, default => File[$repository['file']] }
package { 'make': require => $required }
```
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.syntax.validate.walk import nodes
from analyzer.linter.puppet.ancestors import Ancestors
from analyzer.linter.puppet.places import manifest_at, words
from analyzer.linter.puppet.subjects import Compiled, Manifest
from analyzer.linter.rule import Problem, rule
from analyzer.source import Span

# The parameters whose values are references to other resources.
RELATIONSHIPS = frozenset({"before", "notify", "require", "subscribe"})


@rule("CG112", on=Compiled, severity="warning")
def check(compiled: Compiled) -> Iterator[Problem]:
    """Check each reference without a title that is the value of a relationship parameter."""
    places: dict[str, dict[Span, a.AccessExpression]] = {}
    for span in compiled.record.untitled:
        manifest = manifest_at(compiled, span)
        if manifest is None:
            continue
        if span.file not in places:
            places[span.file] = references(manifest, compiled.partial)
        reference = places[span.file].get(span)
        if reference is not None:
            yield Problem(
                f"{words(manifest, reference)} has no title, because it is undef: "
                "Puppet drops this relationship",
                span,
                severity="note" if compiled.partial else None,
            )


def references(manifest: Manifest, partial: bool) -> dict[Span, a.AccessExpression]:
    """Return the references in the values of relationship parameters, by place.

    Of a class that was compiled by itself, only those without parameters.
    """
    return {
        manifest.span(node): node
        for operation, around in manifest.nodes(a.AttributeOperation)
        if operation.attribute_name in RELATIONSHIPS
        for node in nodes(operation.value_expr)
        if isinstance(node, a.AccessExpression) and not (partial and is_given(node, around))
    }


def is_given(node: a.AccessExpression, around: Ancestors) -> bool:
    """Return whether a reference has a parameter in it, for which each node has a value."""
    own = {p.name for one in around for p in getattr(one, "parameters", ())}
    names = (one.expr for one in nodes(node) if isinstance(one, a.VariableExpression))
    return any(getattr(name, "value", "") in own for name in names)
