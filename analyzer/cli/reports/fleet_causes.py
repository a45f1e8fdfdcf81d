"""The changed lines behind the differences of a fleet, from one node for each difference."""

from __future__ import annotations

import os
from dataclasses import replace
from hashlib import sha256

from analyzer.cli.reports.diff_causes import has_secret, place_of
from analyzer.cli.shared.fleet import compile_settings
from analyzer.fleet.fold import kind_of, unfold
from analyzer.reach import checkout
from analyzer.session.attribution.alterations import (
    ADDED,
    ORDER,
    OTHER,
    PARAMETER,
    POSITION,
    RELATIONSHIP,
    REMOVED,
    Alteration,
)
from analyzer.session.attribution.attribute import Cause as Behind
from analyzer.session.attribution.attribute import Changed, causes_of, explanations
from analyzer.session.attribution.trees import Tree
from analyzer.session.attribution.trials import Maker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from analyzer.cli.shared.options import Options
    from analyzer.fleet.causes import ClusteredCause
    from analyzer.fleet.questions.graphs import Graphs
    from analyzer.fleet.report import FleetReport
    from analyzer.fleet.sources.repo import Repo
    from analyzer.fleet.values import CauseStatement
    from analyzer.frontends.puppet.node.environment import Settings
    from analyzer.frontends.puppet.origins.explanation import Explanation
    from analyzer.graph.relationship_graph import RelationshipGraph
    from analyzer.model.catalog import Catalog

# Changed lines, each with its place.
Lines = tuple[tuple[str, str], ...]
# Nodes that are compiled again.
MOST = 20


def with_lines(
    report: FleetReport, old: Repo, new: Repo, options: Options, graphs: Graphs
) -> FleetReport:
    """Return the report with the changed lines behind its differences."""
    names = tuple(dict.fromkeys(cause.example for cause in report.causes))[:MOST]
    if not names or options.no_causes:
        return report
    trees = trees_of(old, new)

    def settings(path: str) -> Settings:
        return replace(compile_settings(path, options), node=None, nodes=names)

    def graph(_: str, catalog: Catalog) -> RelationshipGraph:
        return graphs.of(catalog)

    maker = Maker(settings, graph)
    first, second = (maker.graphs(tree.path, names) for tree in trees)
    both = [name for name in names if name in first and name in second]
    changed = [
        Changed(name, first[name], second[name], first[name].diff(second[name])) for name in both
    ]
    behind = causes_of(changed, *trees, maker)
    groups: dict[tuple[object, ...], ClusteredCause] = {}
    for cause in report.causes:
        for lines, statements in by_lines(cause, behind, trees).items():
            # What one line changes on the same nodes is one entry, if it is no new cycle.
            key = (cause.code, lines, tuple(cause.nodes), "" if lines else cause.identity)
            known = groups.get(key)
            if known is not None and cause.code == "diff":
                groups[key] = replace(known, statements=(*known.statements, *statements))
                continue
            is_whole = len(statements) == len(cause.statements)
            identity = cause.identity if is_whole else identity_of(cause, lines)
            made = replace(cause, identity=identity, statements=statements, lines=lines)
            groups[key if known is None else (*key, cause.identity)] = made
    return replace(report, causes=tuple(side_by_side(groups.values())))


def side_by_side(causes: Iterable[ClusteredCause]) -> Iterator[ClusteredCause]:
    """Yield causes with those of the same changed lines after each other."""
    found: dict[Lines | str, list[ClusteredCause]] = {}
    for one in causes:
        found.setdefault(one.lines or one.identity, []).append(one)
    for several in found.values():
        yield from several


def identity_of(cause: ClusteredCause, lines: Lines) -> str:
    """Return the identity of the part of a cause that some lines are behind."""
    text = repr((cause.identity, [place for place, _ in lines]))
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[: len(cause.identity)]


def with_places(report: FleetReport, repo: Repo, options: Options) -> FleetReport:
    """Return the report with the places in the code where the new values come from.

    The other side is catalogs: which lines have changed is not known.
    """
    names = tuple(dict.fromkeys(cause.example for cause in report.causes))[:MOST]
    if not names or options.no_causes:
        return report
    tree = tree_of(repo, os.path.realpath(repo.path))
    settings = replace(compile_settings(repo.path, options), node=None, nodes=names)
    explained = explanations(tree, set(names), Maker(lambda _: settings, lambda *_: unused()))
    causes = (
        replace(one, places=tuple(places_of(one, explained.get(one.example), tree)))
        for one in report.causes
    )
    return replace(report, causes=tuple(causes))


