"""A command runs in every run.

Why: an exec without `creates`, `unless`, `onlyif` or `refreshonly` runs each time, and each report
has a change, which hides the changes that matter. The command also repeats its effect each time.

Evidence: the attributes of the exec, including those set by defaults and collectors. It is a note,
because the command may be meant to run each time. CG326 reports execs that are also notified.

Bad:

```puppet
exec { '/usr/bin/make-db': }  # <--
```

Good:

```puppet
exec { '/usr/bin/make-db': creates => '/var/db/made' }
```

Silent:

```puppet
Exec { refreshonly => true }
exec { '/usr/bin/make-db': }
```

```puppet
exec { '/usr/bin/apt-get update': schedule => 'daily' }
```

```puppet
exec { 'test -e /db || make-db': path => '/usr/bin', provider => shell }
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from analyzer.linter.puppet.shared_targets import texts
from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.rule import Problem, rule

# Attributes that keep an exec from running, or restrict when it runs.
DECIDING = ("refreshonly", "creates", "unless", "onlyif", "schedule", "noop")

# Commands that check first, and commands that change nothing.
ASKING = re.compile(
    r"\|\||\bif\b|(?:\btest\b|\[)[^;&|]*&&|^\s*(?:/usr)?(?:/bin/)?(?:test|\[|true|false|echo|sleep)\b"
)


@rule("CG333", on=Compiled, severity="note", default=False)
def check(compiled: Compiled) -> Iterator[Problem]:
    """Check each exec that no relationship notifies."""
    notified = {str(one.target) for one in compiled.explicit if one.event}
    for resource in compiled.by_type.get("Exec", ()):
        given = resource.parameters
        commands = [*texts(given.get("command", resource.title))]
        if str(resource) in notified or any(map(ASKING.search, commands)):
            continue
        if commands and all(given.get(name) in (None, False, "false") for name in DECIDING):
            yield Problem(
                f"{resource} runs in every run: it has no creates, unless, onlyif or refreshonly",
                resource.span,
                (str(resource),),
            )
