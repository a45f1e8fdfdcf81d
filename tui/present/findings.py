"""Findings as rows, one finding in full, and its fix as a diff with the ordering it changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from analyzer.diagnostics import RANK, Finding, Fix, Step
from analyzer.frontends.source_texts import Texts
from analyzer.model.nouns import counted
from analyzer.source import Span, without_secrets
from tui.present.fit import clean, cut_path, padded, wrapped
from tui.present.pieces import BLANK, Line, Piece, line

# The style of each severity.
SEVERITIES = {
    "error": Piece("✗", "failed"),
    "warning": Piece("▲", "warning"),
    "note": Piece("◇", "accent"),
}

# The columns of the list's places, and the most pairs of a fix that are named.
PLACE, NAMED = 30, 10

Short = Callable[[str], str]


def summary(findings: Sequence[Finding]) -> Line:
    """Return how many findings there are of each severity."""
    if not findings:
        return line(("✓", "good"), " no findings")
    pieces: list[Piece] = []
    for severity, sign in SEVERITIES.items():
        count = sum(finding.severity == severity for finding in findings)
        if count:
            pieces += [sign, Piece(f" {counted(count, severity)}  ")]
    return tuple(pieces)


def by_severity(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings by severity, then in the order of the files."""
    return sorted(findings, key=lambda finding: RANK[finding.severity])


def has_words(finding: Finding, text: str) -> bool:
    """Return whether a finding has all words of a text in its code, severity, place or message."""
    searched = f"{finding.code} {finding.severity} {finding.span} {finding.message}".lower()
    return all(word in searched for word in text.lower().split())


def rows(findings: Sequence[Finding], short: Short) -> list[Line]:
    """Return the list: severity, code, place, message."""
    places = [place_text(finding.span, short) for finding in findings]
    room = min(PLACE, max(map(len, places), default=0))
    return [
        (
            Piece(" "),
            SEVERITIES[finding.severity],
            Piece(f" {finding.code}  ", "dim"),
            Piece(padded(cut_path(place, room), room) + "  ", "place"),
            Piece(clean(finding.message)),
        )
        for finding, place in zip(findings, places, strict=True)
    ]


def place_text(span: Span | None, short: Short) -> str:
    """Return `FILE:LINE`, empty where the place is not known."""
    if span is None:
        return ""
    return clean(short(span.file)) + (f":{span.line}" if span.line else "")


def in_full(finding: Finding, texts: Texts, width: int) -> list[Line]:
    """Return a finding in full: message, source line, steps, notes."""
    head = line(SEVERITIES[finding.severity], " ", (finding.code, "strong"), "  ")
    found = [
        (*head, Piece(text)) if n == 0 else line("   " + text)
        for n, text in enumerate(wrapped(clean(finding.message), width - 12))
    ]
    found += source_lines(finding.span, texts)
    for number, step in enumerate(finding.steps, 1):
        place = place_text(step.span, texts.short)
        found.append(
            line(
                (f"   {number:>2} ", "dim"),
                clean(without_ends(step)),
                (f"  {place}" if place else "", "place"),
            )
        )
    for note in finding.notes:
        below = note.replace(texts.folder, "") if texts.folder else note
        found += [line(f"   {text}") for text in wrapped(clean(below), width - 4)]
    return found


def without_ends(step: Step) -> str:
    """Return the text of a step without the ends of its edge, which the text repeats."""
    return (
        step.text.removeprefix(f"{' => '.join(step.refs)}: ") if len(step.refs) == 2 else step.text
    )


def source_lines(span: Span | None, texts: Texts) -> list[Line]:
    """Return the place of a finding, the line there, and a caret where the column is known."""
    if span is None:
        return []
    found = [line("   ", (place_text(span, texts.short), "place"))]
    text = texts.line(span).replace("\t", " ")
    if text:
        found.append(line(f"   │ {clean(text)}"))
        if span.column:
            found.append(line("   │ ", (" " * len(clean(text[: span.column - 1])) + "^", "accent")))
    return found


def fix_lines(fix: Fix, changed: dict[str, str], short: Short = str) -> list[Line]:
    """Return a fix as a diff, with the ordering it adds and loses.

    `changed` has the texts of the files after the fix; `short` returns the name of a file.
    """
    from analyzer.session.lint.fixes import diff

    found = [BLANK, line(("fix  ", "good"), clean(fix.what)), line(("     ", ""), fix.effect)]
    if fix.doubt:
        found.append(line(("     ", ""), ("unsafe: ", "warning"), clean(fix.doubt)))
    for file, text in sorted(changed.items()):
        patch = without_secrets(diff({file: text}), text)
        # What the fix removes is in the patch alone.
        patch = without_secrets(patch, patch)
        found += [line((f"   {clean(short(file))}", "place")), *diff_lines(patch)]
    found += pairs("gained", "+", "added", fix.gained, fix.gained_count)
    found += pairs("lost", "-", "removed", fix.lost, fix.lost_count)
    return found


def diff_lines(text: str) -> list[Line]:
    """Return the lines of one file's patch in their colours, without its head."""
    found: list[Line] = []
    for row in text.split("\n"):
        if not row or row.startswith(("+++ ", "--- ")):
            continue
        style = {"+": "added", "-": "removed", "@": "faint"}.get(row[0], "dim")
        found.append(line(("   " + clean(row.replace("\t", "    ")), style)))
    return found


def pairs(
    what: str, sign: str, style: str, named: Sequence[tuple[str, str]], count: int
) -> list[Line]:
    """Return the pairs of resources whose ordering is added or lost; only count the last ones."""
    if not count:
        return []
    found = [line((f"   {counted(count, 'ordering')} {what}:", style))]
    for first, second in named[:NAMED]:
        found.append(line((f"   {sign} ", style), f"{clean(first)} before {clean(second)}"))
    left = count - min(NAMED, len(named))
    return [*found, *([line((f"   ... and {left:,} more", "dim"))] if left else [])]


def no_fix_lines(tried: bool) -> list[Line]:
    """Return why there is no fix: the rule has none, or the fix that was tried has side effects."""
    text = (
        "no automatic fix: the fix that was tried has side effects" if tried else "no automatic fix"
    )
    return [BLANK, line((text, "dim"))]
