"""Catalogs that we compile against those of real Puppet, for the same question."""

from __future__ import annotations

import re
import sys
import traceback
from dataclasses import dataclass, replace
from typing import Any

from analyzer.frontends.puppet.bridge.helper import Helper
from analyzer.frontends.puppet.compile import DEEPEST, linked
from analyzer.frontends.puppet.compiler.compiler import Compiler
from analyzer.frontends.puppet.compiler.declared.compilation import Inputs
from analyzer.frontends.puppet.compiler.definitions.table import DefinitionTable
from analyzer.frontends.puppet.compiler.results.catalog import to_document
from analyzer.frontends.puppet.evaluate.errors import EvaluationError
from analyzer.frontends.puppet.syntax.diagnostic import ParseError
from analyzer.model.releases import Release
from analyzer.model.values import Unknown

from .harness import Answer, Question

NODE = "node.example.com"
# The Puppet that the oracle asks.
VERSION = "7.23.0"
SERVER = {"serverversion": VERSION, "servername": "puppet.example.com"}


def compiler_of(question: Question, helper: Helper | None = None) -> Compiler:
    """Return the compiler for a question; `helper` runs what is written in Ruby.

    Raises:
        ParseError: its program is none.
    """
    strict = question.get("settings", {}).get("strict", "warning")
    known = DefinitionTable(question.get("modulepath", ()), strict)
    known.add_program(question["code"], question.get("file", ""))
    classes = question.get("classes", {})
    inputs = Inputs(
        question.get("node", NODE),
        question.get("facts", {}),
        strict_variables=question.get("settings", {}).get("strict_variables", strict == "error"),
        classes=classes if isinstance(classes, dict) else dict.fromkeys(classes),
        node_parameters=question.get("parameters") or {},
        trusted=question.get("trusted") or {},
        server_facts=question.get("server_facts", SERVER),
        # The settings of Puppet 8 are asked for by name.
        puppet_version=Release.parse("8" if strict == "error" else VERSION),
    )
    return Compiler(known, inputs, ruby=linked(helper))


def compile_question(question: Question) -> dict[str, Any]:
    """Return the document of our catalog; raises what the compile raises."""
    return to_document(compiler_of(question).compile())


@dataclass(frozen=True, slots=True)
class Ours:
    """What we make of a program: the document of a catalog, or why there is none.

    `undecided` tells what Unknown values should have decided.
    """

    document: dict[str, Any] | None
    refusal: str = ""
    undecided: tuple[str, ...] = ()
    failed: bool = False


def compiled(question: Question, helper: Helper | None = None) -> Ours:
    """Compile; if it is our code that fails, this is told as well."""
    compiler: Compiler | None = None
    deepest = sys.getrecursionlimit()
    sys.setrecursionlimit(DEEPEST)
    try:
        compiler = compiler_of(question, helper)
        document = to_document(compiler.compile())
        gaps = compiler.compilation.gaps
        own = [gap.reason for gap in gaps if gap.kind == "internal error"]
        if own:
            return Ours(None, own[0], failed=True)
        return Ours(document, undecided=_undecided(compiler))
    except (EvaluationError, ParseError) as error:
        return Ours(None, our_words(error), _undecided(compiler))
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        said = f"{type(error).__name__} in {last.name}: {error}"
        return Ours(None, said, failed=True)
    finally:
        sys.setrecursionlimit(deepest)


def _undecided(compiler: Compiler | None) -> tuple[str, ...]:
    found = compiler.compilation.undecided_by if compiler is not None else ()
    return tuple(dict.fromkeys(f"{what}: {unknown.reason}" for unknown, what, *_ in found))


@dataclass(frozen=True, slots=True)
class Verdict:
    """`equal`, `refused alike`, or in which way we differ; and what each of us has there."""

    kind: str
    ours: str = ""
    theirs: str = ""
    undecided: tuple[str, ...] = ()

    @property
    def alike(self) -> bool:
        """Tell whether there is no difference."""
        return self.kind in ("equal", "refused alike")

    @property
    def cause(self) -> str:
        """What others may differ for, too: an Unknown, or the kind and words without names."""
        if self.undecided:
            return f"an Unknown should decide a {self.undecided[0]}"
        if self.kind not in ("refused", "refused in other words", "accepted"):
            return self.kind
        said = (_NAMES.sub("...", " ".join(text.split())) for text in (self.ours, self.theirs))
        return ": ".join([self.kind, *(text[:70] for text in said if text)])


_NAMES = re.compile(r"'[^']*'|\"[^\"]*\"|[\w:]+\[[^]]*\]|\$\w+|(?<=::)\w+|\d+")


