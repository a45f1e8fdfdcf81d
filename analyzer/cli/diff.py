"""`catgraph diff A B`: which resources ended differently in two runs."""

from __future__ import annotations

from analyzer.apply.report.compare import Difference, compare
from analyzer.cli.options import COLOR, OUTPUT, format_option, usage_error
from analyzer.cli.output import Style, emit, plural, shown, style_for
from analyzer.cli.times import headline
from analyzer.session import load_run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from analyzer.apply.report.run import Run
    from analyzer.cli.options import Options

USAGE = "A B"
INPUTS = (2, 2)
HELP = """Compare two runs: new failures, what is newly skipped, changes and restarts that are new
or gone. A and B are reports (last_run_report.yaml, JSON, PuppetDB's) or simulated outcomes in
JSON. Exit code 1 when a resource ended differently."""
OPTIONS = (format_option("text", "json", "markdown"), OUTPUT, COLOR)

WORSE = ("new failures", "newly skipped")


def run(options: Options) -> int:
    """Print the differences."""
    if options.inputs == ["-", "-"]:
        return usage_error("diff", "only one of the two can be standard input")
    first, second = map(load_run, options.inputs)
    found = compare(first, second)
    emit(FORMATS[options.format](first, second, found, style_for(options)), options.output)
    return int(bool(found))


def text(first: Run, second: Run, found: list[Difference], style: Style) -> str:
    """Return the report for people."""
    lines = [f"A: {headline(first)}", f"B: {headline(second)}"]
    if not found:
        return "\n".join([*lines, "", "no resource ended differently"])
    for kind, group in grouped(found).items():
        colour = "red" if kind in WORSE else "bold"
        lines += ["", style(colour, f"{kind}: {plural(len(group), 'resource')}")]
        for one in group:
            lines.append(f"  {shown(one.ref)}  {words(one.first)} -> {words(one.second)}")
            lines += [f"    {shown(message)}" for message in one.messages if kind in WORSE]
    return "\n".join(lines)


def markdown(first: Run, second: Run, found: list[Difference], style: Style) -> str:
    """Return tables, for the comment of a review."""
    lines = [f"**A** {headline(first)}  ", f"**B** {headline(second)}"]
    if not found:
        return "\n".join([*lines, "", "No resource ended differently."])
    for kind, group in grouped(found).items():
        lines += ["", f"### {kind.capitalize()} ({len(group)})", ""]
        lines += ["| resource | A | B | |", "| --- | --- | --- | --- |"]
        for one in group:
            cells = [code(one.ref), words(one.first), words(one.second)]
            cells.append("<br>".join(map(code, one.messages)))
            lines.append(f"| {' | '.join(cells)} |".replace("|  |", "| |"))
    return "\n".join(lines)


def as_json(first: Run, second: Run, found: list[Difference], style: Style) -> str:
    """Return data, for other programs."""
    from json import dumps

    from analyzer.cli.times import head

    document: dict[str, Any] = {
        "first": head(first),
        "second": head(second),
        "differences": [
            {
                "ref": one.ref,
                "kind": one.kind,
                "first": list(one.first),
                "second": list(one.second),
                "messages": list(one.messages),
            }
            for one in found
        ],
    }
    return dumps(document, indent=1, ensure_ascii=False)


def grouped(found: list[Difference]) -> dict[str, list[Difference]]:
    """Return the differences by their kind."""
    groups: dict[str, list[Difference]] = {}
    for one in found:
        groups.setdefault(one.kind, []).append(one)
    return groups


def words(outcome: tuple[str, ...]) -> str:
    """Return what became of a resource."""
    return " ".join(outcome)


def code(value: str) -> str:
    """Return text as code in a table's cell."""
    plain = shown(value).replace("|", "\\|")
    fence = "``" if "`" in plain else "`"
    return f"{fence} {plain} {fence}" if "`" in plain else f"{fence}{plain}{fence}"


FORMATS = {"text": text, "json": as_json, "markdown": markdown}
