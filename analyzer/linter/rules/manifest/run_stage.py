"""A class is assigned to a run stage.

Why: you cannot notify a stage, or relate its classes to individual resources of another stage. A
class that is also included elsewhere causes a cycle. Use relationships between classes.

Evidence: the text of one manifest assigns a class to a stage. A stage without classes changes
nothing. Accepted are stages that a site declares in a separate manifest, those of the class
`stdlib::stages`, and all in the code of a control repo itself.

Bad:

```puppet
stage { 'first': before => Stage['main'] }
class base { }
class { 'base': stage => 'first' }  # <--
```

Good:

```puppet
class base {
  package { 'curl': }
}
class app {
  package { 'app': }
}
include base, app
Class['base'] -> Class['app']
```

Silent:

```puppet
stage { 'setup': before => Stage['main'] }
```

```puppet
include stdlib::stages
class repos { }
class { 'repos': stage => 'setup' }
```
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from analyzer.frontends.puppet.syntax import ast as a
from analyzer.linter.puppet.site_texts import in_control_repo, site_of, texts_of_site
from analyzer.linter.puppet.subjects import Manifest
from analyzer.linter.rule import Problem, rule

# A declaration of stages with any number of titles; references in it do not matter.
STAGE = re.compile(r"\bstage\s*\{([^}]*)\}")
# The stages of the class stdlib::stages.
OF_STDLIB = frozenset(
    {"setup", "runtime", "setup_infra", "deploy_infra", "setup_app", "deploy_app", "deploy"}
)
TITLE = re.compile(r"['\"]?(\w+)['\"]?\s*(?:,[^:]*)?:(?!:)")


@rule("CG109", on=Manifest, severity="note")
def check(manifest: Manifest) -> Iterator[Problem]:
    """Look for classes that are assigned to a stage."""
    if in_control_repo(manifest.file):
        return
    for node, _ in manifest.nodes(a.ResourceExpression):
        kind = getattr(node.type_name, "value", "")
        if kind == "class":
            for body in node.bodies:
                for operation in body.operations:
                    if getattr(operation, "attribute_name", "") != "stage":
                        continue
                    name = str(getattr(operation.value_expr, "value", ""))
                    if name not in OF_STDLIB | stages_of_site(manifest.file):
                        place = manifest.span(operation)
                        yield Problem("a class is assigned to a run stage", place)


def stages_of_site(file: str) -> set[str]:
    """Return the stages that the other manifests of a site declare."""
    return {
        name
        for other, text in texts_of_site(site_of(file))
        for block in STAGE.findall(text)
        for name in TITLE.findall(block)
        if not os.path.samefile(other, file)
    }
