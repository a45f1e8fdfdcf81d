"""The report of `catgraph diff` on two runs."""

from __future__ import annotations

from analyzer.apply.report.compare import MovedResource, ResourceDifference, compare, moved
from analyzer.cli.reports.run_times import headline
from analyzer.cli.shared.output import OutputStyle, emit, style_for
from analyzer.escape import joined, shown
from analyzer.export.runs.recorded_json import comparison_json
from analyzer.model.nouns import counted
from analyzer.session.inputs import load_run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.apply.report.run import ReportedRun
    from analyzer.cli.shared.options import Options

WORSE = ("new failures", "newly skipped")


def compare_runs(paths: Sequence[str], data: Sequence[bytes | None], options: Options) -> int:
    """Print the differences between two runs."""
    first, second = (load_run(path, read) for path, read in zip(paths, data, strict=True))
    found, elsewhere = compare(first, second), moved(first, second)
    if options.format == "json":
        emit(comparison_json(first, second, found, elsewhere), options.output)
    else:
        form = FORMATS[options.format]
        emit(form(first, second, found, elsewhere, style_for(options)), options.output)
    return int(bool(found))


def text(
    first: ReportedRun,
    second: ReportedRun,
    found: list[ResourceDifference],
    elsewhere: list[MovedResource],
    style: OutputStyle,
) -> str:
    """Return the report as text."""
    lines = [f"A: {headline(first)}", f"B: {headline(second)}"]
    if not found:
        lines += ["", "no resource ended differently"]
    for kind, group in grouped(found).items():
        colour = "red" if kind in WORSE else "bold"
        lines += ["", style(colour, f"{kind}: {counted(len(group), 'resource')}")]
        for one in group:
            lines.append(f"  {shown(one.ref)}  {words(one.first)} -> {words(one.second)}")
            lines += [f"    {shown(message)}" for message in one.messages if kind in WORSE]
    if elsewhere:
        count = counted(len(elsewhere), "resource")
        lines += ["", style("bold", f"applied at another position: {count}")]
        lines += [f"  {shown(one.ref)}  {shown(place_of(one))}" for one in elsewhere]
    return joined(lines)


def place_of(one: MovedResource) -> str:
    """Return the predecessor of a resource in the second run, in words."""
    return f"now after {one.after}" if one.after else "now first"


def markdown(
    first: ReportedRun,
    second: ReportedRun,
    found: list[ResourceDifference],
    elsewhere: list[MovedResource],
    style: OutputStyle,
) -> str:
    """Return tables for a review comment."""
    lines = [f"**A** {headline(first)}  ", f"**B** {headline(second)}"]
    if not found:
        lines += ["", "No resource ended differently."]
    for kind, group in grouped(found).items():
        lines += ["", f"### {kind.capitalize()} ({len(group)})", ""]
        lines += ["| resource | A | B | |", "| --- | --- | --- | --- |"]
        for one in group:
            cells = [code(one.ref), words(one.first), words(one.second)]
            cells.append("<br>".join(map(code, one.messages)))
            lines.append(f"| {' | '.join(cells)} |".replace("|  |", "| |"))
    if elsewhere:
        lines += ["", f"### Applied at another position ({len(elsewhere)})", ""]
        lines += ["| resource | B |", "| --- | --- |"]
        for place in elsewhere:
            after = f"after {code(place.after)}" if place.after else "first"
            lines.append(f"| {code(place.ref)} | {after} |")
    return joined(lines)


def grouped(found: list[ResourceDifference]) -> dict[str, list[ResourceDifference]]:
    """Return the differences by their kind."""
    groups: dict[str, list[ResourceDifference]] = {}
    for one in found:
        groups.setdefault(one.kind, []).append(one)
    return groups


def words(outcome: tuple[str, ...]) -> str:
    """Return the status of a resource in words."""
    return " ".join(outcome)


def code(value: str) -> str:
    """Return text as code in a table's cell."""
    plain = shown(value).replace("|", "\\|")
    fence = "``" if "`" in plain else "`"
    return f"{fence} {plain} {fence}" if "`" in plain else f"{fence}{plain}{fence}"


FORMATS = {"text": text, "markdown": markdown}
