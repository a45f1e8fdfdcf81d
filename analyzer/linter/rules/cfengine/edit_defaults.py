"""An edit bundle has `defaults` promises, which are never evaluated.

Why: the documentation lists `defaults` in the order of an edit bundle, and the parser accepts them.
But the agent ignores them there, so the variables get no value.

Bad:

```cfengine
bundle agent main
{
  files:
    "$(sys.workdir)/motd"
      create => "true",
      edit_line => greeting;
}
bundle edit_line greeting
{
  defaults:
    "text" string => "hello";  # <--
  insert_lines:
    "$(text)";
}
```

Good:

```cfengine
bundle agent main
{
  files:
    "$(sys.workdir)/motd"
      create => "true",
      edit_line => greeting;
}
bundle edit_line greeting
{
  vars:
    "text" string => "hello";
  insert_lines:
    "$(text)";
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.linter.policies import PolicyRun
from analyzer.linter.promises import ref_of
from analyzer.linter.rule import Problem, rule


@rule("CG543", on=PolicyRun, severity="warning")
def check(run: PolicyRun) -> Iterator[Problem]:
    """Report `defaults` promises of edit bundles."""
    for site in run.sites.all:
        if site.type == "defaults" and site.bundle.type in ("edit_line", "edit_xml"):
            message = f"{ref_of(site)} is never evaluated: an edit bundle has no defaults"
            yield Problem(message, site.promise.span, (ref_of(site),))
