"""The live comparison of types: those of modules, Puppet's own, and the compiler's table of them.

`python -m tests.frontends.puppet.ruby_types.live [FOLDER...]`: folders of modules, by default that
of the packaged ones. Types of the Resource API need its gem (`RUBYLIB`).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from analyzer.frontends.puppet.compiler.definitions.native import OWN
from analyzer.frontends.puppet.ruby_types import RubyType, RubyTypes
from tests.oracle.harness import HOW_TO_INSTALL, MODULES, Answer, ask, installed

from .declared import SCRIPT, answers, read, said


@dataclass(slots=True)
class Tally:
    """What became of one group of types."""

    equal: int = 0
    open: list[str] = field(default_factory=list)
    differ: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)

    def add(self, type: RubyType | None, answer: Answer) -> None:
        """Count one type."""
        name = answer["id"]
        if "error" in answer:
            self.failed.append(f"{name}: {answer['error'].splitlines()[0]}")
        elif type is None:
            self.differ.append(f"{name}: there is none for us")
        elif type.open or type.unsure:
            self.open.append(f"{name}: {type.open or type.unsure}")
        elif read(type) == said(answer):
            self.equal += 1
        else:
            self.differ.append(f"{name}\n--- Puppet\n{said(answer)}--- ours\n{read(type)}")

    def show(self, group: str) -> None:
        """Print the figures, then what is behind them."""
        print(
            f"{group:20} equal {self.equal:5}  open, with a reason {len(self.open):4}"
            f"  differ {len(self.differ):4}  not loaded by Puppet {len(self.failed):4}"
        )
        for word in ("open", "differ", "failed"):
            for text in getattr(self, word):
                print(f"    {word}: {text}")


def live(modulepath: Sequence[str] = (str(MODULES),)) -> int:
    """Compare all types, print a summary, return 1 if any differs."""
    if installed() is None:
        print(f"skipped: {HOW_TO_INSTALL}")
        return 0
    [own] = ask([{"id": "lib"}], SCRIPT)
    of_modules, of_puppet = RubyTypes(modulepath), RubyTypes((), [own["lib"]])
    tallies = [
        _run("types of modules", list(of_modules.files), of_modules.find, modulepath),
        _run("types of Puppet", list(of_puppet.files), of_puppet.find, ()),
        _run("table of the compiler", list(OWN), tabled, ()),
    ]
    return 1 if any(tally.differ for tally in tallies) else 0


def tabled(name: str) -> RubyType:
    """A type of the compiler's table, which does not part parameters and properties."""
    return OWN[name]


def _run(
    group: str,
    names: Sequence[str],
    find: Callable[[str], RubyType | None],
    modulepath: Sequence[str],
) -> Tally:
    tally = Tally()
    for answer in answers(names, modulepath):
        if find is tabled and "error" not in answer:
            both = sorted({*answer["parameters"], *answer["properties"]})
            # Of refreshing the compiler needs to know nothing.
            answer |= {"parameters": both, "properties": [], "refreshable": False}
        tally.add(find(str(answer["id"])), answer)
    tally.show(group)
    return tally


if __name__ == "__main__":
    sys.exit(live(sys.argv[1:] or (str(MODULES),)))
