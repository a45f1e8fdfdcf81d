"""A run's report as text: its totals, and sections of what failed, took long and was logged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from analyzer.apply.report.run import Turn
from analyzer.apply.report.values import Metric
from tui.present.fit import clean, counted, cut, padded, shorten
from tui.present.pieces import BLANK, Line, Piece, line, ref_pieces
from tui.present.run_facts import GROUPS, RunFacts

# Resources among the slowest, and characters of the longest bar.
SLOWEST, BAR = 15, 12
BLOCKS = " ▏▎▍▌▋▊▉█"

# How groups are headed: glyph, style, words.
HEADS = {
    "failed": ("✗", "failed", "failed"),
    "failed_to_restart": ("✗", "failed", "failed to restart"),
    "skipped": ("⊘", "skipped", "skipped"),
    "changed": ("●", "changed", "changed"),
    "restarted": ("↻", "refreshed", "restarted"),
    "noop": ("◌", "noop", "would change"),
    "unchanged": ("✓", "good", "unchanged"),
    "waiting": ("·", "waiting", "not reached yet"),
}
STATUSES = {"failed": "failed", "changed": "changed", "unchanged": "good"}
LEVELS = {"err": "failed", "alert": "failed", "emerg": "failed", "crit": "failed",
          "warning": "warning", "notice": "", "info": "dim", "debug": "faint"}  # fmt: skip


@dataclass(slots=True)
class ReportPage:
    """The lines of a report, the resource that each is about, and where sections begin."""

    lines: list[Line] = field(default_factory=list)
    refs: list[str | None] = field(default_factory=list)
    sections: list[int] = field(default_factory=list)

    def add(self, text: Line, ref: str | None = None) -> None:
        """Add a line."""
        self.lines.append(text)
        self.refs.append(ref)

    def head(self, *text: Piece) -> None:
        """Begin a section."""
        if self.lines:
            self.add(BLANK)
        self.sections.append(len(self.lines))
        self.add(text)

    def section(self, at: int, step: int) -> int | None:
        """Return where the next section begins, or the one before, None if there is none."""
        if step > 0:
            return next((n for n in self.sections if n > at), None)
        return next((n for n in reversed(self.sections) if n < at), None)


def page(facts: RunFacts) -> ReportPage:
    """Return the sections of a report."""
    found = ReportPage()
    if facts.error:
        found.head(Piece(f"✗ {clean(facts.error)}", "failed"))
    for name in GROUPS:
        add_group(found, name, facts.groups.get(name, ()))
    if not any(facts.groups.values()) and not facts.error:
        found.head(*line(("✓ ", "good"), "nothing failed, nothing changed"))
    add_slowest(found, facts)
    add_chain(found, facts)
    add_log(found, facts)
    return found


def add_group(found: ReportPage, name: str, rows: Sequence[tuple[str, str]]) -> None:
    """Add what became of resources, each with a remark."""
    if not rows:
        return
    glyph, style, words = HEADS[name]
    found.head(Piece(f"{glyph} {counted(len(rows), 'resource')} {words}", style))
    for ref, remark in rows:
        found.add((Piece("  "), *ref_pieces(clean(ref)), Piece(f"  {clean(remark)}", "dim")), ref)


def add_slowest(found: ReportPage, facts: RunFacts) -> None:
    """Add the resources that took longest, with bars, and which are on the critical chain."""
    turns = facts.slowest(SLOWEST)
    if not turns or facts.run is None:
        return
    critical = {link.ref for link in facts.timing.chain} if facts.timing else set()
    found.head(*line(("slowest resources", "title"), (f"  of {seconds(facts.run.seconds)}", "dim")))
    most = turns[0].seconds or 1.0
    for turn in turns:
        found.add(slow_line(turn, most, turn.ref in critical), turn.ref)


def slow_line(turn: Turn, most: float, critical: bool) -> Line:
    """Return a resource with its seconds."""
    took = turn.seconds or 0.0
    mark = Piece("  critical", "warning") if critical else Piece("")
    return (
        Piece(f"{seconds(took):>10} "),
        Piece(bar(took / most), "accent"),
        Piece(" "),
        *ref_pieces(clean(turn.ref)),
        mark,
    )


def bar(share: float) -> str:
    """Return a bar of BAR columns, drawn in eighths."""
    eighths = round(max(0.0, min(1.0, share)) * BAR * 8)
    full, rest = divmod(eighths, 8)
    return ("█" * full + (BLOCKS[rest] if rest else "")).ljust(BAR)


def add_chain(found: ReportPage, facts: RunFacts) -> None:
    """Add the critical chain: what no run could be quicker than."""
    timing = facts.timing
    if timing is None:
        if facts.no_chain:
            found.head(*line(("critical chain", "title")))
            found.add(line((f"  {clean(facts.no_chain)}", "dim")))
        return
    share = timing.bound / timing.run.seconds if timing.run.seconds else 0.0
    told = f"  {seconds(timing.bound)} of {seconds(timing.run.seconds)} ({share:.0%}): "
    told += "a run that does as much at once as it may takes no less"
    found.head(*line(("critical chain", "title"), (told, "dim")))
    for n, link in enumerate(timing.chain):
        stem = "╰" if n == len(timing.chain) - 1 else "│"
        found.add(
            (
                Piece(f"{seconds(link.seconds):>10} "),
                Piece(f"{stem} ", "before"),
                *ref_pieces(clean(link.ref)),
                Piece(f"  done at {seconds(link.done)}", "dim"),
            ),
            link.ref,
        )
    for text in remarks(facts):
        found.add(line((f"  {text}", "dim")))


def remarks(facts: RunFacts) -> Iterator[str]:
    """Yield what run and catalog do not have in common."""
    timing = facts.timing
    if timing is not None and timing.unmatched:
        yield f"{counted(len(timing.unmatched), 'resource')} of the run are not in the catalog"
    if timing is not None and timing.absent:
        yield f"{counted(len(timing.absent), 'resource')} of the catalog are not in the run"


def add_log(found: ReportPage, facts: RunFacts) -> None:
    """Add the log."""
    head = f"  {counted(len(facts.log), 'line')}" if facts.log else "  nothing was logged"
    found.head(*line(("log", "title"), (head, "dim")))
    for level, source, message in facts.log:
        style = LEVELS.get(level, "")
        where = "" if source == "Puppet" else f"{clean(source)}: "
        text = Piece(clean(message), style if style == "failed" else "")
        found.add((Piece(f"  {level:<8}", style), Piece(where, "dim"), text), ref_of(source))


def ref_of(source: str) -> str | None:
    """Return the resource that a line of the log is about, by its path.

    A title may have slashes and brackets, so that the last part that begins like a reference and
    is closed counts.
    """
    end = source.rfind("]")
    if end < 0 or not source.startswith("/"):
        return None
    depth, start = 0, end
    for start in range(end, -1, -1):
        depth += {"]": 1, "[": -1}.get(source[start], 0)
        if depth == 0:
            break
    slash = source.rfind("/", 0, start)
    return source[slash + 1 : end + 1] if depth == 0 else None


def totals(facts: RunFacts, room: int) -> list[Line]:
    """Return the narrow column: the status, the resources by what became of them, the figures."""
    style = STATUSES.get(facts.status, "strong")
    found: list[Line] = [line(" status  ", (facts.status or "unknown", style)), BLANK]
    most = max([1, *facts.counts.values()])
    figure = len(f"{most:,}")
    for name, (glyph, look, words) in HEADS.items():
        count = facts.counts.get(name, 0)
        if count:
            found.append(
                (
                    Piece(f" {glyph} ", look),
                    Piece(f"{count:>{figure},} ", "strong"),
                    Piece(cut(words, room - figure - 5)),
                )
            )
    found.append(line(" ", (f"  {sum(facts.counts.values()):>{figure},} in all", "dim")))
    for metric in facts.metrics:
        found += metric_lines(metric, room)
    return found


def metric_lines(metric: Metric, room: int) -> list[Line]:
    """Return a group of figures; seconds with the most first, zeros left out."""
    is_time = metric.name == "time"
    rows = [(label or name, figure) for name, label, figure in metric.values if figure]
    if is_time:
        rows.sort(key=lambda row: -row[1])
    found = [BLANK, line((f" {clean(metric.label or metric.name)}", "title"))]
    for label, figure in rows:
        shown = seconds(figure) if is_time else f"{figure:,.0f}"
        name = padded(clean(label), max(4, room - 12))
        found.append(line(f"   {name}", (f"{shown:>9}", "")))
    return found if rows else []


def seconds(value: float) -> str:
    """Return seconds as people read them."""
    return f"{value:.3f} s" if value < 1000 else f"{value:,.0f} s"


def title(facts: RunFacts, room: int) -> Line:
    """Return one line about a run."""
    return line(" ", (shorten(facts.title, room), "strong"))
