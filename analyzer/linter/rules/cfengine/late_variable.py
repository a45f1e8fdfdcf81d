"""A promise uses a variable that gets its value only later in the run.

Why: the agent does not wait for the value. It runs the promise with a literal `$(name)` (it creates
a file of that name, or passes the text to a command), and once more when the variable has a value.
Only reports wait. A guard with the class of the variable is not enough: each pass evaluates
variables first, so the value is available one pass after the class.

Bad:

```cfengine
body classes on_repair(x)
{
  promise_repaired => { "$(x)" };
}
bundle agent main
{
  vars:
    downloaded::
      "version" string => "1.2";
  commands:
    "/bin/echo download" classes => on_repair("downloaded");
    "/bin/echo install $(version)";  # <--
}
```

Good:

```cfengine
body classes on_repair(x)
{
  promise_repaired => { "$(x)" };
}
bundle agent main
{
  vars:
    downloaded::
      "version" string => "1.2";
  commands:
    "/bin/echo download" classes => on_repair("downloaded");
    "/bin/echo install $(version)"
      if => isvariable("version");
}
```

Bad:

```cfengine
body classes on_repair(x)
{
  promise_repaired => { "$(x)" };
}
bundle agent main
{
  vars:
    downloaded::
      "version" string => "1.2";
  commands:
    "/bin/echo download" classes => on_repair("downloaded");
    downloaded::
      "/bin/echo install $(version)";  # <--
}
```
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from analyzer.linter.policies import PolicyRun
from analyzer.linter.promises import in_pass, ref_of, step_of
from analyzer.linter.rule import Problem, rule

if TYPE_CHECKING:
    from analyzer.frontends.cfengine.policy.sites import Site

WAITING = ("vars", "meta", "defaults", "classes", "reports")


@rule("CG532", on=PolicyRun, severity="warning")
def check(run: PolicyRun) -> Iterator[Problem]:
    """Report promises that run before their variables have values."""
    for site, moment in run.reach.begun.items():
        if site.type in WAITING or moment.number == 0 or not is_sure(run, site):
            continue
        for name in names(site):
            setters = setters_of(run, site, name)
            moments = [run.reach.begun[s] for s in setters if s in run.reach.begun]
            first = min(moments, key=lambda one: one.serial, default=None)
            if first is None or first.serial < moment.serial or first.site is None:
                continue
            if not first.number:
                # The value exists when the bundle is called again.
                continue
            yield Problem(
                f"{ref_of(site)} runs {in_pass(moment)} with a literal $({name}); the variable"
                f" gets its value only {in_pass(first)}",
                site.promise.span,
                (ref_of(site), name),
                (step_of(first.site, f"sets it {in_pass(first)} at the earliest"),),
                (f'to let the promise wait, add if => isvariable("{name}")',),
            )


def is_sure(run: PolicyRun, site: Site) -> bool:
    """Return whether a promise certainly runs as soon as its classes are set."""
    from analyzer.frontends.cfengine.policy.possible_classes import wanted_names

    if any(site.get(name) is not None for name in ("if", "ifvarclass", "unless")):
        return False
    return all(wanted for _, wanted in wanted_names(site))


def names(site: Site) -> list[str]:
    """Return the variables of its own bundle that a promise uses."""
    from analyzer.frontends.cfengine.policy.evaluator import scalars
    from analyzer.frontends.cfengine.policy.variables import references

    texts = [site.promise.promiser, *(t for _, value in site.rows for t in scalars(value))]
    found = (name for text in texts for name in references(text))
    return list(dict.fromkeys(name for name in found if "." not in name and "$" not in name))


def setters_of(run: PolicyRun, site: Site, name: str) -> list[Site]:
    """Return the promises that set a variable of their bundle, or none if others may set it."""
    plain = name.partition("[")[0]
    if plain in site.bundle.parameters or plain in run.named_in(site.bundle) or run.anything:
        return []
    own = run.sites.of(site.bundle)
    setting = [s for kind in ("vars", "meta", "defaults") for s in own.get(kind, ())]
    if any("$" in s.promise.promiser for s in setting):
        return []
    return [s for s in setting if s.promise.promiser.partition("[")[0] == plain]
