"""A call names a bundle that does not exist.

Why: CFEngine accepts the policy, but stops the whole run when it evaluates such a `methods`
promise, so the promises after it are not kept. A missing edit bundle is an error of the promise
that calls it. If a bundle of the bundlesequence is missing, the agent runs the failsafe policy
instead.

Bad:

```cfengine
bundle agent main
{
  methods:
    "web" usebundle => webserver;  # <--
  reports:
    "done";
}
bundle agent web_server
{
  reports:
    "configured";
}
```

Good:

```cfengine
bundle agent main
{
  methods:
    "web" usebundle => web_server;
  reports:
    "done";
}
bundle agent web_server
{
  reports:
    "configured";
}
```
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from analyzer.linter.policies import PolicyRun
from analyzer.linter.promises import hint, near, place_of, ref_of, renamed
from analyzer.linter.rule import Problem, rule

if TYPE_CHECKING:
    from analyzer.frontends.cfengine.policy.sites import Site
    from analyzer.frontends.cfengine.syntax.ast import Attribute

WAYS = (
    ("methods", "usebundle", ("agent", "common")),
    ("files", "edit_line", ("edit_line",)),
    ("files", "edit_xml", ("edit_xml",)),
    ("services", "service_bundle", ("agent", "common")),
    ("users", "home_bundle", ("agent", "common")),
)
TRUE = ("true", "yes", "on")


@rule("CG501", on=PolicyRun, severity="error")
def check(run: PolicyRun) -> Iterator[Problem]:
    """Report calls of bundles that are not defined."""
    if not run.whole or passed_over(run):
        return
    yield from in_sequence(run)
    for site in run.sites.all:
        for kind, attribute, kinds in WAYS:
            if site.type == kind:
                yield from calls(run, site, attribute, kinds)


def passed_over(run: PolicyRun) -> bool:
    """Return whether the policy makes CFEngine ignore missing bundles."""
    from analyzer.frontends.cfengine.syntax.ast import Scalar

    found = run.loaded.policy.control("common", "ignore_missing_bundles")
    texts = (a.value.text if isinstance(a.value, Scalar) else "$" for a in found)
    return any(text in TRUE or "$" in text for text in texts)


def calls(run: PolicyRun, site: Site, attribute: str, kinds: tuple[str, ...]) -> Iterator[Problem]:
    """Yield the calls of one promise that name missing bundles."""
    from analyzer.frontends.cfengine.policy.reachability import called_names

    given = site.get(attribute) is not None
    if not given and attribute != "usebundle":
        return
    for name in called_names(run.sites, site, attribute):
        if "\0" in name or run.reach.meant(name, site.bundle.namespace, kinds):
            continue
        other = near(name, names_of(run, kinds, site.bundle.namespace))
        proposals = (renamed(run, site, (attribute,), name, other),) if other and given else ()
        what = "edit bundle" if kinds[0].startswith("edit") else "bundle"
        yield Problem(
            f"{ref_of(site)} calls the {what} '{name}', which does not exist{hint(other)}",
            place_of(site, attribute),
            (ref_of(site), name),
            proposals=proposals,
        )


def names_of(run: PolicyRun, kinds: tuple[str, ...], namespace: str) -> list[str]:
    """Return the names by which bundles of some types can be called."""
    return [
        name if space == namespace else f"{space}:{name}"
        for kind, space, name in run.loaded.policy.bundles
        if kind in kinds
    ]


def in_sequence(run: PolicyRun) -> Iterator[Problem]:
    """Yield the missing bundles of the bundlesequence, unless CFEngine refuses the policy."""
    if run.refusal is not None:
        return
    for attribute in run.loaded.policy.control("common", "bundlesequence"):
        for name in plain_names(attribute):
            if not run.loaded.policy.bundle(name, "default", "agent", "common"):
                other = near(name, names_of(run, ("agent", "common"), "default"))
                yield Problem(
                    f"the bundlesequence names '{name}', which does not exist{hint(other)}",
                    attribute.span,
                    (name,),
                )


def plain_names(attribute: Attribute) -> Iterator[str]:
    """Yield the names in a bundlesequence that have no variables."""
    from analyzer.frontends.cfengine.syntax.ast import ListValue, Scalar

    value = attribute.value
    for item in value.items if isinstance(value, ListValue) else (value,):
        name = item.text if isinstance(item, Scalar) else getattr(item, "name", "")
        if name and "$" not in name and "@" not in name and name != "cf_null":
            yield name
