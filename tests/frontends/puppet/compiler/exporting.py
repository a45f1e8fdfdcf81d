"""Programs for several nodes that export resources to each other, and what is made of them.

`exports.txt` has programs in blocks that begin with `=== NAME`; each node of a program is compiled
in turn, and then each once more. `exports_recorded.txt` has for each program what Puppet and the
termini of PuppetDB made of it: after `--- NODE` the catalog, or `! MESSAGE`; what the second
compile of a node changes stands behind `--- NODE again`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from analyzer.frontends.puppet.compiler.compiler import Compiler
from analyzer.frontends.puppet.compiler.declared.compilation import CompileInputs
from analyzer.frontends.puppet.compiler.definitions.table import DefinitionTable
from analyzer.frontends.puppet.compiler.exported import exports_of
from analyzer.frontends.puppet.evaluate.errors import EvaluationError
from analyzer.frontends.puppet.node.exports import Exports
from analyzer.frontends.puppet.syntax.diagnostic import ParseError
from tests.frontends.puppet.documents import to_document
from tests.oracle.compiled import difference
from tests.oracle.facts import debian_11
from tests.oracle.harness import Answer, Question, ask, has_library

from .cases import HERE, blocks, shown
from .generate_exports import Maker

PROGRAMS, RECORDED, SCRIPT = (
    HERE / name for name in ("exports.txt", "exports_recorded.txt", "puppet_exports.rb")
)

# What `puppet_exports.rb` needs apart from Puppet.
TERMINI = "puppet/util/puppetdb/http"
HOW_TO_INSTALL = (
    "no termini of PuppetDB on this machine; on Debian: apt-get install puppet-terminus-puppetdb"
)

# Programs that differ which a live run prints.
SHOWN = 3

# A compile of a node: its catalog, or why there is none.
Compiled = dict[str, Any]

_NODE = re.compile(r"^node '?([\w.-]+)'?", re.MULTILINE)


def question(name: str, code: str) -> Question:
    """What Puppet and we are asked."""
    nodes = _NODE.findall(code)
    return {"id": name, "code": code, "nodes": nodes * 2, "facts": debian_11()}


def compile_in_turn(asked: Question) -> Iterator[Compiled]:
    """Our catalog for each of the nodes, or what we say instead."""
    known = DefinitionTable(())
    exports = Exports()
    for node in asked["nodes"]:
        compiler = Compiler(
            known, CompileInputs(node, asked["facts"], strict_variables=False), exports
        )
        try:
            if not known.programs:
                known.add_program(asked["code"], "")
            compilation = compiler.compile()
            document = to_document(compilation)
            exports.replace(node, exports_of(compilation))
        except ParseError as error:
            yield {"error": error.diagnostic.message}
        except EvaluationError as error:
            yield {"error": error.message.splitlines()[0]}
        else:
            yield {"catalog": document}


def text_of(asked: Question, compiled: Iterable[Compiled]) -> str:
    """What was made of a program, as it is recorded."""
    seen: dict[str, str] = {}
    parts = []
    for node, made in zip(asked["nodes"], compiled, strict=True):
        text = shown(made["catalog"]) if "catalog" in made else f"! {made['error']}\n"
        if text != seen.get(node):
            parts.append(f"--- {node}{' again' if node in seen else ''}\n{text}")
        seen[node] = text
    return "".join(parts)


def unlike(asked: Question, answer: Answer) -> str:
    """In what we first differ from Puppet, empty if in nothing."""
    for ours, theirs in zip(compile_in_turn(asked), answer["compiled"], strict=True):
        if "catalog" in ours and "catalog" in theirs:
            verdict = difference(ours["catalog"], theirs["catalog"])
            # What is collected has its parameters in the order of the store.
            ordered = verdict.kind.startswith("order of parameters")
            found = "" if verdict.alike or ordered else verdict.cause
        elif "catalog" in ours:
            found = "accepted"
        elif "catalog" in theirs:
            found = f"refused: {ours['error']}"
        else:
            found = "" if ours["error"] in theirs["error"] else "refused in other words"
        if found:
            return found
    return ""


def record() -> None:
    """Write `exports_recorded.txt` anew, if the termini of PuppetDB are installed."""
    if not has_library(TERMINI):
        print(f"exporting nodes: skipped: {HOW_TO_INSTALL}")
        return
    asked = [question(name, code) for name, code in blocks(PROGRAMS).items()]
    answers = ask(asked, SCRIPT)
    texts = [
        f"=== {one['id']}\n{text_of(one, answer['compiled'])}"
        for one, answer in zip(asked, answers, strict=True)
    ]
    RECORDED.write_bytes("".join(texts).encode())
    print(f"{len(texts)} programs of several nodes recorded")


def live(count: int, seed: int) -> int:
    """Compare random programs with Puppet, print a summary, return 1 if any differs; 0 if the
    termini of PuppetDB are not installed.
    """
    if not has_library(TERMINI):
        print(f"exporting nodes: skipped: {HOW_TO_INSTALL}")
        return 0
    asked = [question(str(n), Maker(n).program()) for n in range(seed, seed + count)]
    compiles: Counter[str] = Counter()
    differ = 0
    for one, answer in zip(asked, ask(asked, SCRIPT), strict=True):
        compiles.update("catalogs" if "catalog" in c else "refused" for c in answer["compiled"])
        found = unlike(one, answer)
        if found:
            differ += 1
        if found and differ <= SHOWN:
            print(f"\nnodes {one['id']}: {found}\n{one['code']}")
    said = ", ".join(f"{number} {kind}" for kind, number in sorted(compiles.items()))
    print(f"{'exporting nodes':32} agree {count - differ:6}  differ {differ:5}  ({said})")
    return int(differ > 0)


if __name__ == "__main__":
    record()
