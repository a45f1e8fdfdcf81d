"""The verification of a path: each node compiled by the real tool and by us; causes that differ."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from analyzer.compiles.compile import CompileRun, ruby_for
from analyzer.compiles.plan import CompilePlan, plan_of
from analyzer.compiles.result import CompileResult
from analyzer.compiles.target import Target
from analyzer.diagnostics import CompileError
from analyzer.frontends.puppet.compile import declaration_of
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.frontends.puppet.node.systems import MARK
from analyzer.model.certnames import EXAMPLE_NODE
from analyzer.model.releases import has
from analyzer.progress import followed
from analyzer.session.verify.cases import Bench, Case
from analyzer.session.verify.compare import DIFFERS, INCOMPLETE, GraphOf, NodeComparison
from analyzer.session.verify.documents import VerifyDifference
from analyzer.session.verify.questions import SERVER, TRUSTED
from analyzer.session.verify.smallest import CaseSearch, Smallest, case_of, levels_of
from analyzer.session.verify.tool import Tool

if TYPE_CHECKING:
    from analyzer.frontends.puppet.bridge.helper import Helper

LEGACY = "legacy_facts"
# The facts of nodes for which none are given.
USUAL = (f"{MARK}debian-12",)


@dataclass(frozen=True, slots=True)
class VerifyRequest:
    """A path to verify, with the settings of our compiles; `shrinks`: causes are made small."""

    path: str
    settings: Settings
    graph_of: GraphOf
    shrinks: bool = True


@dataclass(slots=True)
class CauseOfDifferences:
    """A cause of differences: the first of them, its nodes, and the smallest case."""

    kind: str
    first: VerifyDifference
    nodes: list[str]
    smallest: Smallest | None = None
    # Why there is none.
    why: str = ""


@dataclass(slots=True)
class Verification:
    """The result: the tool, the facts, and each node by its label."""

    tool: str
    facts: tuple[str, ...]
    nodes: dict[str, NodeComparison] = field(default_factory=dict)
    causes: list[CauseOfDifferences] = field(default_factory=list)

    def of(self, *statuses: str) -> dict[str, NodeComparison]:
        """Return the nodes with a status."""
        return {name: one for name, one in self.nodes.items() if one.status in statuses}

    @property
    def exit_code(self) -> int:
        """Return 0 for equal, 1 for different, 3 for what cannot be compared."""
        return 1 if self.of(DIFFERS) else 3 if self.of(INCOMPLETE) else 0


def verify(wanted: VerifyRequest, tool: Tool) -> Verification:
    """Return the verification of every node of a site, or every class of modules.

    Raises:
        InputError: an input cannot be read, or the tool cannot be started again.
        CompileError: a manifest cannot be read or parsed.
    """
    settings = settings_for(wanted.settings, tool)
    plan = plan_for(wanted.path, settings)
    facts = () if settings.facts_dir else plan.sets
    found = Verification(tool.title, facts)
    with ruby_for(settings) as helper:
        bench = Bench(tool, settings, wanted.graph_of, helper)
        causes: dict[str, CauseOfDifferences] = {}
        wholes: dict[str, Whole] = {}
        for one in compiles(plan, helper):
            label = plan.label(one.target)
            comparison = bench.compare_target(one.run, one.actual, one.result, one.code)
            found.nodes[label] = comparison
            for kind, difference in comparison.causes.items():
                causes.setdefault(kind, CauseOfDifferences(kind, difference, [])).nodes.append(
                    label
                )
                wholes.setdefault(kind, one.whole())
        found.causes = sorted(causes.values(), key=lambda one: (-len(one.nodes), one.kind))
        if wanted.shrinks:
            for cause in followed(found.causes, settings.progress, "causes", lambda one: one.kind):
                add_smallest(cause, wholes[cause.kind], bench)
    return found


def plan_for(path: str, settings: Settings) -> CompilePlan:
    """Return the plan of a path; a manifest that is no program fails each node, as in Puppet.

    Raises:
        InputError: an input cannot be read.
    """
    try:
        return plan_of(path, settings)
    except CompileError:
        return plan_of(path, replace(settings, strict=False))


def add_smallest(cause: CauseOfDifferences, whole: Whole, bench: Bench) -> None:
    """Add the smallest case of a cause, or why there is none.

    Raises:
        InputError: the tool cannot be started again.
    """
    small = CaseSearch(bench, cause.kind).smallest(whole.case, levels_of(whole.again))
    if isinstance(small, str):
        cause.why = small
    else:
        cause.smallest = small


@dataclass(frozen=True, slots=True)
class Whole:
    """A node as a case, and its compile once more."""

    case: Case
    again: Callable[[], object]


@dataclass(frozen=True, slots=True)
class VerifiedTarget:
    """A target with its result; `code` stands for its manifests, and `actual` is the node of it."""

    run: CompileRun
    target: Target
    actual: Target
    result: CompileResult
    code: str | None

    def whole(self) -> Whole:
        """Return it as a case."""
        case = case_of(self.run, self.actual, self.result, self.code)
        return Whole(case, partial(compile_again, self.run.plan, self.target))


def compile_again(plan: CompilePlan, target: Target) -> None:
    """Compile a target from the start, so that all files are read.

    Raises:
        InputError: an input cannot be read.
        CompileError: a manifest cannot be read.
    """
    fresh = replace(plan, codebases=plan_for(plan.path, plan.settings).codebases)
    compile_one(CompileRun(fresh, typical=False), target)


def settings_for(settings: Settings, tool: Tool) -> Settings:
    """Return the settings under which both compile: the tool's version, and what it is told."""
    given = settings.facts or settings.facts_dir or settings.fact_values is not None
    legacy = settings.legacy_facts or (not given and has(tool.release, LEGACY))
    return replace(
        settings,
        facts=settings.facts or (() if given else USUAL),
        legacy_facts=legacy,
        puppet_version=tool.release,
        version_assumed=False,
        strict=True,
        trusted={**TRUSTED, **settings.trusted},
        server_facts={"serverversion": tool.version, **SERVER, **settings.server_facts},
    )


def compiles(plan: CompilePlan, helper: Helper | None) -> Iterator[VerifiedTarget]:
    """Yield each target with its result.

    Raises:
        InputError: an input cannot be read.
    """
    run = CompileRun(plan, typical=False)
    run.helper = helper
    targets = followed(plan.targets, plan.settings.progress, "nodes", lambda one: one.name)
    yield from (compile_one(run, target) for target in targets)


def compile_one(run: CompileRun, target: Target) -> VerifiedTarget:
    """Compile a target; a class or role by a line of code, so that both see the same program.

    Raises:
        InputError: an input cannot be read.
    """
    if not (target.alone or target.role):
        return VerifiedTarget(run, target, target, run.compile(target, None), None)
    known = run.plan.codebases[target.codebase].definitions
    code = declaration_of(known, target.alone or target.role or "")
    actual = replace(target, node=EXAMPLE_NODE, alone="", role=None)
    with known.evaluating_only(code):
        return VerifiedTarget(run, target, actual, run.compile(actual, None), code)
