"""Cases: a text with facts and data, compiled by the real tool and by us."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from analyzer.compiles.compile import CompileRun
from analyzer.compiles.plan import plan_of
from analyzer.compiles.result import CompileResult
from analyzer.compiles.target import Target
from analyzer.diagnostics import InputError
from analyzer.formats.yaml_writer import dump
from analyzer.frontends.puppet.node.environment import CODE, Settings
from analyzer.model.certnames import EXAMPLE_NODE
from analyzer.model.documents import JsonObject
from analyzer.session.verify.compare import GraphOf, NodeComparison, Sides, compare
from analyzer.session.verify.questions import question_of
from analyzer.session.verify.tool import Tool

if TYPE_CHECKING:
    from analyzer.frontends.puppet.bridge.helper import Helper

HIERA = "hiera.yaml"


@dataclass(frozen=True, slots=True)
class Case:
    """A program and its inputs.

    `levels` are files of Hiera data, the first one wins. `folder` is an environment whose data and
    modules it needs, empty for none; `modulepath` has folders of further modules.
    """

    code: str
    node: str = EXAMPLE_NODE
    facts: JsonObject = field(default_factory=dict)
    levels: tuple[JsonObject, ...] = ()
    folder: str = ""
    modulepath: tuple[str, ...] = ()

    def files(self) -> dict[str, str]:
        """Return the files of the case by name: the manifest, data, and facts if there are any."""
        found = {"site.pp": self.code, **files_of_data(self.levels)}
        if self.facts:
            found["facts.yaml"] = dump(self.facts)
        return found

    @property
    def lines(self) -> int:
        """Return the number of lines of its program, its data and its facts."""
        texts = [text for name, text in self.files().items() if name != HIERA]
        return sum(line not in ("", "---") for text in texts for line in text.splitlines())


def files_of_data(levels: tuple[JsonObject, ...]) -> dict[str, str]:
    """Return the files of an environment with levels of data, by name."""
    if not levels:
        return {}
    names = [f"level{number}.yaml" for number in range(1, len(levels) + 1)]
    config = {"version": 5, "hierarchy": [{"name": "all", "paths": names}]}
    texts = zip(names, levels, strict=True)
    return {HIERA: dump(config), **{f"data/{name}": dump(level) for name, level in texts}}


class Bench:
    """Compiles cases both ways, and compares."""

    def __init__(
        self, tool: Tool, settings: Settings, graph_of: GraphOf, helper: Helper | None = None
    ) -> None:
        self.tool = tool
        self.graph_of = graph_of
        self.helper = helper
        self.settings = replace(
            settings, nodes=(), facts=(), facts_dir=None, nodes_dir=None, enc=None, classes=()
        )

    def compare(self, case: Case) -> NodeComparison | None:
        """Return the comparison of a case, None if its program is none.

        Raises:
            InputError: the real tool cannot be started again.
        """
        with folder_for(case) as folder:
            settings = replace(
                self.settings,
                overlay={CODE: case.code},
                node=case.node,
                fact_values=case.facts,
                modulepath=case.modulepath,
                hiera_config=self.settings.hiera_config if folder == case.folder else None,
            )
            try:
                plan = plan_of(folder or CODE, settings)
            except InputError:
                return None
            # Where nothing is left but definitions, each class would be compiled by itself.
            if plan.by_class:
                return None
            run = CompileRun(plan, typical=False)
            run.helper = self.helper
            target = plan.targets[0]
            return self.compare_target(run, target, run.compile(target, None), case.code)

    def compare_target(
        self, run: CompileRun, target: Target, result: CompileResult, code: str | None = None
    ) -> NodeComparison:
        """Return the comparison of a target, of which we have the result.

        Raises:
            InputError: an input cannot be read.
        """
        facts = run.facts_of(target) or {}
        question = question_of(run.plan, target, facts, self.tool.folder, code)
        answer = self.tool.ask(question)
        return compare(Sides(result, answer, self.graph_of, places=code is None))


@contextmanager
def folder_for(case: Case) -> Iterator[str]:
    """Give the environment of a case: its own, or one with its data; empty if it has neither."""
    if not case.levels:
        yield case.folder
        return
    with TemporaryDirectory(prefix="catgraph-case-") as folder:
        for name, text in files_of_data(case.levels).items():
            place = os.path.join(folder, name)
            os.makedirs(os.path.dirname(place), exist_ok=True)
            with open(place, "w", encoding="utf-8") as file:
                file.write(text)
        yield folder
