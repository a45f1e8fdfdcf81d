"""A bundle of the first file of a policy is never called.

Why: its promises never run. The other files are not checked: they may be libraries, which always
have unused bundles.

Bad:

```cfengine
bundle agent main
{
  methods:
    "web";
}
bundle agent web
{
  reports:
    "web";
}
bundle agent database  # <--
{
  reports:
    "database";
}
```

Good:

```cfengine
bundle agent main
{
  methods:
    "web";
    "database";
}
bundle agent web
{
  reports:
    "web";
}
bundle agent database
{
  reports:
    "database";
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.linter.policies import PolicyRun
from analyzer.linter.promises import bundle_name
from analyzer.linter.rule import Problem, rule

CALLED = ("agent", "edit_line", "edit_xml")


@rule("CG503", on=PolicyRun, severity="note")
def check(run: PolicyRun) -> Iterator[Problem]:
    """Report the bundles of the first file that are not reachable."""
    if not run.whole or run.sequence is None:
        return
    called = reachable(run, run.sequence)
    for bundle in run.loaded.policy.files[0].bundles:
        if bundle.type in CALLED and id(bundle) not in called:
            name = bundle_name(bundle)
            what = "edit bundle" if bundle.type != "agent" else "bundle"
            yield Problem(f"nothing calls the {what} '{name}'", bundle.span, (name,))


def reachable(run: PolicyRun, sequence: list[str]) -> set[int]:
    """Return the ids of the bundles that the bundlesequence reaches, whatever the guards."""
    reach = run.reach
    pending = [b for name in sequence for b in reach.meant(name, "default", ("agent", "common"))]
    found = {id(bundle) for bundle in pending}
    while pending:
        for sites in run.sites.of(pending.pop()).values():
            for bundle in (bundle for site in sites for bundle, _ in reach.callees(site)):
                if id(bundle) not in found:
                    found.add(id(bundle))
                    pending.append(bundle)
    return found
