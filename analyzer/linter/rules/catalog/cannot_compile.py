"""The manifests do not compile for a node.

Why: the agent gets no catalog and changes nothing until you fix the error. The message is Puppet's.

Evidence: the compile of a node ended with this error. Names of declared modules that are not
installed are one error at the Puppetfile. Where the statement reads a custom fact of the site
that is not among the facts given, it is a note: a real node has the fact.

Bad:

```puppet
class web(Integer $port) { }
class { 'web': port => 'http' }  # <--
```

Good:

```puppet
class web(Integer $port) { }
class { 'web': port => 80 }
```

Silent:

```puppet
class web(Integer $port = 80) { }
include web
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from analyzer.linter.puppet.site_texts import facts_of_site, site_of
from analyzer.linter.puppet.subjects import Refusal
from analyzer.linter.rule import Problem, rule
from analyzer.linter.rules.catalog.duplicate_declaration import is_duplicate
from analyzer.linter.texts import read

# The variable that Puppet does not know, an undef that an operator refuses, and facts in a line.
UNKNOWN = re.compile(r"Unknown variable: '(?:::)?(\w+)'")
UNDEF = re.compile(r"\bUndef\b")
READ = re.compile(r"\$(?:facts\[['\"]|::)(\w+)")

# Facts that only a machine has: of its keys and of its cloud.
OF_MACHINES = frozenset({"az_metadata", "cloud", "ec2_metadata", "ec2_userdata", "gce", "ssh"})


@rule("CG200", on=Refusal, severity="error")
def check(refusal: Refusal) -> Iterator[Problem]:
    """Check what ended a compile; a class of a module may just want other parameters."""
    if not refusal.partial and not is_duplicate(refusal):
        # The same for every node: Puppet says which one only here.
        message = re.sub(r"(Could not find class \S+) for \S+", r"\1", refusal.error.message)
        fact = missing_fact(refusal)
        notes = (f"the fact '{fact}' is not among the facts given",) if fact else ()
        yield Problem(message, refusal.error.span, notes=notes, severity="note" if fact else None)


def missing_fact(refusal: Refusal) -> str:
    """Return the fact that a refused statement reads and a module of the site makes, or nothing."""
    span = refusal.error.span
    asked = UNKNOWN.findall(refusal.error.message)
    text = read(span.file)
    if not asked and text is not None and UNDEF.search(refusal.error.message):
        lines = text.split("\n")
        asked = READ.findall(lines[span.line - 1]) if 0 < span.line <= len(lines) else []
    made = facts_of_site(site_of(span.file)) | OF_MACHINES if asked else frozenset()
    return next((name for name in asked if name in made), "")
