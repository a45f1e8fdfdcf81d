"""The screen Run: containment, ready and waiting resources, details, timeline, log."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from textual.app import ComposeResult
from textual.containers import Container, Horizontal
from textual.widget import Widget

from analyzer.frontends.source_texts import Texts
from analyzer.model.nouns import counted
from analyzer.model.refs import ResourceRef
from tui.keys.context import KeyContext
from tui.present.blocked_run import why_blocked
from tui.present.detail import DetailSubject, state_of
from tui.present.frontier import Frontier
from tui.present.glyphs import BREAK
from tui.present.log import LiveLog, LogLines, log_line
from tui.present.pieces import Piece, plain
from tui.present.policy_frontier import PolicyFrontier
from tui.present.tree import TreeLines
from tui.project.origins import origins_of
from tui.project.project import Project
from tui.run.agent_timeline import AgentTimeline
from tui.run.threads import in_thread
from tui.run.tree import ContainerTree
from tui.screens.base import View
from tui.screens.run_dialogs import go_to, go_to_step
from tui.widgets.detail import Detail
from tui.widgets.painting import entitle
from tui.widgets.rows import Rows
from tui.widgets.timebar import TimeBar
from tui.widgets.tree import TreeRows

# Columns below which panes are stacked.
NARROW = 110
LOW = 30


class RunScreen(View):
    """A run at one of its steps."""

    ID = "run"
    FILTERED = ("tree", "frontier", "log")
    AUTO_FOCUS = "#frontier"

    def __init__(self, context: KeyContext) -> None:
        super().__init__(context)
        self.texts = Texts("")
        self.shape: ContainerTree | None = None
        self.frontier: Frontier | PolicyFrontier | None = None
        self.log_lines: LogLines | None = None
        self.blocking: list[int | None] = []

    def panes(self) -> ComposeResult:
        """Yield the panes."""
        with Horizontal(id="upper"):
            yield TreeRows(id="tree")
            with Container(id="side"):
                yield Rows(id="frontier", empty="no resource is ready")
                yield Detail(id="detail")
        yield TimeBar(id="timeline")
        yield Rows(id="log", empty="no messages yet")

    def on_resize(self) -> None:
        """Stack the panes on a narrow screen."""
        was_low = self.has_class("low")
        self.set_class(self.size.width < NARROW, "narrow")
        self.set_class(self.size.height < LOW, "low")
        if was_low != self.has_class("low") and self.controller.project is not None:
            self.call_after_refresh(self.show_run)
        super().on_resize()

    # ------------------------------------------------------------------ showing

    def show_project(self, project: Project) -> None:
        """Show another project."""
        self.filters = {}
        self.texts = Texts(project.path)
        self.shape = self.controller.prepared.tree
        self.controller.origins = {}
        if project.compiled_with is not None:
            self.run_worker(self.explain(project), group="origins", exclusive=True)

    async def explain(self, project: Project) -> None:
        """Find the origins of resources and values, then show those of the selection."""
        origins = await in_thread(partial(origins_of, project))
        if project is self.controller.project:
            self.controller.origins = origins
            self.show_detail()

    def show_run(self) -> None:
        """Show the current state of the run."""
        self.show_tree()
        self.show_frontier()
        self.show_log()
        self.show_time()
        self.show_detail()

    def show_selection(self) -> None:
        """Show the selection in every pane that has it."""
        node = self.controller.selected_node
        if node is not None and self.shape is not None:
            tree = self.query_one("#tree", TreeRows)
            if tree.vertex != node:
                place = self.shape.reveal(node) if node < self.shape.graph.base else -1
                self.show_tree(place if place >= 0 else None)
            if self.frontier is not None:
                place = self.frontier.index(node)
                if place >= 0:
                    self.query_one("#frontier", Rows).show(self.frontier, place)
        self.show_detail()

    def mark(self, node: int) -> Piece:
        """Return the sign of a breakpoint, of an injected outcome, or of a noop switch."""
        if node in self.controller.marked:
            return Piece(f"{BREAK} ", "breakpoint")
        state = self.controller.timeline.state
        steered = node in (state.outcomes or {}) or node in (state.noops or {})
        return Piece("! " if steered else "  ", "mark")

    def show_tree(self, cursor: int | None = None) -> None:
        """Show the containment tree."""
        if self.shape is None:
            return
        branch = self.controller.branch
        lines = TreeLines(
            self.shape,
            branch.rollup,
            lambda vertex: state_of(branch.timeline, vertex),
            self.mark,
        )
        rows = self.query_one("#tree", TreeRows)
        rows.show_tree(self.shape, lines, cursor)
        self.entitle(rows, "Containment", "")

    def show_frontier(self) -> None:
        """Show the resources that are ready and those that wait."""
        branch = self.controller.branch
        if branch.timeline.error:
            self.show_why_blocked()
            return
        timeline, keep = branch.timeline, self.keep("frontier")
        title, words = "Ready and waiting", ("ready", "waiting")
        if isinstance(timeline, AgentTimeline):
            self.frontier = PolicyFrontier(timeline, self.mark, keep)
            title, words = "Upcoming and waiting", ("upcoming", "waiting")
        else:
            done, around = branch.rollup.done, self.controller.edges
            room = self.room_of_frontier
            self.frontier = Frontier(timeline, around, branch.own, done, self.mark, keep, room)
        rows = self.query_one("#frontier", Rows)
        node = self.controller.selected_node
        place = self.frontier.index(node) if node is not None else -1
        if not self.frontier:
            rows.empty = self.empty_words()
        rows.show(self.frontier, place if place >= 0 else None)
        counts = zip(self.frontier.counts, words, strict=True)
        self.entitle(rows, title, ", ".join(f"{n:,} {word}" for n, word in counts))

    def room_of_frontier(self) -> int:
        """Return how many columns a line of the ready and waiting resources has."""
        return self.query_one("#frontier", Rows).scrollable_content_region.width

    def show_why_blocked(self) -> None:
        """Show why the run cannot start, instead of the resources that are ready."""
        self.frontier = None
        lines, self.blocking = why_blocked(self.controller.timeline, self.controller.cycles())
        rows = self.query_one("#frontier", Rows)
        rows.show(lines)
        self.entitle(rows, "Ready and waiting", "")

    def empty_words(self) -> str:
        """Return why no resource is ready and none waits."""
        if self.filters.get("frontier"):
            return "no match for the filter"
        return f"the run has ended: {self.controller.ending}"

    def show_log(self) -> None:
        """Show the log up to the current step, with its last line in view."""
        story, timeline = self.controller.story, self.controller.timeline
        chosen = None
        wanted = self.filters.get("log")
        if wanted:
            keep = self.passes(wanted)
            rows = enumerate(story.entries)
            chosen = [n for n, entry in rows if keep(plain(log_line(story, entry)))]
        self.log_lines = LogLines(story, story.ends[timeline.position], chosen)
        rows_ = self.query_one("#log", Rows)
        rows_.show(self.log_lines, len(self.log_lines) - 1)
        self.entitle(rows_, "Log", counted(len(self.log_lines), "line"))

    def show_bars(self) -> None:
        """Show the bars, and the output of the running command."""
        super().show_bars()
        applying = self.controller.applying
        if applying is not None and applying.output and self.log_lines is not None:
            lines = LiveLog(self.log_lines, applying.output.copy())
            self.query_one("#log", Rows).show(lines, len(lines) - 1)

    def show_time(self) -> None:
        """Show the timeline."""
        controller = self.controller
        branch = controller.branch
        turns = branch.story.turn
        stops = frozenset(turns[node] for node in controller.marked if node in turns)
        self.query_one(TimeBar).show(branch.story, branch.timeline.position, branch.steps, stops)

    def show_detail(self) -> None:
        """Show the selected resource."""
        controller = self.controller
        node = controller.selected_node
        detail = self.query_one(Detail)
        if node is None or controller.project is None:
            detail.show(None)
            return
        graph = controller.timeline.graph
        origin = controller.origins.get(graph.names[node]) if node < graph.base else None
        subject = DetailSubject(
            controller.timeline, controller.story, controller.edges, node, self.texts, origin
        )
        detail.show(subject)

    def entitle(self, rows: Rows, title: str, count: str) -> None:
        """Set the title of a pane, with its filter."""
        wanted = self.filters.get(str(rows.id))
        shown = f"{title} /{wanted}/" if wanted else title
        if self.has_class("low"):
            # The counts of ready and waiting resources need no title.
            words = [count] if rows.id == "frontier" and count and not wanted else [shown, count]
            shown = f" {'  '.join(filter(None, words))} "
        entitle(rows, shown, count)

    # ------------------------------------------------------------------ filters

    def passes(self, wanted: str) -> Callable[[str], bool]:
        """Return a function that returns whether a text has all words of a filter."""
        words = wanted.lower().split()
        return lambda text: all(word in text.lower() for word in words)

    def keep(self, pane: str) -> Callable[[int], bool] | None:
        """Return the filter of a pane as a function of vertices, None for all."""
        wanted = self.filters.get(pane)
        if not wanted:
            return None
        names, passes = self.controller.timeline.graph.names, self.passes(wanted)
        return lambda vertex: passes(names[vertex])

    def filter_pane(self, pane: str, text: str) -> None:
        """Show only the lines that have all words of a text."""
        self.filters[pane] = text
        if pane == "tree" and self.shape is not None:
            self.shape.filter(self.keep("tree"))
            self.show_tree()
        elif pane == "frontier":
            self.show_frontier()
        else:
            self.show_log()

    # ------------------------------------------------------------------ messages of the panes

    def on_rows_highlighted(self, event: Rows.Highlighted) -> None:
        """Select the resource under the cursor."""
        node = self.node_at(event.rows, event.index)
        if node is not None:
            self.controller.select(self.ref_of(node), str(event.rows.id))

    def on_rows_chosen(self, event: Rows.Chosen) -> None:
        """Explain the resource of a line: a list applies nothing."""
        node = self.node_at(event.rows, event.index)
        if node is not None:
            self.controller.select(self.ref_of(node), str(event.rows.id))
            self.context.act("why")

    def node_at(self, rows: Widget, index: int) -> int | None:
        """Return the node of a line."""
        if rows.id == "tree" and self.shape is not None:
            return self.shape.rows[index][0]
        if rows.id == "frontier" and self.frontier is not None:
            return self.frontier.node(index)
        if rows.id == "frontier" and index < len(self.blocking):
            return self.blocking[index]
        if rows.id == "log" and self.log_lines is not None and index < len(self.log_lines):
            return self.log_lines.entry(index).node
        return None

    def do_go_to(self) -> None:
        """Ask for a step; suggest that of the line of the log under the cursor."""
        rows = self.query_one("#log", Rows)
        here = self.log_lines.entry(rows.cursor).step if self.log_lines else ""
        go_to(self.context, str(here) if self.pane == "log" else "")

    def ref_of(self, node: int) -> ResourceRef:
        """Return the reference of a node; for an end of a container, the container's."""
        graph = self.controller.timeline.graph
        return graph.refs[graph.vertex(node)]

    def on_detail_followed(self, event: Detail.Followed) -> None:
        """Select the reference of a line."""
        self.controller.select(event.ref, "detail")

    def on_detail_opened(self, event: Detail.Opened) -> None:
        """Show the place of a line in its file."""
        self.controller.place = event.place
        self.app.switch_mode("source")

    def on_time_bar_sought(self, event: TimeBar.Sought) -> None:
        """Go to a step."""
        go_to_step(self.context, event.step)

    def do_next_tab(self) -> None:
        """Open the next tab."""
        self.query_one(Detail).turn(1)

    def do_previous_tab(self) -> None:
        """Open the previous tab."""
        self.query_one(Detail).turn(-1)

    def do_zoom(self) -> None:
        """Maximise the focused pane, or restore it."""
        if self.maximized:
            self.minimize()
        elif self.focused is not None:
            self.maximize(self.focused)
