"""Faults planted into the compiler and the graph, one at a time."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from tests.oracle.mutants import codes_in, function_at


@dataclass(frozen=True, slots=True)
class Planted:
    """A fault: a function, a part of its text, and what stands for it."""

    name: str
    place: str
    before: str
    after: str

    @contextmanager
    def planted(self) -> Iterator[None]:
        """Have the fault as long as the context lasts."""
        module_name, _, qualified = self.place.partition(":")
        module = importlib.import_module(module_name)
        function = function_at(module, qualified)
        assert function is not None
        text = inspect.getsource(module)
        part = inspect.getsource(function)
        assert part.count(self.before) == 1, self
        changed = text.replace(part, part.replace(self.before, self.after))
        kept = function.__code__
        codes = codes_in(compile(changed, str(module.__file__), "exec"))
        function.__code__ = next(
            one for one in codes if one.co_qualname == qualified and one.co_freevars == ()
        )
        try:
            yield
        finally:
            function.__code__ = kept


COMPILER = "analyzer.frontends.puppet.compiler"

PLANTED = (
    Planted(
        "a default is not applied",
        f"{COMPILER}.declared.overrides:add_defaults",
        "if name not in entry.parameters:",
        "if False:",
    ),
    Planted("+> replaces", f"{COMPILER}.finish:merge", "if adds:", "if False:"),
    Planted(
        "an edge of require is lost",
        "analyzer.graph.build:read_metaparameters",
        "if name not in parameters:",
        "if name not in parameters or name == 'require':",
    ),
    Planted(
        "a class is contained in the wrong place",
        f"{COMPILER}.calls.catalog:contain",
        "site.compilation.edges[around, entry] = None",
        "site.compilation.edges[site.compilation.find('Class', 'main'), entry] = None",
    ),
    Planted(
        "notify is lost",
        "analyzer.graph.build:read_metaparameters",
        "declared.append((i, label, ids))",
        "declared.append((i, 2 if label == 3 else label, ids))",
    ),
    Planted(
        "a merge of Hiera of the wrong kind",
        "analyzer.frontends.puppet.hiera.values.merge:Hash.merge",
        "return {**second, **first}",
        "return {**first}",
    ),
    Planted(
        "arrays are not flattened",
        "analyzer.frontends.puppet.functions.core.collections:flatten",
        "return list(flat(found))",
        "return list(found[0]) if isinstance(found[0], list) else list(found)",
    ),
    Planted(
        "a number is written in the wrong format",
        "analyzer.frontends.puppet.evaluate.text:text_of",
        "return float_text(value)",
        "return format(value, '.2f')",
    ),
    Planted(
        "a tag is lost",
        f"{COMPILER}.passes:finishing",
        "entry.tags_from(scope.resource)",
        "pass",
    ),
    Planted(
        "a collector does not override",
        f"{COMPILER}.passes:collect",
        "finish.merge(compilation, entry, change)",
        "pass",
    ),
)
