"""A bundle that is never called runs commands all the same, by functions.

Why: before the first pass an agent evaluates every function in every bundle that it has loaded,
called or not, in a dry run too. Only a guard that does not hold keeps it from that.

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
    """Look for such functions in the bundles of the first file that nothing calls."""
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
                    f"{ref_of(site)} runs a command by {found[0]} whenever the policy is loaded,"
                    f" though nothing calls '{bundle_name(bundle)}'",
                    site.promise.span,
                    (ref_of(site),),
                )
