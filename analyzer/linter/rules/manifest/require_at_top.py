"""The function `require` is called outside of any class.

Why: at top scope, `require` puts the class before `Class[main]`. Everything declared outside of
classes then waits for the whole class, and is skipped if one of its resources fails. Use `include`
or a relationship.

Evidence: the text of one manifest. It is a note, because the order may be intended.

Bad:

```puppet
class base { }
require base  # <--
```

Good:

```puppet
class base { }
include base
```
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.diagnostics import Edit
from analyzer.frontends.puppet.node.modules import module_around
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.linter.puppet.subjects import Manifest
from analyzer.linter.rule import Problem, Proposal, rule

BODIES = (
    a.HostClassDefinition,
    a.ResourceTypeDefinition,
    a.NodeDefinition,
    a.FunctionDefinition,
    a.PlanDefinition,
)


@rule("CG110", on=Manifest, severity="note")
def check(manifest: Manifest) -> Iterator[Problem]:
    """Check each call outside of a definition."""
    for node, around in manifest.nodes(a.CallNamedFunctionExpression):
        word = node.functor_expr
        if getattr(word, "value", "") != "require" or any(isinstance(n, BODIES) for n in around):
            continue
        if module_around(manifest.file) is not None:
            # Puppet refuses code outside of definitions in a module, which CG200 reports.
            continue
        edit = Edit(manifest.file, word.offset, word.offset + word.length, "include")
        yield Problem(
            "`require` at top scope puts the class before everything outside of classes",
            manifest.span(node),
            proposals=(Proposal("replace `require` with `include`", (edit,)),),
        )
