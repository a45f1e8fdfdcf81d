"""Types as lines of text: what Puppet says of them and what was read, in the same form.

`modules` has small types of our own. `recorded.txt` has for each, after `=== NAME`, what Puppet
said. Types of the Resource API need its gem: `RUBYLIB` may name a folder that has it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from analyzer.frontends.puppet.ruby_types import RubyType, RubyTypes
from tests.frontends.puppet.compiler.cases import blocks
from tests.oracle.harness import Answer, ask

HERE = Path(__file__).parent
MODULES, RECORDED, SCRIPT = HERE / "modules", HERE / "recorded.txt", HERE / "declared.rb"


def answers(names: Sequence[str], modulepath: Sequence[str]) -> Iterator[Answer]:
    """What Puppet says of types."""
    questions = [{"id": name, "type": name, "modulepath": list(modulepath)} for name in names]
    return ask(questions, SCRIPT)


def said(answer: Answer) -> str:
    """Puppet's answer in lines."""
    return "".join(f"{line}\n" for line in _lines(answer, answer["titles"]))


def read(type: RubyType) -> str:
    """What was read, in the same lines."""
    row = {
        "parameters": sorted(type.parameters),
        "properties": sorted(type.properties),
        "keys": type.keys,
        "isomorphic": type.isomorphic,
        "refreshable": type.refreshable,
    }
    return "".join(f"{line}\n" for line in _lines(row, type.titles or ()))


def _lines(row: dict[str, Any], titles: Any) -> Iterator[str]:
    for part in ("parameters", "properties", "keys"):
        yield f"{part}: {' '.join(row[part])}"
    for pattern, names in titles if not isinstance(titles, str) else ():
        # Ruby shows a slash with a backslash.
        shown = pattern.replace("\\/", "/")
        yield f"title {shown}: {' '.join(name or '(computed)' for name in names)}"
    yield from (word for word in ("isomorphic", "refreshable") if row[word])


def own_types() -> RubyTypes:
    """The types of `modules`."""
    return RubyTypes([str(MODULES)])


def record() -> None:
    """Write `recorded.txt` anew; what cannot be loaded here stays as it is."""
    known = blocks(RECORDED) if RECORDED.exists() else {}
    names = sorted(own_types().files)
    found = {}
    for answer in answers(names, [str(MODULES)]):
        name = str(answer["id"])
        found[name] = known.get(name, "") if "error" in answer else said(answer)
        if "error" in answer:
            print(f"{name} is left as it is: {answer['error'].splitlines()[0]}")
    RECORDED.write_text("".join(f"=== {name}\n{text}" for name, text in found.items()))
    print(f"{len(found)} types recorded")


if __name__ == "__main__":
    record()
