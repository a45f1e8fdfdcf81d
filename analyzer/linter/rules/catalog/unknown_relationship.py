"""An arrow leads to a value that cannot be known without running Ruby or having facts.

Why: the relationship is missing in everything that is said about this catalog, so that a cycle
through it would not be found. Give facts (`--facts`), or the value as a stub in `catgraph.toml`.

Bad:

```puppet
notify { 'a': }
Notify['a'] -> Notify[$facts['role']]  # <--
```

Good:

```puppet
notify { ['a', 'b']: }
Notify['a'] -> Notify['b']
```
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.linter.rule import Problem, rule
from analyzer.linter.subjects import Compiled


@rule("CG204", on=Compiled, severity="note")
def check(compiled: Compiled) -> Iterator[Problem]:
    """Look at what an Unknown should have decided."""
    for undecided in compiled.record.undecided:
        if undecided.what == "relationship":
            yield Problem(f"this relationship is not known: {undecided.reason}", undecided.span)
