"""The report of a run as text: totals, failures, slowest resources, critical path, log."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from analyzer.apply.report.chain import ChainLink, Timing
from analyzer.apply.report.run import ResourceTurn
from analyzer.apply.report.values import Metric
from analyzer.model.catalog import run_size
from analyzer.model.nouns import counted
from tui.present.computed import ComputedSequence
from tui.present.fit import clean, cut, padded, shorten
from tui.present.pieces import BLANK, Line, Piece, line, ref_pieces, wrapped
from tui.present.run_facts import GROUPS, RunFacts

# The number of slowest resources, and the characters of the longest bar.
SLOWEST, BAR = 15, 12
BLOCKS = " ▏▎▍▌▋▊▉█"

# The heads of groups: glyph, style, words.
HEADS = {
    "failed": ("✗", "failed", "failed"),
    "failed_to_restart": ("↯", "failed", "failed to restart"),
    "skipped": ("⊘", "skipped", "skipped"),
    "changed": ("●", "changed", "changed"),
    "restarted": ("↻", "refreshed", "restarted"),
    "noop": ("◌", "noop", "would change"),
    "unchanged": ("✓", "good", "unchanged"),
    "waiting": ("·", "waiting", "not applied yet"),
}
STATUSES = {"failed": "failed", "changed": "changed", "unchanged": "good"}
STATUSES |= {"not kept": "failed", "repaired": "changed", "kept": "good"}
LEVELS = {"err": "failed", "alert": "failed", "emerg": "failed", "crit": "failed",
          "warning": "warning", "notice": "", "info": "dim", "debug": "faint"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ReportSection:
    """A section of a report: its head, and the function that makes each of its lines."""

    head: Line
    count: int = 0
    make: Callable[[int], tuple[Line, str | None]] = lambda place: (BLANK, None)


class ReportPage(ComputedSequence[Line]):
    """The lines of a report, made when they are needed; a blank line separates sections."""

    def __init__(self, sections: Sequence[ReportSection] = ()) -> None:
        self.sections = sections
        self.starts = [0]
        for section in sections:
            self.starts.append(self.starts[-1] + section.count + 2)

    def __len__(self) -> int:
        """Return the number of lines."""
        return max(0, self.starts[-1] - 1)

    def item(self, index: int) -> Line:
        """Return a line."""
        if not 0 <= index < len(self):
            raise IndexError(index)
        return self.made(index)[0]

    def made(self, place: int) -> tuple[Line, str | None]:
        """Return a line and its resource."""
        number = bisect_right(self.starts, place) - 1
        section, within = self.sections[number], place - self.starts[number] - 1
        if within < 0:
            return section.head, None
        return section.make(within) if within < section.count else (BLANK, None)

    def beyond(self, place: int, step: int) -> int | None:
        """Return the first line of the next or previous section, None if there is none."""
        starts = self.starts[:-1]
        if step > 0:
            return next((start for start in starts if start > place), None)
        return next((start for start in reversed(starts) if start < place), None)


def page(facts: RunFacts) -> ReportPage:
    """Return the sections of a report: failures, slowest resources, changes, the log."""
    found = [ReportSection(line((clean(text), "warning"))) for text in facts.incomplete]
    if facts.error:
        found.append(ReportSection(line((f"✗ {clean(facts.error)}", "failed"))))
    elif not any(facts.groups.values()):
        found.append(ReportSection(line(("✓ ", "good"), nothing_done(facts))))
    found += groups(facts, GROUPS[:3])
    found += slowest(facts)
    done = [*groups(facts, GROUPS[3:]), log(facts)]
    # Without a critical path, the reason comes last.
    return ReportPage(
        [*found, *chain(facts), *done] if facts.timing else [*found, *done, *chain(facts)]
    )


def nothing_done(facts: RunFacts) -> str:
    """Return the line for a run in which no resource failed or changed."""
    failed, changed = (facts.words.get(name, name) for name in ("failed", "changed"))
    return f"nothing {failed}, nothing {changed}"


def groups(facts: RunFacts, names: Sequence[str]) -> Iterator[ReportSection]:
    """Yield the groups of resources by outcome, each resource with a remark."""
    for name in names:
        rows = facts.groups.get(name, ())
        if rows:
            glyph, style, words = HEADS[name]
            words = facts.words.get(name, words)
            head = line((f"{glyph} {counted(len(rows), facts.noun)} {words}", style))
            yield ReportSection(head, len(rows), partial(remarked, rows))


def remarked(rows: Sequence[tuple[str, str]], place: int) -> tuple[Line, str]:
    """Return a resource with its remark."""
    ref, remark = rows[place]
    return (Piece("  "), *ref_pieces(clean(ref)), Piece(f"  {clean(remark)}", "dim")), ref


def slowest(facts: RunFacts) -> Iterator[ReportSection]:
    """Yield the slowest resources, with bars, and marks for those on the critical path."""
    turns = facts.slowest(SLOWEST)
    if not turns or facts.run is None:
        return
    critical = {link.ref for link in facts.timing.chain} if facts.timing else set()
    head = line(("slowest resources", "title"), (f"  of {seconds(facts.run.seconds)}", "dim"))
    most = turns[0].seconds or 1.0
    yield ReportSection(head, len(turns), lambda n: slow(turns[n], most, turns[n].ref in critical))


def slow(turn: ResourceTurn, most: float, critical: bool) -> tuple[Line, str]:
    """Return a resource with its seconds."""
    took = turn.seconds or 0.0
    mark = Piece("  critical", "warning") if critical else Piece("")
    shown = (
        Piece(f"{seconds(took):>10} "),
        Piece(bar(took / most), "accent"),
        Piece(" "),
        *ref_pieces(clean(turn.ref)),
        mark,
    )
    return shown, turn.ref


def bar(share: float) -> str:
    """Return a bar of BAR columns, drawn in eighths."""
    eighths = round(max(0.0, min(1.0, share)) * BAR * 8)
    full, rest = divmod(eighths, 8)
    return ("█" * full + (BLOCKS[rest] if rest else "")).ljust(BAR)


def chain(facts: RunFacts) -> Iterator[ReportSection]:
    """Yield the critical path: the lower bound of the duration of a run."""
    timing = facts.timing
    if timing is None:
        if facts.no_chain:
            text = line((f"  {clean(facts.no_chain)}", "dim"))
            yield ReportSection(line(("critical path", "title")), 1, lambda _: (text, None))
        return
    share = timing.bound / timing.run.seconds if timing.run.seconds else 0.0
    bound = f"  {seconds(timing.bound)} of {seconds(timing.run.seconds)} ({share:.0%}); "
    bound += "the lower bound for a parallel run"
    rows: list[tuple[Line, str | None]] = [
        chained(link, n == len(timing.chain) - 1) for n, link in enumerate(timing.chain)
    ]
    rows += [(line((f"  {text}", "dim")), None) for text in unlike(timing)]
    yield ReportSection(
        line(("critical path", "title"), (bound, "dim")), len(rows), rows.__getitem__
    )


def chained(link: ChainLink, last: bool) -> tuple[Line, str]:
    """Return a resource of the critical path."""
    shown = (
        Piece(f"{seconds(link.seconds):>10} "),
        Piece("╰ " if last else "│ ", "before"),
        *ref_pieces(clean(link.ref)),
        Piece(f"  done at {seconds(link.done)}", "dim"),
    )
    return shown, link.ref


def unlike(timing: Timing) -> Iterator[str]:
    """Yield the differences between the run and the catalog."""
    if timing.unmatched:
        yield f"{counted(len(timing.unmatched), 'resource')} of the run are not in the catalog"
    if timing.absent:
        yield f"{counted(len(timing.absent), 'resource')} of the catalog are not in the run"


def log(facts: RunFacts) -> ReportSection:
    """Return the log."""
    head = f"  {counted(len(facts.log), 'line')}" if facts.log else "  empty"
    lines = facts.log
    return ReportSection(
        line(("log", "title"), (head, "dim")), len(lines), lambda n: logged(*lines[n])
    )


def logged(level: str, source: str, message: str) -> tuple[Line, str | None]:
    """Return a line of the log."""
    style = LEVELS.get(level, "")
    ref = ref_of(source)
    # The path before the reference names its containers, which are shown elsewhere.
    where = source[source.rfind(ref) :] if ref else source
    text = Piece(clean(message), style if style == "failed" else "")
    shown = Piece("" if where in ("", "Puppet") else f"{clean(where)}: ", "dim")
    return (Piece(f"  {level:<8}", style), shown, text), ref


def ref_of(source: str) -> str | None:
    """Return the resource of a line of the log, by its path.

    A title may have slashes and brackets: the last part that starts like a reference and is
    closed counts.
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
    """Return the narrow column: the status, the resources by outcome, the figures."""
    style = STATUSES.get(facts.status, "strong")
    status, *pending = (facts.status or "unknown").split(", ")
    found: list[Line] = [line(" status  ", (status, style))]
    found += [*(line(" " * 9, (cut(text, room - 9), "noop")) for text in pending), BLANK]
    most = max([1, *facts.counts.values()])
    figure = len(f"{most:,}")
    for name, (glyph, look, words) in HEADS.items():
        count = facts.counts.get(name, 0)
        if count:
            found.append(
                (
                    Piece(f" {glyph} ", look),
                    Piece(f"{count:>{figure},} ", "strong"),
                    Piece(cut(facts.words.get(name, words), room - figure - 5)),
                )
            )
    total = sum(facts.counts.values())
    found.append(line(" ", (f"  {total:>{figure},} total", "dim")))
    if facts.added:
        size = run_size(total, facts.added, facts.noun)
        found += wrapped(line("  ", (f"({size})", "dim")), room)
    if facts.metrics:
        found += [BLANK, line((" According to the report:", "dim"))]
    for metric in facts.metrics:
        found += metric_lines(metric, room)
    return found


def metric_lines(metric: Metric, room: int) -> list[Line]:
    """Return a group of figures without zeros; seconds are sorted, the most first."""
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
    """Return seconds with their unit."""
    return f"{value:.3f} s" if value < 1000 else f"{value:,.0f} s"


def title(facts: RunFacts, room: int) -> Line:
    """Return one line about a run."""
    return line(" ", (shorten(facts.title, room), "strong"))
