"""A function in a bundle that is never called still runs a command.

Why: before the first pass, an agent evaluates the functions of every bundle that it has loaded,
even if nothing calls the bundle, and even in a dry run. Only a guard that does not hold prevents
this.

Bad:

```cfengine
bundle agent main
{
  reports:
    "hello";
}
bundle agent inventory
{
  vars:
    "made" string => execresult("/bin/touch $(sys.workdir)/made", "noshell");  # <--
  reports:
    "$(made)";
}
```

Good:

```cfengine
bundle agent main
{
  methods:
    "inventory";
}
bundle agent inventory
{
  vars:
    "made" string => execresult("/bin/touch $(sys.workdir)/made", "noshell");
  reports:
    "$(made)";
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.linter.policies import PolicyRun
from analyzer.linter.promises import bundle_name, ref_of
from analyzer.linter.rule import Problem, rule
from analyzer.linter.rules.cfengine.uncalled_bundle import CALLED, reachable

COMMANDS = ("execresult", "execresult_as_data", "returnszero", "usemodule", "url_get", "readtcp")


@rule("CG544", on=PolicyRun, severity="warning")
def check(run: PolicyRun) -> Iterator[Problem]:
    """Report functions that run commands in the uncalled bundles of the first file."""
    from analyzer.frontends.cfengine.policy.sites import calls

    if not run.whole or run.sequence is None:
        return
    called = reachable(run, run.sequence)
    for bundle in run.loaded.policy.files[0].bundles:
        if bundle.type not in CALLED or id(bundle) in called:
            continue
        for site in (site for sites in run.sites.of(bundle).values() for site in sites):
            found = [c.name for c in calls(v for _, v in site.rows) if c.name in COMMANDS]
            if found and site.promise.guard == "any":
                yield Problem(
                    f"{ref_of(site)} runs a command with {found[0]} whenever the policy is loaded,"
                    f" though nothing calls '{bundle_name(bundle)}'",
                    site.promise.span,
                    (ref_of(site),),
                )
