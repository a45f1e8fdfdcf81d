"""A bundle is called that is not there.

Why: CFEngine accepts the policy, and stops the whole run when a `methods` promise comes to the
call; the promises behind it are not kept. An edit bundle that is not there is an error at its
file, a name in the bundlesequence has the whole policy replaced by the failsafe one.

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
    """Compare the bundles that are called with those that there are."""
    if not run.whole or passed_over(run):
        return
    yield from in_sequence(run)
    for site in run.sites.all:
        for kind, attribute, kinds in WAYS:
            if site.type == kind:
                yield from calls(run, site, attribute, kinds)


def passed_over(run: PolicyRun) -> bool:
    """Return whether CFEngine is told to pass over bundles that are not there."""
    from analyzer.frontends.cfengine.syntax.ast import Scalar

    found = run.loaded.policy.control("common", "ignore_missing_bundles")
    texts = (a.value.text if isinstance(a.value, Scalar) else "$" for a in found)
    return any(text in TRUE or "$" in text for text in texts)


def calls(run: PolicyRun, site: Site, attribute: str, kinds: tuple[str, ...]) -> Iterator[Problem]:
    """Yield the calls of one promise that lead nowhere."""
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
            f"{ref_of(site)} calls the {what} '{name}', which is not there{hint(other)}",
            place_of(site, attribute),
            (ref_of(site), name),
            proposals=proposals,
        )


def names_of(run: PolicyRun, kinds: tuple[str, ...], namespace: str) -> list[str]:
    """Return the bundles of some types by the names that they are called by."""
    return [
        name if space == namespace else f"{space}:{name}"
        for kind, space, name in run.loaded.policy.bundles
        if kind in kinds
    ]


def in_sequence(run: PolicyRun) -> Iterator[Problem]:
    """Yield the names in the bundlesequence that lead nowhere, but what CFEngine refuses."""
    if run.refusal is not None:
        return
    for attribute in run.loaded.policy.control("common", "bundlesequence"):
        for name in plain_names(attribute):
            if not run.loaded.policy.bundle(name, "default", "agent", "common"):
                other = near(name, names_of(run, ("agent", "common"), "default"))
                yield Problem(
                    f"the bundlesequence has '{name}', which is not there{hint(other)}",
                    attribute.span,
                    (name,),
                )


def plain_names(attribute: Attribute) -> Iterator[str]:
    """Yield the names in a bundlesequence that stand there in full."""
    from analyzer.frontends.cfengine.syntax.ast import ListValue, Scalar

    value = attribute.value
    for item in value.items if isinstance(value, ListValue) else (value,):
        name = item.text if isinstance(item, Scalar) else getattr(item, "name", "")
        if name and "$" not in name and "@" not in name and name != "cf_null":
            yield name