def unused() -> RelationshipGraph:
    """Return no graph: none is asked for."""
    raise NotImplementedError


def places_of(
    cause: ClusteredCause, explanation: Explanation | None, tree: Tree
) -> Iterator[tuple[str, str]]:
    """Yield the places of new values and resources, each with what stands there in words."""
    found: dict[tuple[str, str], None] = {}
    for statement in cause.statements if explanation is not None else ():
        entry = None
        if statement.names and explanation is not None:
            entry = explanation.find(unfold(statement.names[0], cause.example))
        if entry is None or explanation is None or " is removed" in statement.phrase:
            continue
        name = next((one for one in entry.parameters if f" {one} " in f"{statement.phrase} "), "")
        rows = explanation.value(entry, name) if name else explanation.why(entry)
        row = next((one for one in rows if one.kind in ("data", "file", "literal")), None)
        row = row or next((one for one in rows if one.span is not None), None)
        if row is not None and row.span is not None:
            file = tree.name_of(os.path.realpath(row.span.file)) or row.span.file
            found[str(replace(row.span, file=file)), row.text] = None
    yield from found


def trees_of(old: Repo, new: Repo) -> tuple[Tree, Tree]:
    """Return the files of two control repos, which may be folders of one checkout."""
    roots = [checkout(repo.path) for repo in (old, new)]
    if roots[0] == roots[1]:
        roots = [os.path.realpath(repo.path) for repo in (old, new)]
    return tree_of(old, roots[0]), tree_of(new, roots[1])


def tree_of(repo: Repo, root: str) -> Tree:
    """Return the files of a control repo below a folder."""
    return Tree(repo.path, root, os.getcwd(), root)


def by_lines(
    cause: ClusteredCause, behind: Sequence[Behind], trees: tuple[Tree, Tree]
) -> dict[Lines, tuple[CauseStatement, ...]]:
    """Return the statements of a difference by the changed lines behind them."""
    found: dict[Lines, tuple[CauseStatement, ...]] = {}
    for statement in cause.statements:
        lines = tuple(lines_of(statement, cause.example, behind, trees))
        found[lines] = (*found.get(lines, ()), statement)
    if cause.code != "diff" and len(found) > 1:
        # A cycle is one thing, whatever the lines behind its statements are.
        lines = tuple(dict.fromkeys(line for several in found for line in several))
        return {lines: cause.statements}
    return found


def lines_of(
    statement: CauseStatement, example: str, behind: Sequence[Behind], trees: tuple[Tree, Tree]
) -> Iterator[tuple[str, str]]:
    """Yield the changed lines behind a statement about a node, with their places."""
    best, found = 1, list[Behind]()
    for one in behind:
        most = max(
            (fit(row, statement, example) for row in one.effects.get(example, ())), default=0
        )
        if most > best:
            best, found = most, []
        if most == best:
            found.append(one)
    for one in found:
        for piece in one.pieces:
            yield place_of(piece, trees, hidden=has_secret(one))


# Words of a statement, with the kinds of differences that it may be about.
KINDS = (
    (" is added", {ADDED}),
    (" is removed", {REMOVED}),
    ("relationship ", {RELATIONSHIP}),
    ("order ", {ORDER}),
    ("event: ", {RELATIONSHIP}),
    (" enters ", {OTHER}),
    (" leaves ", {OTHER}),
    (" exported", {OTHER}),
    (" moves after ", {POSITION}),
)  # fmt: skip


def fit(row: Alteration, statement: CauseStatement, node: str) -> int:
    """Return how well a difference of a node fits to a statement; 0 if it is about another one."""
    names = [unfold(name, node) for name in statement.names]
    count = sum(ref in names for ref in row.refs)
    if not count and kind_of(row.refs[0]) not in names:
        return 0
    kinds = next((kinds for words, kinds in KINDS if words in statement.phrase), {PARAMETER})
    if statement.phrase.startswith("event: "):
        # A new notification makes an event, else any change of what notifies.
        if row.kind == PARAMETER:
            return 2 if row.refs[0] == names[0] else 0
        if row.kind == RELATIONSHIP and not row.gained:
            return 0
    if row.kind == PARAMETER and f" {row.name} " not in f"{statement.phrase} ":
        return 0
    return 1 + count + (4 if row.kind in kinds else 0)
