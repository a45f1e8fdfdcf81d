"""The report of `catgraph verify`: as text, as JSON, and as files for bug reports."""

from __future__ import annotations

import os

from analyzer.cli.shared.output import OutputStyle, emit
from analyzer.escape import joined, shown
from analyzer.model.nouns import counted
from analyzer.session.verify.compare import ALIKE, DIFFERS, EQUAL, INCOMPLETE
from analyzer.session.verify.report import CauseOfDifferences, Verification

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.session.verify.compare import NodeComparison
    from analyzer.session.verify.smallest import Smallest

# The most nodes of a cause and reasons of a node, and characters of a value, that are shown.
MOST_NODES, MOST_REASONS, LONGEST = 3, 5, 300


def text(found: Verification, style: OutputStyle, *, explain: bool) -> str:
    """Return the report as text; with `explain`, all nodes and whole values."""
    lines = [head(found), summary(found)]
    for number, cause in enumerate(found.causes, 1):
        title = f"{number}. {shown(cause.kind)} ({counted(len(cause.nodes), 'node')})"
        lines += ["", style("red", title), *of_cause(cause, explain=explain)]
    lines += refusals(found) if explain else ()
    return joined(lines)


def head(found: Verification) -> str:
    """Return the tool and the facts."""
    facts = f", facts of {', '.join(map(shown, found.facts))}" if any(found.facts) else ""
    return f"against {shown(found.tool)}{facts}"


def summary(found: Verification) -> str:
    """Return the number of nodes by what came of them, with what the others lack."""
    words = {
        EQUAL: "equal",
        ALIKE: "refused alike",
        DIFFERS: "differ" if len(found.of(DIFFERS)) > 1 else "differs",
    }
    parts = [f"{len(found.of(key)):,} {word}" for key, word in words.items() if found.of(key)]
    rest = found.of(INCOMPLETE)
    if rest:
        reasons = list(dict.fromkeys(reason for one in rest.values() for reason in one.lacks))
        more = f"; and {len(reasons) - MOST_REASONS} more" * (len(reasons) > MOST_REASONS)
        lacks = "; ".join(short(reason) for reason in reasons[:MOST_REASONS])
        parts.append(f"{len(rest):,} cannot be compared (lacks {lacks}{more})")
    return f"{counted(len(found.nodes), 'node')}: {', '.join(parts) or 'nothing to compare'}"


def of_cause(cause: CauseOfDifferences, *, explain: bool) -> Iterator[str]:
    """Yield the lines of a cause: the first difference, its nodes, and the smallest case."""
    first = cause.first
    place = f" at {shown(first.place)}" if first.place else ""
    names = cause.nodes if explain else cause.nodes[:MOST_NODES]
    more = f" and {len(cause.nodes) - len(names)} more" * (len(cause.nodes) > len(names))
    yield f"   {shown(', '.join(names))}{more}{place}"
    whole = explain
    yield f"   catgraph:  {short(first.ours, whole=whole)}"
    yield f"   real tool: {short(first.theirs, whole=whole)}"
    if cause.smallest is not None:
        yield from smallest_lines(cause.smallest)
    elif cause.why:
        yield f"   not made smaller: {cause.why}"


def smallest_lines(smallest: Smallest) -> Iterator[str]:
    """Yield the lines of the smallest case."""
    difference = smallest.difference
    yield f"   smallest case ({counted(smallest.case.lines, 'line')}):"
    for name, body in smallest.case.files().items():
        yield f"     {name}:"
        yield from (f"       {shown(line)}" for line in body.splitlines() if line != "---")
    yield f"     catgraph:  {short(difference.ours)}"
    yield f"     real tool: {short(difference.theirs)}"
    yield from (f"     note: {shown(note)}" for note in smallest.notes)


def refusals(found: Verification) -> Iterator[str]:
    """Yield what both say of nodes that both refuse."""
    for name, one in found.of(ALIKE).items():
        yield from ("", f"refused alike: {shown(name)}")
        yield f"   catgraph:  {short(one.ours, whole=True)}"
        yield f"   real tool: {short(one.theirs, whole=True)}"


def short(value: str, *, whole: bool = False) -> str:
    """Return a text in one line, which may end early."""
    line = shown(" ".join(value.split()))
    return line if whole or len(line) <= LONGEST else f"{line[:LONGEST]} ..."


def as_json(found: Verification) -> str:
    """Return the result as JSON for programs."""
    from json import dumps

    document = {
        "tool": found.tool,
        "facts": [name for name in found.facts if name],
        "nodes": {name: node_row(one) for name, one in found.nodes.items()},
        "causes": [cause_row(one) for one in found.causes],
    }
    return dumps(document, indent=1, ensure_ascii=False)


def node_row(one: NodeComparison) -> dict[str, object]:
    """Return a node as data."""
    refusal = {"catgraph": one.ours, "tool": one.theirs}
    kinds = list(one.causes)
    return {"status": one.status, "causes": kinds, "lacks": list(one.lacks), "refusal": refusal}


def cause_row(cause: CauseOfDifferences) -> dict[str, object]:
    """Return a cause as data."""
    first, smallest = cause.first, cause.smallest
    row: dict[str, object] = {
        "kind": cause.kind,
        "nodes": cause.nodes,
        "place": first.place,
        "catgraph": first.ours,
        "tool": first.theirs,
        "smallest": None,
        "not_smaller": cause.why,
    }
    if smallest is not None:
        row["smallest"] = {
            "files": smallest.case.files(),
            "lines": smallest.case.lines,
            "catgraph": smallest.difference.ours,
            "tool": smallest.difference.theirs,
            "notes": list(smallest.notes),
        }
    return row


def case_files(found: Verification, folder: str) -> list[str]:
    """Write the smallest cases, each as a file ready for a bug report; return their names.

    Raises:
        InputError: one cannot be written.
    """
    os.makedirs(folder, exist_ok=True)
    names = []
    for number, cause in enumerate(found.causes, 1):
        if cause.smallest is not None:
            names.append(os.path.join(folder, f"case-{number}.md"))
            emit(bug_report(found.tool, cause.smallest), names[-1])
    return names


def bug_report(tool: str, smallest: Smallest) -> str:
    """Return a smallest case as the text of a bug report."""
    from analyzer.version import VERSION

    difference = smallest.difference
    parts = [f"catgraph {VERSION} and {tool} differ.\n"]
    for name, body in smallest.case.files().items():
        kind = "puppet" if name.endswith(".pp") else "yaml"
        parts.append(f"`{name}`:\n\n```{kind}\n{body.removeprefix('---').strip()}\n```\n")
    parts.append(f"catgraph: `{difference.ours}`\n\n{tool}: `{difference.theirs}`\n")
    parts += [f"Note: {note}.\n" for note in smallest.notes]
    return "\n".join(parts)
