"""Every function, by every signature: an Unknown in each argument, at every depth."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from analyzer.frontends.puppet.compiler.calls.dispatch import CATALOG_FUNCTIONS
from analyzer.frontends.puppet.compiler.calls.library import signature
from analyzer.frontends.puppet.compiler.calls.signatures import SIGNATURES
from analyzer.frontends.puppet.compiler.compiler import Compiler
from analyzer.frontends.puppet.compiler.declared.compilation import Compilation, CompileInputs
from analyzer.frontends.puppet.compiler.definitions.origins import native
from analyzer.frontends.puppet.compiler.definitions.table import DefinitionTable
from analyzer.frontends.puppet.evaluate.calls import Lambda, block_of
from analyzer.frontends.puppet.evaluate.errors import PROBLEMS, BodyJump, Unit
from analyzer.frontends.puppet.functions.families import FAMILIES
from analyzer.frontends.puppet.functions.stdlib.families import FAMILIES as STDLIB
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.syntax.parsing.parser import parse
from analyzer.frontends.puppet.types.instance import instance
from analyzer.frontends.puppet.types.model.base import Type
from analyzer.frontends.puppet.types.model.callables import CallableType
from analyzer.frontends.puppet.types.model.wrappers import Iteration, OptionalType
from analyzer.frontends.puppet.types.signatures import Signature

from .values import LOST, POOL, of_any_kind, value_of, with_unknown

# These end the compile whatever they are given, or leave what is around.
ENDING = {"fail", "break", "next", "return", "private", "assert_private"}

# Bodies of lambdas; `$u` is Unknown.
BODIES = ("$a", "$u", "[$u]", "true", "1")

# Arguments of functions that do not say what they take.
PLAIN = ("a", 3, ["a", "b"], {"a": {"b": "c"}}, "File[/x]", "10.0.0.1")


@pytest.fixture(scope="module")
def compiler(tmp_path_factory: pytest.TempPathFactory) -> Compilation:
    """A compile that is done: there are a class, a define, resources and a template."""
    module = tmp_path_factory.mktemp("modules") / "m"
    for folder in ("manifests", "templates", "functions"):
        (module / folder).mkdir(parents=True)
    (module / "manifests" / "init.pp").write_text("class m($p = 1) { file { '/x': mode => '1' } }")
    (module / "templates" / "t.epp").write_text("<%- | $p = 1 | -%><%= $p %>")
    known = DefinitionTable([str(module.parent)])
    known.add_program("include m", "")
    made = Compiler(known, CompileInputs("n", {"os": {"name": "x"}})).compile()
    made.top.frames[0]["u"] = LOST
    # Errors are raised, not recorded.
    made.trials = 1
    return made


def blocks(compiler: Compilation, kind: Type | None) -> Iterator[Lambda | None]:
    """Yield lambdas that a function takes, None where it needs none."""
    inner = kind.type if isinstance(kind, OptionalType) else kind
    if inner is not kind or kind is None:
        yield None
    if not isinstance(inner, CallableType):
        return
    count = 1 if inner.params is None else inner.params.sizes.low or 0
    names = ", ".join(f"${name}" for name in "abcdef"[:count])
    for body in BODIES if count else BODIES[1:]:
        text = f"f() |{names}| {{ {body} }}"
        node: Any = parse(text).body
        assert isinstance(node, a.CallNamedFunctionExpression)
        yield block_of(node.lambda_, Unit(text, ""))(compiler, compiler.top)


def signatures(name: str) -> Iterator[Signature]:
    """Yield what a function says it takes."""
    if name in CATALOG_FUNCTIONS:
        yield from map(signature, SIGNATURES.get(name, ()))
        return
    for row in native({}, name).rows:
        for text in row.signatures:
            yield signature(text, tuple(row.types.items()))


def calls(name: str) -> Iterator[tuple[list[Any], Type | None]]:
    """Yield arguments that a function may be called with, and the block that it takes."""
    if name == "range":
        # A range of texts may have very many.
        yield from (([1, 3], None), (["1", "3", 2], None), (["a", "c"], None))
        return
    said = list(signatures(name))
    for one in said:
        try:
            first = [value_of(kind) for kind in one.params.types]
        except LookupError:
            continue
        least = one.params.sizes.low or 0
        for count in range(least, len(first) + 1):
            yield first[:count], one.type.block
        for number, kind in enumerate(one.params.types):
            for value in POOL if len(first) < 3 else ():
                if instance(kind, value):
                    yield [*first[:number], value, *first[number + 1 :]], one.type.block
    if not said:
        for count, kinds in enumerate((0, 6, 4, 2)):
            yield from ((list(given), None) for given in product(PLAIN[:kinds], repeat=count))


def outcome(compiler: Compilation, name: str, given: list[Any], block: Lambda | None) -> Any:
    """Return the value of a call, or the error of the program."""
    node: Any = parse("notice(1)").body
    try:
        value = compiler.call(name, given, block, compiler.top, node, Unit("notice(1)", ""))
        # What is lazy fails later.
        return list(value) if isinstance(value, Iteration) else value
    except (*PROBLEMS, BodyJump) as error:
        return error


NAMES = sorted({*FAMILIES, *STDLIB, *CATALOG_FUNCTIONS})


@pytest.mark.parametrize("name", NAMES)
def test_function(name: str, compiler: Compilation) -> None:
    seen: set[str] = set()
    for given, kind in calls(name):
        if repr(given) in seen:
            continue
        seen.add(repr(given))
        for number, block in enumerate(blocks(compiler, kind)):
            known = outcome(compiler, name, given, block)
            for one in lost(given, whole=number == 0):
                found = outcome(compiler, name, one, block)
                if not isinstance(known, Exception) and name not in ENDING:
                    assert not isinstance(found, Exception), f"{name}({one}): {found}"


def lost(given: list[Any], *, whole: bool) -> Iterator[list[Any]]:
    """Yield the arguments with an Unknown in each of them in turn, and in its parts if asked."""
    for number, value in enumerate(given):
        for one in with_unknown(value) if whole else (LOST,):
            yield [*given[:number], one, *given[number + 1 :]]


@pytest.mark.parametrize("name", NAMES)
def test_function_of_anything(name: str, compiler: Compilation) -> None:
    for one in of_any_kind():
        for given in ([one], [one, one], ["a", one], [{"a": "b"}, one]):
            outcome(compiler, name, given, None)
