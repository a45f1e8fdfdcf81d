"""A promise uses a variable that has a value only later in the run.

Why: the agent does not wait for it. The promise is kept with `$(name)` in its text - a file of
that name is made, a command gets it as an argument - and, when the variable has its value, kept
once more with that. Only reports wait. It is not enough that the class is set which the variable
is guarded by: variables come before all else in a pass, so that the value is there a pass later.

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
    """Compare when a promise is begun with when its variables have values."""
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
                # It is there when the bundle is called again.
                continue
            yield Problem(
                f"{ref_of(site)} is begun {in_pass(moment)} with $({name}) as it is written; its"
                f" value is there only {in_pass(first)}",
                site.promise.span,
                (ref_of(site), name),
                (step_of(first.site, f"gives it a value first {in_pass(first)}"),),
                (f'if => isvariable("{name}") lets it wait',),
            )


def is_sure(run: PolicyRun, site: Site) -> bool:
    """Return whether a promise is begun as soon as its classes are set, if ever they are."""
    from analyzer.frontends.cfengine.policy.possible_classes import wanted_names

    if any(site.get(name) is not None for name in ("if", "ifvarclass", "unless")):
        return False
    return all(wanted for _, wanted in wanted_names(site))


def names(site: Site) -> list[str]:
    """Return the variables of the own bundle in a promise."""
    from analyzer.frontends.cfengine.policy.evaluator import scalars
    from analyzer.frontends.cfengine.policy.variables import references

    texts = [site.promise.promiser, *(t for _, value in site.rows for t in scalars(value))]
    found = (name for text in texts for name in references(text))
    return list(dict.fromkeys(name for name in found if "." not in name and "$" not in name))


def setters_of(run: PolicyRun, site: Site, name: str) -> list[Site]:
    """Return the promises that give a variable of the own bundle a value, none if others may."""
    plain = name.partition("[")[0]
    if plain in site.bundle.parameters or plain in run.named_in(site.bundle) or run.anything:
        return []
    own = run.sites.of(site.bundle)
    setting = [s for kind in ("vars", "meta", "defaults") for s in own.get(kind, ())]
    if any("$" in s.promise.promiser for s in setting):
        return []
    return [s for s in setting if s.promise.promiser.partition("[")[0] == plain]
