"""The report of `catgraph why REF [PARAMETER]`: the origins of resources and of values."""

from __future__ import annotations

from os.path import exists

from analyzer.cli.shared.inputs import refuse_others, settings_for
from analyzer.cli.shared.output import emit, emit_json, style_for, usage_error
from analyzer.compiles.explaining import explain_path
from analyzer.escape import joined, shown
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.session.inputs import kind_of
from analyzer.session.settings import config_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from analyzer.cli.shared.options import Options
    from analyzer.cli.shared.output import OutputStyle
    from analyzer.frontends.puppet.compiler.declared.entry import Entry
    from analyzer.frontends.puppet.origins.explanation import Explanation
    from analyzer.frontends.puppet.origins.telling import OriginRow
    from analyzer.model.documents import JsonObject

# A title, and the rows below it.
Section = tuple[str, "list[OriginRow]"]


def print_origins(path: str, ref: str, names: Sequence[str], options: Options) -> int:
    """Print the origin of a resource, and of the value of a parameter if one is named."""
    from analyzer.cli.shared.output import report_error

    if kind_of(path) != "manifests":
        if not exists(path):
            return refuse_others("why", path)
        return usage_error(
            "why",
            f"{path} has no code that explains {ref}: give manifests, or a second reference; "
            f"'catgraph impact {path} {ref}' shows what waits for it",
        )
    settings = settings_for("manifests", options, config_for(path, options.config)) or Settings()
    told: dict[str, list[str]] = {}
    rows: dict[str, JsonObject] = {}
    worst = 0
    for node in explain_path(path, settings):
        if node.error is not None:
            worst = max(worst, report_error(node.error))
        explanation = node.explanation
        entry = None if explanation is None else explanation.find(ref)
        if explanation is None or entry is None:
            continue
        if names and names[0] not in entry.parameters:
            known = ", ".join(sorted(entry.parameters)) or "none"
            return usage_error("why", f"{entry.ref} has no parameter {names[0]}; it has: {known}")
        sections = list(sections_of(explanation, entry, names, whole=bool(options.explain)))
        rows[node.name] = {"ref": entry.ref, "origins": [row_of(*one) for one in sections]}
        text = "\n".join(lines_of(sections, style_for(options)))
        told.setdefault(text, []).append(node.name)
    if not told:
        return worst or usage_error("why", f"no node has {ref}")
    if options.format == "json":
        emit_json(rows, options.output)
    else:
        several = len(rows) > 1
        parts = [with_names(text, names if several else []) for text, names in told.items()]
        emit("\n".join(parts), options.output)
    return worst


def sections_of(
    explanation: Explanation, entry: Entry, names: Sequence[str], *, whole: bool
) -> Iterator[Section]:
    """Yield the origins of a resource, or those of one of its parameters."""
    for name in names:
        yield f"{entry.ref} {name}", explanation.value(entry, name, whole=whole)
    if names:
        return
    chains = list(explanation.chains(entry, whole=whole))
    for number, rows in enumerate(chains):
        first = f"{entry.ref}, first (this one counted)" if len(chains) > 1 else entry.ref
        yield f"{entry.ref}, also" if number else first, rows
    if entry.type != "Class" or whole:
        for name in entry.parameters:
            rows = explanation.value(entry, name, whole=whole)
            yield name, rows if whole else rows[:1]


def lines_of(sections: Sequence[Section], style: OutputStyle) -> Iterator[str]:
    """Yield the lines of sections: each row below the one that it is a cause of."""
    width = max((len(indented(row)) for _, rows in sections for row in rows), default=0)
    for title, rows in sections:
        yield style("bold", shown(title))
        for row in rows:
            place = f"  {shown(str(row.span))}" if row.span is not None else ""
            yield f"{indented(row):<{width if place else 0}}{place}"


def indented(row: OriginRow) -> str:
    """Return the text of a row, indented by its depth."""
    return f"{'  ' * (row.depth + 1)}{shown(row.text)}"


def with_names(text: str, names: Sequence[str]) -> str:
    """Return a text with the names of its nodes."""
    return joined([*text.split("\n"), *([f"  in {', '.join(names)}"] if names else [])])


def row_of(title: str, rows: Sequence[OriginRow]) -> JsonObject:
    """Return a section for JSON."""
    return {
        "subject": title,
        "rows": [
            {
                "depth": row.depth,
                "kind": row.kind,
                "text": row.text,
                "file": row.span.file if row.span else None,
                "line": row.span.line if row.span else None,
            }
            for row in rows
        ],
    }
