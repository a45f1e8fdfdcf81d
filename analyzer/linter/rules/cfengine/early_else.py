"""Both branches run: `!class` holds at first, and the class is set later in the run.

Why: the agent does not choose a branch; it evaluates each guard when it reaches it. The promises
under `!class` run in pass 1. Once the class is set, the promises of the other branch run as well. A
variable that is set only under `!class` keeps its value.

Bad:

```cfengine
body classes on_repair(x)
{
  promise_repaired => { "$(x)" };
}
bundle agent main
{
  methods:
    upgraded::
      "migrate";
    !upgraded::  # <--
      "keep";
  commands:
    "/bin/echo upgrade" classes => on_repair("upgraded");
}
bundle agent migrate { reports: "migrating"; }
bundle agent keep { reports: "keeping"; }
```

Good:

```cfengine
body classes on_repair(x)
{
  promise_repaired => { "$(x)" };
}
bundle agent main
{
  methods:
    "upgrade";
    upgraded::
      "migrate";
    !upgraded::
      "keep";
}
bundle agent upgrade
{
  commands:
    "/bin/echo upgrade" classes => on_repair("upgraded");
}
bundle agent migrate { reports: "migrating"; }
bundle agent keep { reports: "keeping"; }
```
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from analyzer.linter.policies import PolicyRun
from analyzer.linter.promises import guard_place, in_pass, place_of, ref_of, step_of
from analyzer.linter.rule import Problem, rule

if TYPE_CHECKING:
    from analyzer.frontends.cfengine.policy.sites import Site

UNLOCKED = ("vars", "meta", "defaults", "classes", "build_xpath")


@rule("CG524", on=PolicyRun, severity="warning")
def check(run: PolicyRun) -> Iterator[Problem]:
    """Check pairs of promises whose guards contain a class and its negation."""
    for bundle in run.loaded.policy.bundles.values():
        sites = [s for group in run.sites.of(bundle).values() for s in group]
        sites = [s for s in sites if s.type not in UNLOCKED and s in run.reach.begun]
        positive: dict[str, Site] = {}
        for site in sites:
            for name in conjuncts(site)[0]:
                positive.setdefault(name, site)
        for site in sites:
            for name in conjuncts(site)[1]:
                other = positive.get(name)
                if other is not None and can_go_together(site, other, name):
                    yield from problems(run, site, other, name)
        yield from early_values(run, run.sites.of(bundle).get("vars", []))


def early_values(run: PolicyRun, sites: list[Site]) -> Iterator[Problem]:
    """Yield variables that keep the value from before a class which their guards negate."""
    from analyzer.frontends.cfengine.policy.possible_classes import key_of

    for site in sites:
        alike = [other for other in sites if other.promise.promiser == site.promise.promiser]
        for name in sorted(conjuncts(site)[1]) if site in run.reach.begun else ():
            key = key_of(name, site.bundle)
            setters = [setter for setter, _ in run.reach.setters_of(*key)]
            lasting = run.reach.setters.get(key) is None or key in run.reach.lasting
            moments = [run.reach.begun[s] for s in setters if s in run.reach.begun]
            own = all(setter.bundle is site.bundle for setter in setters)
            late = moments and min(moment.number for moment in moments) > 0
            if lasting or not own or not late or any(name not in conjuncts(o)[1] for o in alike):
                continue
            first = min(moments, key=lambda moment: moment.serial)
            assert first.site is not None
            yield Problem(
                f"{ref_of(site)} gets its value before '{name}' is set, and keeps it",
                guard_place(run, site),
                (ref_of(site), name),
                (step_of(first.site, f"sets '{name}' {in_pass(first)}, after !{name} held"),),
                (f"set the variable under {name}:: too, or set '{name}' in an earlier bundle",),
            )


def problems(run: PolicyRun, site: Site, other: Site, name: str) -> Iterator[Problem]:
    """Yield the problem of a promise that runs before the class that its guard negates is set."""
    from analyzer.frontends.cfengine.policy.possible_classes import key_of

    reach, key = run.reach, key_of(name, site.bundle)
    setters = [setter for setter, _ in reach.setters_of(*key) if setter in reach.begun]
    if not setters or reach.setters.get(key) is None or key in reach.lasting:
        return
    first = min(setters, key=lambda setter: reach.begun[setter].serial)
    own = all(setter.bundle is site.bundle for setter in setters)
    at, moment = reach.begun[site], reach.begun[first]
    if not own or moment.serial < at.serial or moment.number == 0 or comes_of(run, setters, site):
        return
    stop = "unless" if site.get("unless") is not None else ""
    guard = site.promise.guard
    span = guard_place(run, site) if f"!{name}" in guard else place_of(site, "if", stop)
    yield Problem(
        f"{ref_of(site)} runs {in_pass(at)}, before '{name}' is set; then"
        f" {ref_of(other)} runs as well",
        span,
        (ref_of(site), name),
        (
            step_of(first, f"sets '{name}' {in_pass(moment)}, after !{name} held"),
            step_of(other, f"runs once '{name}' is set"),
        ),
        (f"to run only one of them, set '{name}' in a bundle that is called earlier",),
    )


def comes_of(run: PolicyRun, setters: list[Site], site: Site) -> bool:
    """Return whether the setters of a class depend on a promise, so that both are meant to run."""
    from analyzer.frontends.cfengine.policy.possible_classes import key_of, wanted_names

    pending, seen = list(setters), set(setters)
    while pending:
        one = pending.pop()
        if one is site:
            return True
        handles = run.sites.dependencies(one)
        if handles and set(handles) & set(run.sites.handles(site)):
            return True
        for name, wanted in wanted_names(one):
            for setter, _ in run.reach.setters_of(*key_of(name, one.bundle)) if wanted else ():
                if setter not in seen:
                    seen.add(setter)
                    pending.append(setter)
    return False


def conjuncts(site: Site) -> tuple[set[str], set[str]]:
    """Return the classes that must be set for a promise to run, and those that must not."""
    from analyzer.frontends.cfengine.syntax.ast import Scalar
    from analyzer.frontends.cfengine.syntax.class_expressions import And, Name, Not, parsed

    found: tuple[set[str], set[str]] = (set(), set())
    texts = [(site.promise.guard, True)]
    for name in ("if", "ifvarclass", "unless"):
        value = site.get(name)
        if isinstance(value, Scalar):
            texts.append((value.text, name != "unless"))
    for text, positive in texts:
        pending = [(parsed(text) if "$" not in text and "@" not in text else None, positive)]
        while pending:
            expression, wanted = pending.pop()
            if isinstance(expression, Name):
                found[0 if wanted else 1].add(expression.text)
            elif isinstance(expression, Not):
                pending.append((expression.operand, not wanted))
            elif isinstance(expression, And) and wanted:
                pending += [(expression.left, True), (expression.right, True)]
    return found


def can_go_together(site: Site, other: Site, name: str) -> bool:
    """Return whether one machine may run both promises, apart from one class."""
    from analyzer.frontends.cfengine.policy.system_classes import EXCLUSIVE

    needs, excludes = conjuncts(site)
    others, forbids = conjuncts(other)
    if (needs & forbids) or (others & (excludes - {name})):
        return False
    return len((needs | others) & EXCLUSIVE) < 2