def verdict(ours: Ours, answer: Answer) -> Verdict:
    """Compare what we make of a program with Puppet's answer."""
    theirs = answer.get("catalog")
    said = words(answer.get("error") or "")
    if ours.failed:
        return Verdict("our code fails", ours.refusal, "a catalog" if theirs else said)
    if ours.document is None:
        if theirs:
            return Verdict("refused", ours.refusal, "a catalog", ours.undecided)
        alike = said in (ours.refusal, A_FAILURE)
        kind = "refused alike" if alike else "refused in other words"
        return Verdict(kind, ours.refusal, said, ours.undecided)
    if not theirs:
        return Verdict("accepted", "a catalog", said, ours.undecided)
    return replace(difference(ours.document, theirs), undecided=ours.undecided)


# ---------------------------------------------------------------------------- refusals

# What Puppet puts around a message: what was going on, the place, the node, addresses of objects.
_AROUND = re.compile(
    r"\A(?:[A-Z]\w*(?:::\w+)*: |Could not parse for environment \w+: |Evaluation Error: "
    r"|Error while evaluating an? [^,]+?, |Puppet::Parser::Compiler failed with error \w+: )"
    r"| on node \S+\Z| by #<Puppet::Resource::Type:0x[0-9a-f]+>"
    r"|(?: \((?:file: [^)]*?, )?line: \d+(?:, column: \d+)?\))+\Z"
)
# Puppet's own code fails, in the words of Ruby.
_FAILURE = re.compile(
    r"undefined method |uninitialized constant |no implicit conversion "
    r"|wrong number of arguments \(given"
)
A_FAILURE = "a failure of Puppet itself"


def words(message: str) -> str:
    """What Puppet says of a program, without what it says of the moment."""
    before = ""
    while before != message:
        before, message = message, _AROUND.sub("", message)
    return A_FAILURE if _FAILURE.match(message) else message


def our_words(error: EvaluationError | ParseError) -> str:
    """What we say of a program."""
    return error.diagnostic.message if isinstance(error, ParseError) else words(error.message)


# ---------------------------------------------------------------------------- catalogs


def difference(ours: dict[str, Any], theirs: dict[str, Any]) -> Verdict:
    """Return the first thing in which two catalogs differ."""
    for mine, other in zip(ours["resources"], theirs["resources"], strict=False):
        for key in ("type", "title", "kind", "file", "line", "exported"):
            if (mine.get(key) or None) != (other.get(key) or None):
                return Verdict(f"resource: {key}", _place(mine), _place(other))
        if set(mine["tags"]) != set(other["tags"]):
            more, missing = _apart(mine["tags"], other["tags"])
            return Verdict("tags", f"{_place(mine)} {more}", missing)
        apart = _parameters(mine, other)
        if apart is not None:
            return apart
    if len(ours["resources"]) != len(theirs["resources"]):
        number = min(len(ours["resources"]), len(theirs["resources"]))
        more, missing = (
            ", ".join(map(_place, c["resources"][number:][:1])) for c in (ours, theirs)
        )
        return Verdict("number of resources", more, missing)
    edges = [[f"{e['source']} > {e['target']}" for e in c["edges"]] for c in (ours, theirs)]
    if edges[0] != edges[1]:
        return Verdict("containment", *_apart(*edges))
    if ours["classes"] != theirs["classes"]:
        return Verdict("classes", str(ours["classes"]), str(theirs["classes"]))
    return Verdict("equal")


def _place(row: dict[str, Any]) -> str:
    place = f"{row.get('file') or ''}:{row.get('line')}"
    exported = " exported" if row["exported"] else ""
    return f"{row['type']}[{row['title']}] {row['kind']} {place}{exported}"


def _apart(mine: list[str], other: list[str]) -> tuple[str, str]:
    one = [item for item in mine if item not in other]
    two = [item for item in other if item not in mine]
    return (str(one), str(two)) if one or two else (str(mine), str(other))


def _parameters(mine: dict[str, Any], other: dict[str, Any]) -> Verdict | None:
    """Return the first parameter that differs; one that is Unknown may be undef, and so be none."""
    first, second = mine.get("parameters", {}), other.get("parameters", {})
    for name in dict.fromkeys([*first, *second]):
        if not same(first.get(name, _NO), second.get(name, _NO)):
            ref = f"{mine['type']}[{mine['title']}]"
            one, two = (
                f"{ref} {name} => {side.get(name, 'nothing')!r}" for side in (first, second)
            )
            return Verdict(f"parameter: {mine['type']}{{{name}}}", one, two)
    orders = [name for name in first if name in second], [name for name in second if name in first]
    if orders[0] != orders[1]:
        return Verdict(f"order of parameters: {mine['type']}", str(orders[0]), str(orders[1]))
    return None


_NO = object()


def same(mine: Any, other: Any) -> bool:
    """Tell whether two values are the same; what is Unknown may be anything."""
    if isinstance(mine, Unknown):
        return True
    if isinstance(mine, list) and isinstance(other, list):
        return len(mine) == len(other) and all(map(same, mine, other))
    if isinstance(mine, dict) and isinstance(other, dict):
        return mine.keys() == other.keys() and all(same(mine[key], other[key]) for key in mine)
    return type(mine) is type(other) and bool(mine == other)
