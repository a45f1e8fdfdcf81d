"""The screen Findings: the findings of the linter, each with its source line and its fix."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Container
from textual.timer import Timer

from analyzer.frontends.source_texts import Texts
from tui.present.findings import (
    by_severity,
    fix_lines,
    has_words,
    in_full,
    no_fix_lines,
    rows,
    summary,
)
from tui.present.fit import clean
from tui.present.pieces import BLANK, Line, line
from tui.project.lint import LintError, LintResult, fix_of, lint_project
from tui.run.threads import in_thread, progress_reporter
from tui.screens.base import View
from tui.widgets.bars import Bar
from tui.widgets.rows import Rows

if TYPE_CHECKING:
    from analyzer.linter.run import Found
    from analyzer.source import Span
    from tui.keys.context import KeyContext
    from tui.project.project import Project

# Seconds that the cursor rests on a finding before its fix is tried, which takes a compile.
REST = 0.25


# Rules that find cycles.
CYCLES = ("CG301",)


class FindingsScreen(View):
    """Shows the findings in a list, and one of them in full."""

    ID = "findings"
    FILTERED = ("findings",)
    AUTO_FOCUS = "#findings"

    def __init__(self, context: KeyContext) -> None:
        super().__init__(context)
        self.linted: LintResult | None = None
        self.found: list[Found] = []
        self.fixes: dict[int, list[Line]] = {}
        self.patches: dict[int, str] = {}
        self.texts = Texts("")
        self.waiting: Timer | None = None
        self.sorts_by_severity = True

    def panes(self) -> ComposeResult:
        """Yield the panes."""
        yield Bar(id="sum")
        with Container(id="both"):
            yield Rows(id="findings")
            yield Rows(id="finding")

    # ------------------------------------------------------------------ showing

    def show_project(self, project: Project) -> None:
        """Lint in a thread."""
        self.linted = None
        self.found = []
        self.filters = {}
        self.texts = Texts(project.path)
        self.show_list()
        self.progress("linting")
        self.run_worker(self.lint(project), group="lint", exclusive=True)

    async def lint(self, project: Project) -> None:
        """Lint, and show the progress."""
        report = progress_reporter(self.progress)
        try:
            linted = await in_thread(partial(lint_project, project, self.context.options, report))
        except LintError as error:
            self.refused(project, str(error))
        else:
            self.show_linted(project, linted)

    def progress(self, text: str) -> None:
        """Show the progress."""
        self.query_one("#sum", Bar).show(line((f" {text} ...", "dim")))

    def refused(self, project: Project, why: str) -> None:
        """Show why the project cannot be linted."""
        if project is self.controller.project:
            self.query_one("#sum", Bar).show(line(" ", ("not linted", "warning")))
            self.query_one("#finding", Rows).show([line(f" {text}") for text in why.split("\n")], 0)

    def show_linted(self, project: Project, linted: LintResult) -> None:
        """Show the findings."""
        if project is self.controller.project:
            self.linted = linted
            self.controller.findings = project, tuple(linted.findings)
            self.show_list()

    def show_list(self) -> None:
        """Show the findings in the chosen order."""
        linted = self.linted
        self.fixes.clear()
        self.patches.clear()
        wanted = self.filters.get("findings", "")
        known = {id(one.finding): one for one in linted.found} if linted else {}
        findings = [f for f in (linted.findings if linted else ()) if has_words(f, wanted)]
        ordered = by_severity(findings) if self.sorts_by_severity else findings
        self.found = [known[id(finding)] for finding in ordered]
        self.query_one("#findings", Rows).show(rows(ordered, self.texts.short), 0)
        if linted is None:
            self.query_one("#finding", Rows).show([], 0)
            return
        order = f"/{clean(wanted)}/ " * bool(wanted)
        order += "by severity " if self.sorts_by_severity else "by file "
        self.query_one("#sum", Bar).show((*line(" "), *summary(ordered)), line((order, "dim")))
        self.show_finding()

    def filter_pane(self, pane: str, text: str) -> None:
        """Show only the findings that have all words of a text."""
        self.filters[pane] = text
        self.show_list()

    @property
    def at(self) -> int:
        """Return the index of the finding under the cursor."""
        return self.query_one("#findings", Rows).cursor

    @property
    def here(self) -> Found | None:
        """Return the finding under the cursor."""
        return self.found[self.at] if self.at < len(self.found) else None

    def show_finding(self) -> None:
        """Show the finding under the cursor in full; try its fix soon."""
        pane, here = self.query_one("#finding", Rows), self.here
        if here is None:
            errors = self.linted.errors if self.linted else ()
            pane.show([line(f" {row}") for text in errors for row in text.split("\n")], 0)
            return
        shown = in_full(here.finding, self.texts, max(40, pane.size.width))
        if self.at in self.fixes:
            shown += self.fixes[self.at]
        elif here.proposals:
            shown += [BLANK, line(("trying the fix ...", "dim"))]
            self.try_soon()
        else:
            shown += no_fix_lines(tried=False)
        pane.show(shown, 0)

    def try_soon(self) -> None:
        """Try the fix once the cursor has rested for a moment."""
        if self.waiting:
            self.waiting.stop()
        self.waiting = self.set_timer(REST, self.try_fix)

    def try_fix(self) -> None:
        """Try the fix of the finding under the cursor in a thread."""
        here, linted = self.here, self.linted
        if here is not None and linted is not None and self.at not in self.fixes:
            self.run_worker(self.fix(linted, here, self.at), group="fix", exclusive=True)

    async def fix(self, linted: LintResult, found: Found, place: int) -> None:
        """Try a fix, and show it if it works."""
        from analyzer.session.lint.fixes import diff

        fixed = await in_thread(partial(fix_of, linted, found))
        if linted is not self.linted:
            return
        if fixed is None:
            self.fixes[place] = no_fix_lines(tried=True)
        else:
            self.fixes[place] = fix_lines(fixed[0], fixed[1], self.texts.short)
            self.patches[place] = diff(fixed[1])
        if place == self.at:
            self.show_finding()

    def on_resize(self) -> None:
        """Wrap the lines, and put the two lists side by side where there is room."""
        super().on_resize()
        self.set_class(self.size.width >= 150, "wide")
        self.call_after_refresh(self.show_finding)

    # ------------------------------------------------------------------ actions

    def on_rows_highlighted(self, event: Rows.Highlighted) -> None:
        """Show the finding under the cursor."""
        if event.rows.id == "findings":
            self.show_finding()

    def on_rows_chosen(self, event: Rows.Chosen) -> None:
        """Show the place of the finding."""
        self.do_finding_source()

    def do_finding_source(self) -> None:
        """Show the manifest at the place of the finding."""
        here = self.here
        if here is None or here.finding.span is None:
            self.controller.notify("this finding has no source position")
            return
        self.select_first()
        self.controller.place = here.finding.span
        self.app.switch_mode("source")

    def do_finding_graph(self) -> None:
        """Show the first resource of the finding in the graph, or its cycle."""
        if self.select_first():
            here = self.here
            self.controller.wants_cycle = here is not None and here.finding.code in CYCLES
            self.app.switch_mode("graph")
        else:
            self.controller.notify("this finding names no resource of the catalog")

    def select_first(self) -> bool:
        """Select the first resource of the finding in the catalog; return whether there is one."""
        project, here = self.controller.project, self.here
        for ref in here.finding.refs if here and project else ():
            found = project.graph.find(ref) if project else None
            if found is not None:
                self.controller.select(found, "findings")
                return True
        return False

    def do_finding_order(self) -> None:
        """Sort the findings by severity or by file."""
        self.sorts_by_severity = not self.sorts_by_severity
        self.show_list()

    def special_copy(self) -> tuple[str, str] | None:
        """Return the fix as a patch."""
        patch = self.patches.get(self.at)
        return None if patch is None else ("fix as a patch", patch)

    def statement_place(self) -> Span | None:
        """Return the place of the finding."""
        return self.here.finding.span if self.here is not None else None

    def do_finding_again(self) -> None:
        """Lint the files again."""
        if self.controller.project:
            self.show_project(self.controller.project)
