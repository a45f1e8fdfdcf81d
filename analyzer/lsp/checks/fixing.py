"""Tests the fixes that rules propose, within a time limit, in the process that compiles."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from time import monotonic

from analyzer.compiles.overlay import Overlay
from analyzer.diagnostics import Finding
from analyzer.linter.choice import Choice
from analyzer.linter.puppet.compiles import Program
from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.run import Found
from analyzer.linter.texts import Texts
from analyzer.linter.verify import verify
from analyzer.lsp.checks.shown import place_in

# Seconds after which no further fix is tested: the editor waits for the findings.
MOST_SECONDS = 1.0


def with_fixes(
    path: str,
    found: Sequence[Found],
    choice: Choice,
    programs: Sequence[Program],
    before: Sequence[Compiled],
    overlay: Mapping[str, str],
) -> Iterator[Finding]:
    """Yield the findings that the configuration shows; those in a file with their tested fixes."""
    end = monotonic() + MOST_SECONDS
    texts = Texts(overlay)

    def recompile(changed: Mapping[str, str]) -> list[Compiled]:
        return [*compiled_of(programs, Overlay({**overlay, **changed}))]

    for one in found:
        for finding in choice.reported([one.finding]):
            wanted = one.proposals and monotonic() < end and place_in(finding, path) is not None
            yield tested(one, finding, before, texts.get, recompile) if wanted else finding


def tested(
    found: Found,
    finding: Finding,
    before: Sequence[Compiled],
    text_of: Callable[[str], str | None],
    recompile: Callable[[Mapping[str, str]], list[Compiled]],
) -> Finding:
    """Return a finding with its fixes."""
    files = {edit.file for proposal in found.proposals for edit in proposal.edits}
    texts = {file: text for file in files if (text := text_of(file)) is not None}
    if len(texts) < len(files):
        return finding
    return replace(finding, fixes=verify(found, texts, before, recompile))


def compiled_of(programs: Sequence[Program], overlay: Overlay) -> Iterator[Compiled]:
    """Yield the catalogs of programs."""
    for program in programs:
        for one in program.compiled(overlay):
            if isinstance(one, Compiled):
                yield one
