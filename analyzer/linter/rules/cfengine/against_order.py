r"""Two related promises run in the opposite order to the one in which they are written.

Why: in each pass, an agent evaluates users, files, packages, methods, processes, services, commands
and reports in this order, whatever the order of the text. An edit bundle deletes lines, edits
fields, inserts lines and then replaces patterns. A policy that is written in another order misleads
its readers: a backup command that is written above an edit saves the edited file.

Bad:

```cfengine
bundle agent main
{
  commands:
    "/bin/echo" args => "save $(sys.workdir)/app.conf";  # <--
  files:
    "$(sys.workdir)/app.conf"
      create => "true";
}
```

Good:

```cfengine
bundle agent main
{
  files:
    "$(sys.workdir)/app.conf"
      create => "true";
  commands:
    "/bin/echo" args => "check $(sys.workdir)/app.conf";
}
```

Bad:

```cfengine
bundle agent main
{
  files:
    "$(sys.workdir)/hosts"
      create => "true",
      edit_line => localhost;
}
bundle edit_line localhost
{
  insert_lines:
    "127.0.0.1 localhost";  # <--
  delete_lines:
    "127\.0\.0\.1.*";
}
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from analyzer.diagnostics import Severity
from analyzer.linter.policies import PolicyRun
from analyzer.linter.promises import ref_of, step_of
from analyzer.linter.rule import Problem, rule
from analyzer.linter.sections import in_normal_order

if TYPE_CHECKING:
    from analyzer.frontends.cfengine.policy.sites import Site
    from analyzer.frontends.cfengine.syntax.ast import Bundle

# Types whose promises create something, and types that use it.
THINGS = ("users", "files", "packages", "storage", "guest_environments")
USERS = ("commands", "processes", "services", "packages", "methods")
UNLOCKED = ("meta", "vars", "defaults", "classes")
# The minimum length of a name: shorter ones may occur in any text.
SHORTEST = 4


@rule("CG541", on=PolicyRun, severity="note")
def check(run: PolicyRun) -> Iterator[Problem]:
    """Compare the order of the text with that of the types, bundle by bundle."""
    from analyzer.frontends.cfengine.policy.normal_order import RUNNING, in_order

    for bundle in run.loaded.policy.bundles.values():
        if bundle.type not in RUNNING or bundle.type == "server":
            continue
        present = [s.type for s in bundle.sections if s.promises]
        kinds = [kind for kind in in_order(bundle.type, present) if kind not in UNLOCKED]
        if kinds != [kind for kind in present if kind in kinds]:
            yield from misplaced(run, bundle, kinds)


def misplaced(run: PolicyRun, bundle: Bundle, kinds: list[str]) -> Iterator[Problem]:
    """Yield the first pair of each two types that are written in reverse order."""
    own = run.sites.of(bundle)
    for number, later in enumerate(kinds):
        for earlier in kinds[:number]:
            pairs = (
                (above, below, found)
                for above in own[later]
                for below in own[earlier]
                if above.promise.span.line < below.promise.span.line
                and (found := relation(run, above, below))
            )
            first = next(pairs, None)
            if first:
                yield problem(run, bundle, *first)


def relation(run: PolicyRun, above: Site, below: Site) -> tuple[str, Severity] | None:
    """Return how a promise is related to another one below it, and the severity."""
    from analyzer.frontends.cfengine.policy.possible_classes import key_of, wanted_names

    needed = set(run.sites.dependencies(above)) & set(run.sites.handles(below))
    if needed:
        return f"depends on its handle '{min(needed)}'", "note"
    set_below = {(s.namespace, s.name) for s in run.sites.settings(below)}
    for name, wanted in wanted_names(above):
        if wanted and key_of(name, above.bundle) in set_below:
            return f"is guarded by the class '{name}', which {ref_of(below)} sets", "note"
    if waits_for(run, below, above):
        return None
    if above.bundle.type == "edit_line":
        return ("applies to its line", "warning") if touches(above, below) else None
    if below.type in THINGS and above.type in USERS and mentions(above, below.promise.promiser):
        # A service usually comes after its package; a command may be meant to come first.
        asked = below.get("delete") is not None or above.get("if") is not None
        harmless = asked or above.type != "commands"
        return f"also uses '{below.promise.promiser}'", "note" if harmless else "warning"
    return None


def waits_for(run: PolicyRun, site: Site, other: Site) -> bool:
    """Return whether a promise waits for another one, and so runs after it in a later pass."""
    from analyzer.frontends.cfengine.policy.possible_classes import key_of, wanted_names

    if set(run.sites.dependencies(site)) & set(run.sites.handles(other)):
        return True
    given = {(s.namespace, s.name) for s in run.sites.settings(other)}
    return any(wanted and key_of(name, site.bundle) in given for name, wanted in wanted_names(site))


def mentions(site: Site, thing: str) -> bool:
    """Return whether a promise contains a name as a whole word in its text or its arguments."""
    if len(thing) < SHORTEST or thing in ("$(this.promiser)",):
        return False
    texts = [site.promise.promiser, site.text("args"), site.text("arglist")]
    pattern = rf"(?<![\w./$-]){re.escape(thing)}(?![\w/({{-]|\.\w)"
    return any(re.search(pattern, text) for text in texts)


def touches(above: Site, below: Site) -> bool:
    """Return whether one of two promises of an edit bundle changes what the other inserts."""
    from analyzer.frontends.cfengine.policy.patterns import in_time, regular
    from analyzer.frontends.cfengine.policy.unknown import NoResult

    inserted, pattern = (above, below) if above.type == "insert_lines" else (below, above)
    text, words = inserted.promise.promiser, pattern.promise.promiser
    kinds = ("delete_lines", "replace_patterns", "field_edits")
    if inserted.type != "insert_lines" or pattern.type not in kinds or "$(" in text + words:
        return False
    whole = pattern.type != "replace_patterns"
    lines = text.split("\n")
    try:
        found = regular(words, 0)
        return in_time(
            lambda: any(found.fullmatch(line) if whole else found.search(line) for line in lines)
        )
    except NoResult:
        return False


def problem(
    run: PolicyRun, bundle: Bundle, above: Site, below: Site, found: tuple[str, Severity]
) -> Problem:
    """Return the problem of a pair of promises."""
    what, severity = found
    proposal = in_normal_order(run, bundle)
    return Problem(
        f"{ref_of(above)} {what}; it is written above {ref_of(below)}, but runs after it, because"
        f" {below.type} come before {above.type}",
        above.promise.span,
        (ref_of(above), ref_of(below)),
        (step_of(below, "is written below, but runs first"),),
        proposals=(proposal,) if proposal else (),
        severity=severity,
    )
