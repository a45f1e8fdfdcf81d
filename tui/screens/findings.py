"""The screen Findings: what a reviewer would say, each with its place and the fix that works."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Container
from textual.timer import Timer

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
from tui.present.source_file import Texts
from tui.project.lint import Linted, LintError, fix_of, lint_project
from tui.run.messages import Told
from tui.run.threads import beside, teller
from tui.screens.base import View
from tui.widgets.bars import Bar
from tui.widgets.rows import Rows

if TYPE_CHECKING:
    from analyzer.linter.run import Found
    from tui.project.project import Project

# Seconds that the cursor rests on a finding before its fix is tried: that takes a compile.
REST = 0.25


# Rules that find cycles.
CYCLES = ("CG301",)


class FindingsScreen(View):
    """The findings in a list, and one of them in full."""

    ID = "findings"
    FILTERED = ("findings",)
    AUTO_FOCUS = "#findings"

    def __init__(self) -> None:
        super().__init__()
        self.linted: Linted | None = None
        self.found: list[Found] = []
        self.fixes: dict[int, list[Line]] = {}
        self.patches: dict[int, str] = {}
        self.texts = Texts("")
        self.waiting: Timer | None = None
        self.graver_first = True

    def panes(self) -> ComposeResult:
        """Yield the panes."""
        yield Bar(id="sum")
        with Container(id="both"):
            yield Rows(id="findings")
            yield Rows(id="finding")

    # ------------------------------------------------------------------ what is shown

    def show_project(self, project: Project) -> None:
        """Look for findings in a thread of its own."""
        self.linted = None
        self.found = []
        self.filters = {}
        self.texts = Texts(project.path)
        self.show_list()
        self.progress("looking for findings")
        self.run_worker(self.lint(project), group="lint", exclusive=True)

    async def lint(self, project: Project) -> None:
        """Lint, and tell how far that is."""
        tell = teller(self.progress)
        try:
            linted = await beside(partial(lint_project, project, self.catgraph.options, tell))
        except LintError as error:
            self.refused(project, str(error))
        else:
            self.show_linted(project, linted)

    def progress(self, text: str) -> None:
        """Tell how far the lint is."""
        self.query_one("#sum", Bar).show(line((f" {text} ...", "dim")))

    def refused(self, project: Project, why: str) -> None:
        """Say why there is nothing to lint."""
        if project is self.controller.project:
            self.query_one("#sum", Bar).show(line(" ", ("not linted", "warning")))
            self.query_one("#finding", Rows).show([line(f" {text}") for text in why.split("\n")], 0)

    def show_linted(self, project: Project, linted: Linted) -> None:
        """Show what was found."""
        if project is self.controller.project:
            self.linted = linted
            self.controller.findings = project, tuple(linted.findings)
            self.show_list()

    def show_list(self) -> None:
        """Show the findings in the order that is asked for."""
        linted = self.linted
        self.fixes.clear()
        self.patches.clear()
        wanted = self.filters.get("findings", "")
        known = {id(one.finding): one for one in linted.found} if linted else {}
        findings = [f for f in (linted.findings if linted else ()) if has_words(f, wanted)]
        ordered = by_severity(findings) if self.graver_first else findings
        self.found = [known[id(finding)] for finding in ordered]
        self.query_one("#findings", Rows).show(rows(ordered, self.texts.short), 0)
        if linted is None:
            self.query_one("#finding", Rows).show([], 0)
            return
        order = f"/{clean(wanted)}/ " * bool(wanted)
        order += "gravest first " if self.graver_first else "by file "
        self.query_one("#sum", Bar).show((*line(" "), *summary(ordered)), line((order, "dim")))
        self.show_finding()

    def filter_pane(self, pane: str, text: str) -> None:
        """Show only findings that have the words of a text."""
        self.filters[pane] = text
        self.show_list()

    @property
    def at(self) -> int:
        """Which finding the cursor is on."""
        return self.query_one("#findings", Rows).cursor

    @property
    def here(self) -> Found | None:
        """The finding under the cursor."""
        return self.found[self.at] if self.at < len(self.found) else None

    def show_finding(self) -> None:
        """Show the finding under the cursor in full; its fix is tried soon."""
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
        """Try the fix when the cursor has rested for a moment."""
        if self.waiting:
            self.waiting.stop()
        self.waiting = self.set_timer(REST, self.try_fix)

    def try_fix(self) -> None:
        """Try the fix of the finding under the cursor, in a thread of its own."""
        here, linted = self.here, self.linted
        if here is not None and linted is not None and self.at not in self.fixes:
            self.run_worker(self.fix(linted, here, self.at), group="fix", exclusive=True)

    async def fix(self, linted: Linted, found: Found, place: int) -> None:
        """Try a fix, and show it if it works."""
        from analyzer.session.lint_fixes import diff

        fixed = await beside(partial(fix_of, linted, found))
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
        """Break lines anew, and put the two lists side by side where there is room."""
        super().on_resize()
        self.set_class(self.size.width >= 150, "wide")
        self.call_after_refresh(self.show_finding)

    # ------------------------------------------------------------------ going about

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
            self.controller.tell(Told("the place of this is not known"))
            return
        self.select_first()
        self.controller.place = here.finding.span
        self.app.switch_mode("source")

    def do_finding_graph(self) -> None:
        """Show the first resource of the finding in the graph; of a cycle, the walk round it."""
        if self.select_first():
            here = self.here
            self.controller.wants_cycle = here is not None and here.finding.code in CYCLES
            self.app.switch_mode("graph")
        else:
            self.controller.tell(Told("this is about no resource of the catalog"))

    def select_first(self) -> bool:
        """Select the first resource of the finding that the catalog has; tell whether there is."""
        project, here = self.controller.project, self.here
        for ref in here.finding.refs if here and project else ():
            found = project.graph.find(ref) if project else None
            if found is not None:
                self.controller.select(found, "findings")
                return True
        return False

    def do_finding_order(self) -> None:
        """Order the findings by file, or by how grave they are."""
        self.graver_first = not self.graver_first
        self.show_list()

    def do_copy(self) -> None:
        """Copy the fix as a patch."""
        patch = self.patches.get(self.at)
        if patch is None:
            self.controller.tell(Told("there is no fix to copy"))
            return
        self.app.copy_to_clipboard(patch)
        self.controller.tell(Told("the fix is on the clipboard, as a patch"))

    def do_finding_again(self) -> None:
        """Look again, at the files as they are now."""
        if self.controller.project:
            self.show_project(self.controller.project)
