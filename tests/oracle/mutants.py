"""Small faults put into our code, one at a time: a case that notices one guards against it."""

from __future__ import annotations

import ast
import copy
import importlib
import inspect
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from types import CodeType, FunctionType, ModuleType

SWAPPED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}


@dataclass(frozen=True, slots=True)
class Mutant:
    """A fault: the module, the function in it, and the number of the node that is changed."""

    module: str
    function: str
    node: int
    line: int

    def __str__(self) -> str:
        return f"{self.module}.{self.function}:{self.line}#{self.node}"


def mutants_of(modules: Sequence[str], number: int) -> list[Mutant]:
    """Return a sample of the faults that can be put into modules, the same each time."""
    found = [mutant for name in modules for mutant in all_mutants(name)]
    chosen = Random(0).sample(range(len(found)), min(number, len(found)))
    return [found[index] for index in sorted(chosen)]


def all_mutants(name: str) -> Iterator[Mutant]:
    """Yield the faults that can be put into the functions of a module."""
    module = importlib.import_module(name)
    for qualified in functions_of(ast.parse(inspect.getsource(module)), ""):
        if function_at(module, qualified) is None:
            continue
        tree = ast.parse(inspect.getsource(module))
        nodes = list(ast.walk(definition_in(tree, qualified)))
        for number, node in enumerate(nodes):
            if mutated(copy.deepcopy(node)) is not None:
                yield Mutant(name, qualified, number, getattr(node, "lineno", 0))


def functions_of(tree: ast.AST, prefix: str) -> Iterator[str]:
    """Yield the names of functions and methods."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef):
            yield f"{prefix}{node.name}"
        elif isinstance(node, ast.ClassDef):
            yield from functions_of(node, f"{prefix}{node.name}.")


def definition_in(tree: ast.AST, qualified: str) -> ast.AST:
    """Return the definition of a function by its qualified name."""
    for part in qualified.split("."):
        tree = next(n for n in ast.iter_child_nodes(tree) if getattr(n, "name", None) == part)
    return tree


def function_at(module: ModuleType, qualified: str) -> FunctionType | None:
    """Return the function of a qualified name, None if it is something else at run time."""
    found: object = module
    for part in qualified.split("."):
        found = inspect.getattr_static(found, part, None)
    if isinstance(found, property):
        found = found.fget
    found = inspect.unwrap(found) if callable(found) else found
    return found if isinstance(found, FunctionType) else None


def mutated(node: ast.AST) -> ast.AST | None:
    """Change a node in place and return it, None where there is no change for its kind."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in SWAPPED:
        node.ops[0] = SWAPPED[type(node.ops[0])]()
    elif isinstance(node, ast.BoolOp):
        node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    elif isinstance(node, ast.If):
        node.test = ast.UnaryOp(ast.Not(), node.test)
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        node.value += 1
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        node.value = ast.Constant(None)
    elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("sorted", "reversed"):
        node.func = ast.Name("list", ast.Load())
        node.keywords = []
    else:
        return None
    return node


@contextmanager
def applied(mutant: Mutant) -> Iterator[None]:
    """Put a fault into our code as long as the context lasts."""
    module = importlib.import_module(mutant.module)
    function = function_at(module, mutant.function)
    assert function is not None
    tree = ast.parse(inspect.getsource(module))
    node = list(ast.walk(definition_in(tree, mutant.function)))[mutant.node]
    mutated(node)
    code = compile(ast.fix_missing_locations(tree), str(module.__file__), "exec")
    kept = function.__code__
    function.__code__ = next(
        one
        for one in codes_in(code)
        if one.co_qualname == kept.co_qualname and one.co_freevars == kept.co_freevars
    )
    try:
        yield
    finally:
        function.__code__ = kept


def codes_in(code: CodeType) -> Iterator[CodeType]:
    """Yield a code object and those inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from codes_in(constant)
