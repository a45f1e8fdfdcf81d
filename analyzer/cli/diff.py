"""`catgraph diff A B`: how two runs differ."""

from __future__ import annotations

from analyzer.cli.options import COLOR, OUTPUT, Option, format_option, usage_error
from analyzer.cli.output import emit, plural, style_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.apply.compare import RunDifference
    from analyzer.cli.options import Options
    from analyzer.cli.output import Style

USAGE = "A B"
INPUTS = (2, 2)
HELP = """Compare two runs, each as 'catgraph apply --format json' prints it: which resources came
out differently, and which ones moved in the order. Exit code 1 if anything differs."""
OPTIONS = (
    format_option("text", "json"),
    Option("--all", "list every resource; otherwise 20", flag=True),
    OUTPUT,
    COLOR,
)

SHOWN = 20


def run(options: Options) -> int:
    """Print the difference."""
    from analyzer.apply.compare import compare, read_record
    from analyzer.cli.apply import read_json

    records = []
    for path in options.inputs:
        try:
            records.append(read_record(read_json(path)))
        except ValueError as error:
            text = str(error)
            return usage_error("diff", text if text.startswith(path) else f"{path}: {text}")
    found = compare(*records)
    if options.format == "json":
        emit(as_json(found), options.output)
    else:
        emit("\n".join(as_lines(found, options.all, style_for(options))), options.output)
    return int(bool(found))


def as_json(found: RunDifference) -> str:
    """Return the difference as a JSON object; of each pair, the first run's comes first."""
    from analyzer.export.encode import json_text

    rows = [
        {"ref": row.ref, "became": list(row.words), "messages": list(map(list, row.messages))}
        for row in found.changed
    ]
    document = {"status": list(found.status), "resources": rows, "moved": list(found.moved)}
    return json_text(document)


def as_lines(found: RunDifference, everything: bool, style: Style) -> Iterator[str]:
    """Yield the difference for people."""
    from analyzer.export.encode import one_line

    if not found:
        yield "the runs are the same"
        return
    before, after = found.status
    if before != after:
        yield f"status: {before}, then {style('bold', after)}"
    if found.changed:
        count = style("yellow", plural(len(found.changed), "resource"))
        yield f"{count} {'comes' if len(found.changed) == 1 else 'come'} out differently"
    for row in found.changed if everything else found.changed[:SHOWN]:
        yield f"  {row.ref}: {row.words[0]}, then {row.words[1]}"
        if row.words[0] == row.words[1]:
            yield from (f"    - {one_line(text)}" for text in row.messages[0])
            yield from (f"    + {one_line(text)}" for text in row.messages[1])
    yield from more(len(found.changed), everything)
    if found.moved:
        count = style("yellow", plural(len(found.moved), "resource"))
        yield f"{count} moved in the order"
        yield from (f"  {ref}" for ref in (found.moved if everything else found.moved[:SHOWN]))
        yield from more(len(found.moved), everything)


def more(count: int, everything: bool) -> Iterator[str]:
    """Yield how many are not shown."""
    if count > SHOWN and not everything:
        yield f"  ... and {count - SHOWN:,} more (--all lists them)"
