"""Catalogs that we compile against those of real Puppet, for the same question."""

from __future__ import annotations

import sys
import traceback
from dataclasses import dataclass, replace
from typing import Any

from analyzer.frontends.puppet.bridge.helper import Helper
from analyzer.frontends.puppet.compile import DEEPEST, linked
from analyzer.frontends.puppet.compiler.compiler import Compiler
from analyzer.frontends.puppet.compiler.declared.compilation import CompileInputs
from analyzer.frontends.puppet.compiler.definitions.table import DefinitionTable
from analyzer.frontends.puppet.evaluate.errors import EvaluationError
from analyzer.frontends.puppet.syntax.diagnostic import ParseError
from analyzer.model.releases import Release
from analyzer.session.verify.documents import differences
from analyzer.session.verify.refusals import is_alike, nameless, words
from tests.frontends.puppet.documents import to_document

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
    inputs = CompileInputs(
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
        return ": ".join([self.kind, *map(nameless, filter(None, (self.ours, self.theirs)))])


def verdict(ours: Ours, answer: Answer) -> Verdict:
    """Compare what we make of a program with Puppet's answer."""
    theirs = answer.get("catalog")
    said = words(answer.get("error") or "")
    if ours.failed:
        return Verdict("our code fails", ours.refusal, "a catalog" if theirs else said)
    if ours.document is None:
        if theirs:
            return Verdict("refused", ours.refusal, "a catalog", ours.undecided)
        kind = "refused alike" if is_alike(ours.refusal, said) else "refused in other words"
        return Verdict(kind, ours.refusal, said, ours.undecided)
    if not theirs:
        return Verdict("accepted", "a catalog", said, ours.undecided)
    return replace(difference(ours.document, theirs), undecided=ours.undecided)


def our_words(error: EvaluationError | ParseError) -> str:
    """What we say of a program."""
    return error.diagnostic.message if isinstance(error, ParseError) else words(error.message)


def difference(ours: dict[str, Any], theirs: dict[str, Any]) -> Verdict:
    """Return the first thing in which two catalogs differ."""
    found = next(differences(ours, theirs), None)
    return Verdict("equal") if found is None else Verdict(found.kind, found.ours, found.theirs)
