"""A promise uses a variable that nothing sets.

Why: CFEngine leaves `$(name)` as it is. A report prints it, a file of that name is created, an `if`
with it is never true, and an `unless` with it stops its promise in two of three passes. Strings
that may be meant for a shell are not checked, unless there is a variable with a similar name.

Bad:

```cfengine
bundle agent main
{
  vars:
    "version" string => "1.2";
  reports:
    "installed $(verson)";  # <--
}
```

Good:

```cfengine
bundle agent main
{
  vars:
    "version" string => "1.2";
  reports:
    "installed $(version)";
}
```
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from analyzer.diagnostics import Edit
from analyzer.linter.policies import PolicyRun
from analyzer.linter.promises import extent, guess, hint, near, ref_of
from analyzer.linter.rule import Problem, rule
from analyzer.linter.variables import missing

if TYPE_CHECKING:
    from analyzer.frontends.cfengine.policy.sites import Site

# Types whose promiser is not meant for a shell.
NAMED = ("reports", "files", "packages", "services", "processes", "users", "methods", "storage")
CONDITIONS = ("if", "ifvarclass", "unless")


@rule("CG531", on=PolicyRun, severity="warning")
def check(run: PolicyRun) -> Iterator[Problem]:
    """Report variables without values in strings that need them."""
    found: dict[tuple[int, str], list[tuple[Site, str]]] = {}
    for site in run.sites.all:
        for text, sure in texts(run, site):
            for name in missing(run, site, text):
                other = near_variable(run, site, name)
                if sure or other:
                    found.setdefault((id(site.bundle), name), []).append((site, other))
    for (_, name), places in found.items():
        others = {id(site) for site, _ in places} - {id(places[0][0])}
        yield problem(run, *places[0], name, len(others))


def texts(run: PolicyRun, site: Site) -> Iterator[tuple[str, bool]]:
    """Yield the strings of a promise, and whether their variables are certainly CFEngine's."""
    from analyzer.frontends.cfengine.policy.evaluator import scalars

    if site.bundle.type.startswith("edit"):
        return
    if site.type != "vars":
        yield site.promise.promiser, site.type in NAMED
    for attribute in site.promise.attributes:
        for text in scalars(attribute.value):
            yield text, attribute.name in CONDITIONS or is_passed(run, site, attribute.name)


def is_passed(run: PolicyRun, site: Site, attribute: str) -> bool:
    """Return whether an attribute passes arguments to bundles that have no defaults for them."""
    if attribute != "usebundle":
        return False
    found = [bundle for bundle, _ in run.reach.callees(site)]
    return bool(found) and not any(run.sites.of(bundle).get("defaults") for bundle in found)


def near_variable(run: PolicyRun, site: Site, name: str) -> str:
    """Return the variable of the same bundle with the most similar name."""
    scope, dot, plain = name.partition("[")[0].rpartition(".")
    owner, space, place, _ = run.values.place(name, site.bundle)
    found = near(plain, [*run.variables_of(space, place), *(owner.parameters if owner else ())])
    return f"{scope}{dot}{found}" if found else ""


def problem(run: PolicyRun, site: Site, other: str, name: str, count: int) -> Problem:
    """Return the problem of a variable that `count` more promises of the bundle use."""
    file = site.promise.span.file
    text = run.text_of(file) or ""
    start, end = extent(text, site)
    edits = []
    for opening in ("$(", "${"):
        position = text.find(f"{opening}{name}", start, end)
        while other and position >= 0:
            at = position + 2
            edits.append(Edit(file, at, at + len(name), other))
            position = text.find(f"{opening}{name}", at, end)
    use = "use" if count > 1 else "uses"
    proposal = guess(name, other, edits)
    return Problem(
        f"nothing sets $({name}), which {ref_of(site)} uses{hint(other)}",
        site.promise.span,
        (ref_of(site), name),
        notes=(f"{count} more of the bundle's promises {use} it",) if count else (),
        proposals=(proposal,) if edits else (),
    )
