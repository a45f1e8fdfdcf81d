"""Nothing uses a class, define, function, file or key of Hiera.

Why: code that no node can reach is read, kept and upgraded all the same, and a key that nothing
looks up looks like a setting that has an effect.

Evidence: no code or data that is in use has its name, whatever the facts are. Names that are
computed are taken into account. The rule is off by default, because another repository may use a
part; `catgraph unused` lists the same, and what cannot be known.

Bad:

```puppet
class app { }
class app::old { }  # <--
include app
```

Good:

```puppet
class app { include app::old }
class app::old { }
include app
```
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.linter.leftovers import Leftovers
from analyzer.linter.rule import Problem, rule


@rule("CG120", on=Leftovers, severity="note", default=False)
def check(leftovers: Leftovers) -> Iterator[Problem]:
    """Report each part."""
    for what, reason, span in leftovers.parts:
        yield Problem(f"{what} is unused: {reason}", span)
