"""A bundle uses a class that is private to another bundle.

Why: a class that a `classes` promise of an agent bundle sets is private to the bundle. In other
bundles it is never set, so promises under it never run. To share it, add `scope => "namespace"`,
set it in a common bundle, or call the other bundle with `inherit => "true"`.

Bad:

```cfengine
bundle agent main
{
  methods:
    "facts";
    "configure";
}
bundle agent facts
{
  classes:
    "is_webserver" expression => "linux";
}
bundle agent configure
{
  commands:
    is_webserver::  # <--
      "/bin/echo configure";
}
```

Good:

```cfengine
bundle agent main
{
  methods:
    "facts";
    "configure";
}
bundle agent facts
{
  classes:
    "is_webserver" expression => "linux", scope => "namespace";
}
bundle agent configure
{
  commands:
    is_webserver::
      "/bin/echo configure";
}
```
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from analyzer.diagnostics import Edit
from analyzer.linter.policies import PolicyRun
from analyzer.linter.promises import extent, guard_place, place_of, ref_of, step_of
from analyzer.linter.rule import Problem, Proposal, rule
from analyzer.linter.rules.cfengine.unset_class import asked

if TYPE_CHECKING:
    from analyzer.frontends.cfengine.policy.sites import Site


@rule("CG522", on=PolicyRun, severity="warning")
def check(run: PolicyRun) -> Iterator[Problem]:
    """Report classes that are private to the bundles that set them."""
    reported: set[tuple[int, str]] = set()
    inherited = heirs(run) if run.whole else {}
    for site in run.sites.all if run.whole else ():
        for name, attribute, _ in asked(site):
            place = (id(site.bundle), name)
            if place in reported or ":" in name or name in run.reach.defined:
                continue
            owners = strangers(run, site, name, inherited)
            if owners:
                reported.add(place)
                span = place_of(site, attribute) if attribute else guard_place(run, site)
                bundle = owners[0].bundle.name
                yield Problem(
                    f"the class '{name}' is never set here: it is private to the bundle"
                    f" '{bundle}', where it is set",
                    span,
                    (ref_of(site), name),
                    tuple(step_of(owner, f"sets '{name}' for its own bundle") for owner in owners),
                    proposals=tuple(widened(run, owner) for owner in owners[:1]),
                )


def strangers(run: PolicyRun, site: Site, name: str, inherited: dict[int, set[int]]) -> list[Site]:
    """Return the promises that set a class, if none of them sets it for this bundle."""
    from analyzer.frontends.cfengine.policy.possible_classes import key_of
    from analyzer.frontends.cfengine.policy.system_classes import comes_from_outside

    key = key_of(name, site.bundle)
    setters = run.reach.setters.get(key, [])
    seen = {id(site.bundle)} | inherited.get(id(site.bundle), set())
    possible = run.reach.setters_of(*key)
    visible = any(shared or id(setter.bundle) in seen for setter, shared in possible)
    if not setters or visible or comes_from_outside(name) or key in run.reach.lasting:
        return []
    return [setter for setter, _ in setters]


def heirs(run: PolicyRun) -> dict[int, set[int]]:
    """Return the bundles whose classes a bundle may inherit, by id."""
    parents: dict[int, set[int]] = {}
    for site in run.sites.all:
        for bundle, inherits in run.reach.callees(site):
            if inherits:
                parents.setdefault(id(bundle), set()).add(id(site.bundle))
    found: dict[int, set[int]] = {}
    for start in parents:
        pending, seen = [start], set()
        while pending:
            for parent in parents.get(pending.pop(), ()):
                if parent not in seen:
                    seen.add(parent)
                    pending.append(parent)
        found[start] = seen
    return found


def widened(run: PolicyRun, owner: Site) -> Proposal:
    """Return the proposal to set a class for all bundles."""
    file = owner.promise.span.file
    text = run.text_of(file) or ""
    start, end = extent(text, owner)
    stop = text.rfind(";", start, end)
    edits = (Edit(file, stop, stop, ', scope => "namespace"'),) if stop > start else ()
    usable = edits and owner.type == "classes" and owner.get("scope") is None
    return Proposal('add scope => "namespace" where it is set', edits if usable else ())
