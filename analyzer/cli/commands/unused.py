"""`catgraph unused`: list the parts of a repository that nothing uses."""

from __future__ import annotations

from analyzer.cli.shared.completeness import ALLOW
from analyzer.cli.shared.inputs import refuse_others, settings_for
from analyzer.cli.shared.options import COLOR, COMPILE, CONFIG, OUTPUT, Option, format_option
from analyzer.cli.shared.output import emit, emit_json, print_error, style_for
from analyzer.escape import joined, shown
from analyzer.model.nouns import counted
from analyzer.session.inputs import kind_of
from analyzer.session.settings import config_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from analyzer.cli.shared.options import Options
    from analyzer.cli.shared.output import OutputStyle
    from analyzer.model.documents import JsonObject
    from analyzer.session.repository.unused.search import Unused

USAGE = "[REPO]"
INPUTS = (0, 1)
HELP = """List the classes, defined types, functions, templates, files and keys of Hiera of a
repository that no node can reach, whatever its facts and data are, each with the reason. A name in
any code or data that is in use counts as a use; names that are computed leave open what they stand
for: --explain lists that, too. Modules of others are read, but not reported. Exit code 1 if
anything is unused, 3 if nothing is, but of some parts that cannot be known, or if a manifest cannot
be read."""
OPTIONS: tuple[Option, ...] = (
    format_option("text", "json"),
    ALLOW,
    OUTPUT,
    CONFIG,
    *COMPILE,
    COLOR,
)

NOTHING = "no code or data of its own was seen; give the folders of its modules with --modulepath"
PLURALS = {"class": "classes"}


def run(options: Options) -> int:
    """Print the parts that nothing uses."""
    from analyzer.cli.shared.exit_codes import CANNOT_COMPILE
    from analyzer.cli.shared.output import report_error
    from analyzer.frontends.puppet.node.environment import Settings
    from analyzer.session.repository.unused.search import find_unused
    from analyzer.session.repository.unused.texts import read_repository

    path = options.inputs[0] if options.inputs else "."
    if kind_of(path) != "manifests":
        return refuse_others("unused", path)
    settings = settings_for("manifests", options, config_for(path, options.config)) or Settings()
    repository = read_repository(path, settings)
    found = sorted(find_unused(repository), key=lambda o: (o.item.span.file, o.item.span.line))
    unused = [one for one in found if not one.open]
    unknown = [one for one in found if one.open]
    if options.format == "json":
        rows = {"unused": list(map(row_of, unused)), "unknown": list(map(row_of, unknown))}
        emit_json({**rows, "note": repository.open_entries or None}, options.output)
    else:
        lines = list(lines_of(unused, unknown, options, style_for(options)))
        if not unused:
            is_whole = repository.items and not (unknown or repository.errors)
            lines.insert(0, "nothing is unused" if is_whole else "nothing is known to be unused")
        emit(joined([*lines, *filter(None, [repository.open_entries])]), options.output)
    worst = max(map(report_error, repository.errors), default=0)
    if not repository.items:
        print_error(f"{path}: {NOTHING}")
        return worst or CANNOT_COMPILE
    if worst or unused:
        return worst or 1
    return CANNOT_COMPILE if unknown and not options.allow_incomplete else 0


def lines_of(
    unused: Sequence[Unused], unknown: Sequence[Unused], options: Options, style: OutputStyle
) -> Iterator[str]:
    """Yield the lines of the text."""
    for one in unused:
        yield line_of(one, style)
    if unused:
        yield counts(unused, "unused")
    if unknown:
        more = "" if options.explain else " (--explain lists them)"
        yield f"{counts(unknown, 'cannot be known')}{more}"
    for one in unknown if options.explain else ():
        yield f"  {line_of(one, style)}"


def line_of(one: Unused, style: OutputStyle) -> str:
    """Return a part with its place and the reason."""
    name = style("bold", shown(f"{one.item.kind} {one.item.name}"))
    return f"{shown(str(one.item.span))}: {name}: {shown(one.reason)}"


def counts(several: Sequence[Unused], words: str) -> str:
    """Return how many parts of each kind there are."""
    kinds: dict[str, int] = {}
    for one in several:
        kinds[one.item.kind] = kinds.get(one.item.kind, 0) + 1
    parts = [counted(count, kind, PLURALS.get(kind, "")) for kind, count in kinds.items()]
    return f"{words}: {', '.join(parts)}"


def row_of(one: Unused) -> JsonObject:
    """Return a part for JSON."""
    span = one.item.span
    return {
        "kind": one.item.kind,
        "name": one.item.name,
        "file": span.file,
        "line": span.line or None,
        "reason": one.reason,
    }
