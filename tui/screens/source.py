"""The screen Source: the manifest at the selection, with the states of its resources."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical

from analyzer.frontends.source_texts import NoSource, SourceText, Texts
from analyzer.model.nouns import counted
from analyzer.source import Span
from tui.present.fit import clean, cut_path
from tui.present.missing_manifest import missing_lines
from tui.present.pieces import BLANK, Line, Piece, has_words, line, plain
from tui.present.snippet import Snippets
from tui.present.source_index import SourceIndex, bodies_of
from tui.present.source_page import Page, declared_lines, file_lines
from tui.present.states import States
from tui.run.threads import in_thread
from tui.screens.base import View
from tui.widgets.bars import Bar
from tui.widgets.rows import Rows
from tui.widgets.source_rows import SourceRows

if TYPE_CHECKING:
    from tui.keys.context import KeyContext
    from tui.project.project import Project

# From this width on, the list of files is shown by default.
FILES_FROM, FILES_WIDTH = 120, 39


class SourceScreen(View):
    """Shows a manifest with the states of its resources, at the line of the selection."""

    ID = "source"
    FILTERED = ("lines", "files")
    AUTO_FOCUS = "#lines"

    def __init__(self, context: KeyContext) -> None:
        super().__init__(context)
        self.index: SourceIndex | None = None
        self.texts = Texts("")
        self.snippets = Snippets(self.texts)
        self.pages: dict[str, Page] = {}
        self.file = ""
        self.files: list[str] = []
        # If there is no text: the resources by the rows that name them.
        self.listed: dict[int, int] = {}
        self.with_files: bool | None = None

    def panes(self) -> ComposeResult:
        """Yield the panes."""
        yield Bar(id="place")
        with Horizontal():
            yield Rows(id="files", empty=" no files")
            with Vertical():
                yield SourceRows(id="lines")
                yield Rows(id="line")

    @property
    def lines(self) -> SourceRows:
        """Return the widget of the text."""
        return self.query_one("#lines", SourceRows)

    @property
    def page(self) -> Page | None:
        """Return the manifest that is shown."""
        return self.lines.page

    # ------------------------------------------------------------------ showing

    def show_project(self, project: Project) -> None:
        """Show other manifests, once a thread has indexed them."""
        self.index = None
        self.texts = Texts(project.path)
        self.snippets = Snippets(self.texts)
        self.pages = {}
        self.files = []
        self.filters = {}
        self.show_nothing(line((" indexing the manifests ...", "dim")))
        self.run_worker(self.prepare(project), group="places", exclusive=True)

    async def prepare(self, project: Project) -> None:
        """Index the places of all resources, then show that of the selection."""
        index = SourceIndex(project.graph)
        await in_thread(index.prepare)
        if project is not self.controller.project:
            return
        self.index = index
        self.list_files()
        self.show_files()
        self.show_selection()
        self.catch_up()

    def list_files(self) -> None:
        """List the files whose names have all words of their filter."""
        if self.index is None:
            return
        wanted, short = self.filters.get("files", ""), self.texts.short
        self.files = [file for file in self.index.files if has_words(short(file), wanted)]
        listed = file_lines(self.index, self.files, short, FILES_WIDTH)
        self.query_one("#files", Rows).show(listed, 0)

    def filter_pane(self, pane: str, text: str) -> None:
        """List only the files that have all words of a text, or go to the next line with them."""
        self.filters[pane] = text
        if pane == "files":
            self.list_files()
            return
        found = self.matches()
        if found:
            self.lines.move(next((n for n in found if n >= self.lines.cursor), found[0]))
        self.show_place()

    def matches(self) -> list[int]:
        """Return the lines of the file that have all words of the filter, none without one."""
        wanted = self.filters.get("lines", "")
        if self.page is None or not wanted.strip():
            return []
        return [n for n in range(len(self.page)) if has_words(plain(self.page[n]), wanted)]

    def show_selection(self) -> None:
        """Show the selected resource's line, unless the cursor is in its statement already."""
        node = self.controller.selected_node
        if node is None or self.index is None:
            return
        if node >= self.index.graph.vertices:
            self.show_nothing(
                line((" this was generated during the run: no manifest declares it", "dim"))
            )
            return
        if self.page is None or node not in self.page.resources(self.lines.cursor):
            place = self.index.place(node)
            if place is None:
                self.show_nothing(line((" the selection has no source position", "dim")))
            else:
                self.go(Span(*place))
        self.show_line()

    def show_run(self) -> None:
        """Show the current states."""
        self.lines.refresh()
        self.show_line()

    def catch_up(self) -> None:
        """Show the changes, and the place that another screen asked for."""
        super().catch_up()
        if not self.is_mounted or self.index is None:
            return
        self.mark_findings()
        place, self.controller.place = self.controller.place, None
        if place is not None:
            self.go(place)
            self.show_line()

    def mark_findings(self) -> None:
        """Mark the lines with findings."""
        project, findings = self.controller.findings
        if self.page is not None and project is self.controller.project:
            spans = [finding.span for finding in findings if finding.span]
            lines = frozenset(span.line for span in spans if span.file == self.file)
            if lines != self.page.found:
                self.page.found = lines
                self.lines.refresh()

    def go(self, place: Span) -> None:
        """Show a place."""
        if place.file != self.file or self.page is None:
            self.show_file(place.file)
        if self.page is not None:
            self.lines.show(self.page, max(0, place.line - 1))
            self.lines.centre()
        elif self.controller.selected_node in self.listed.values():
            node = self.controller.selected_node
            row = next(row for row, vertex in self.listed.items() if vertex == node)
            self.lines.show(self.lines.lines, row)
        if place.file in self.files:
            files = self.query_one("#files", Rows)
            files.show(files.lines, self.files.index(place.file))

    def show_file(self, file: str) -> None:
        """Show a file, or the reason why there is none."""
        self.file = file
        page = self.page_of(file)
        if isinstance(page, NoSource):
            self.show_missing(page)
        else:
            self.listed = {}
            self.lines.show_page(page)
        self.mark_findings()
        self.show_place()

    def show_missing(self, found: NoSource) -> None:
        """Show why there is no text, and the resources that the file declares."""
        rows = [line((f" {text}", "dim")) for text in missing_lines(found)]
        known = declared_lines(self.index, found.named) if self.index else []
        if known:
            rows += [BLANK, line((" Resources of this file in the catalog, by line:", "dim"))]
        self.listed = {len(rows) + n: vertex for n, (_, vertex) in enumerate(known)}
        self.lines.show_page(None)
        self.lines.show([*rows, *(text for text, _ in known)], 0)

    def page_of(self, file: str) -> Page | NoSource:
        """Return the page of a manifest, whose text is read only once."""
        if file in self.pages:
            return self.pages[file]
        text, source = self.snippets.of(file), self.texts.get(file)
        if isinstance(text, NoSource) or isinstance(source, NoSource) or self.index is None:
            return text if isinstance(text, NoSource) else NoSource(file, "no project is open")
        bodies = bodies_of(source.path, source.text)
        self.pages[file] = Page(file, text, self.index, bodies, self.mark)
        return self.pages[file]

    def mark(self, vertex: int) -> tuple[int, Piece]:
        """Return the current state of a resource."""
        return States(self.controller.branch).ranked(vertex)

    def show_nothing(self, text: Line) -> None:
        """Show that there is no place."""
        self.file = ""
        self.listed = {}
        self.lines.show_page(None)
        self.lines.show([text], 0)
        self.show_place()

    def show_place(self) -> None:
        """Show the name of the file, and where it was found."""
        found = self.texts.get(self.file) if self.file else None
        position = f" line {self.lines.cursor + 1} of {len(self.page)} " if self.page else ""
        wanted = self.filters.get("lines", "")
        if wanted and self.page:
            position = f" /{clean(wanted)}/ {counted(len(self.matches()), 'line')} {position}"
        name = clean(self.texts.short(self.file)) or "no manifest"
        left = line(" ", (name, "strong"))
        if isinstance(found, SourceText) and found.elsewhere:
            room = self.size.width - len(name) - len(position) - 12
            left = (
                *left,
                *line((f"  found as {cut_path(os.path.relpath(found.path), room)}", "dim")),
            )
        self.query_one("#place", Bar).show(left, line((position, "dim")))

    def show_line(self) -> None:
        """Show the resources and relationships of the line under the cursor."""
        rows: list[Line] = []
        if self.page is not None:
            rows = self.page.about(self.lines.cursor, self.controller.selected_node)
        self.query_one("#line", Rows).show(rows, 0)
        self.show_place()

    def statement_place(self) -> Span | None:
        """Return the line under the cursor."""
        return Span(self.file, self.lines.cursor + 1) if self.page is not None else None

    def on_resize(self) -> None:
        """Show the list of files where there is room."""
        super().on_resize()
        self.show_files()

    def show_files(self) -> None:
        """Show or hide the list of files."""
        wanted = self.with_files
        if wanted is None:
            wanted = self.size.width >= FILES_FROM and len(self.files) > 1
        self.query_one("#files", Rows).display = wanted

    # ------------------------------------------------------------------ actions

    def on_rows_highlighted(self, event: Rows.Highlighted) -> None:
        """Select the resource of the line under the cursor, or show the file under it."""
        if event.rows.id == "lines" and self.page is not None:
            here = self.page.resources(event.index)
            if here and self.controller.selected_node not in here:
                self.select(here[0])
            self.show_line()
        elif event.rows.id == "lines" and event.index in self.listed:
            self.select(self.listed[event.index])
        elif event.rows.id == "files":
            self.show_file(self.files[event.index])
            self.show_line()

    def on_rows_chosen(self, event: Rows.Chosen) -> None:
        """Show the selection in the graph, or move the focus to the file."""
        if event.rows.id == "files":
            self.lines.focus()
        elif event.rows.id == "lines":
            self.do_source_graph()

    def select(self, vertex: int) -> None:
        """Select a resource of the line."""
        if self.controller.project:
            self.controller.select(self.controller.project.runs.refs[vertex], "source")

    def do_source_graph(self) -> None:
        """Show the selection in the graph."""
        self.app.switch_mode("graph")

    def do_source_next(self) -> None:
        """Go to the next line with a declaration or a relationship."""
        self.jump(1)

    def do_source_previous(self) -> None:
        """Go to the previous line with a declaration or a relationship."""
        self.jump(-1)

    def jump(self, step: int) -> None:
        """Go from one marked line to another."""
        at = self.lines.cursor
        found = self.matches()
        stops = found or (self.page.stops() if self.page else [])
        ahead = [n for n in stops if n > at] if step > 0 else [n for n in stops if n < at][::-1]
        if ahead:
            self.lines.move(ahead[0])
        else:
            what = "lines with these words" if found else "declarations or relationships"
            self.controller.notify(f"no more {what} in this file")

    def do_source_other(self) -> None:
        """Select the next of several resources that the line declares."""
        here = self.page.resources(self.lines.cursor) if self.page else []
        node = self.controller.selected_node
        if node in here and len(here) > 1:
            self.select(here[(here.index(node) + 1) % len(here)])
            self.show_line()
        else:
            self.controller.notify("this line declares no other resource")

    def do_source_files(self) -> None:
        """Show the list of files, or hide it."""
        files = self.query_one("#files", Rows)
        self.with_files = not files.display
        self.show_files()
        (files if self.with_files else self.lines).focus()
