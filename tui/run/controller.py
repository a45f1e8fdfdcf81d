"""The state behind all screens: project, selection, run, breakpoints."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, NamedTuple

from analyzer.apply import breakpoints
from analyzer.apply.breakpoints import Breakpoint, Breakpoints
from analyzer.apply.engine.commands import (
    Back,
    Command,
    CommandError,
    GoTo,
    Inject,
    Pick,
    SetNoop,
    Step,
    Walk,
)
from tui.run.agent_outcomes import branch_with_outcome
from tui.run.branch import Branch, Prepared, in_words, prepare
from tui.run.breakpoint_places import marked
from tui.run.history import History
from tui.run.messages import Notice, ProjectOpened, RunChanged, SelectionChanged
from tui.run.rollup import ended
from tui.run.run_kinds import RUN_KINDS, START, RunKind, kinds_of
from tui.run.tree import ContainerTree

if TYPE_CHECKING:
    from textual.message import Message

    from analyzer.apply.timeline import Timeline
    from analyzer.diagnostics import Finding
    from analyzer.graph.cycles.search import Cycle
    from analyzer.model.refs import ResourceRef
    from analyzer.source import Span
    from tui.project.neighbours import Surroundings
    from tui.project.origins import Origins
    from tui.project.project import Project
    from tui.run.exploring import ExploringRun
    from tui.run.local import LocalRun
    from tui.run.story import Story

BUSY = "the run is in progress: esc stops it"


class Applying(NamedTuple):
    """The resource that is being applied, its start (monotonic), and the output of its command."""

    ref: str
    since: float
    output: deque[bytes] | None = None


class Controller:
    """The one state behind all screens; `post` sends a message to the application.

    `versions` count the changes of project, run and selection: a hidden screen compares them when
    it is shown. `busy` is set while a command is running.
    """

    def __init__(self, post: Callable[[Message], object]) -> None:
        self.post = post
        self.project: Project | None = None
        self.exploring: ExploringRun | None = None
        self.selection: ResourceRef | None = None
        self.kind: RunKind = RUN_KINDS["simulated"]
        self.branches: list[Branch] = []
        self._branch: Branch | None = None
        self._cycles: list[Cycle] | None = None
        self.stops: tuple[Breakpoint, ...] = ()
        self.marked: frozenset[int] = frozenset()
        self.busy = False
        self.applying: Applying | None = None
        self.real_run: LocalRun | None = None
        # A place of a manifest to show when the screen Source is opened.
        self.place: Span | None = None
        # True to show a cycle when the screen Graph is opened.
        self.wants_cycle = False
        # The findings, and the project that they are about.
        self.findings: tuple[Project | None, tuple[Finding, ...]] = (None, ())
        # The origins of the resources and their values, once they are known.
        self.origins: Origins = {}
        self.history = History()
        self.versions = {"project": 0, "run": 0, "selection": 0}

    def notify(self, text: str, severity: str = "information") -> None:
        """Show a short text."""
        self.post(Notice(text, severity))

    @property
    def branch(self) -> Branch:
        """Return the current branch of the run.

        Raises:
            RuntimeError: no project is open.
        """
        if self._branch is None:
            raise RuntimeError("no project is open")
        return self._branch

    @property
    def timeline(self) -> Timeline:
        """Return the timeline of the branch."""
        return self.branch.timeline

    @property
    def story(self) -> Story:
        """Return the story of the branch."""
        return self.branch.story

    @property
    def edges(self) -> Surroundings:
        """Return the relationships of the project, by resource."""
        if self.project is None:
            raise RuntimeError("no project is open")
        return self.project.edges

    # ------------------------------------------------------------------ the project

    def open(self, project: Project, prepared: Prepared | None = None) -> None:
        """Replace the open project; `prepared` are the parts of the new one that are ready."""
        self.close_real_run()
        self.project = project
        self.prepared = prepared or prepare(project)
        self.stops, self.marked = (), frozenset()
        self.history = History()
        self.selection = None
        self._cycles = None
        self.versions["project"] += 1
        self.kind = kinds_of(project)[0]
        self.set_branch(self.prepared.branch)
        self.post(ProjectOpened(project))

    def start(self, kind: str) -> None:
        """Start a run of a kind instead of the open one.

        Raises:
            BusyError: another run is changing this host.
            OSError: the journal of a real run cannot be written.
        """
        if self.project is None:
            return
        self.close_real_run()
        started = START[kind](self.project)
        self.kind, self.real_run = RUN_KINDS[kind], started.real
        branch = Branch.first(started.timeline, self.branch)
        if started.project.runs is not self.project.runs:
            self.prepared = Prepared(branch, ContainerTree(started.project.runs))
            self.versions["project"] += 1
        self.project = started.project
        self.set_branch(branch)

    def close_real_run(self) -> None:
        """Release the host, if a real run holds it."""
        if self.real_run is not None:
            self.real_run.release()
            self.real_run = None

    def set_branch(self, branch: Branch) -> None:
        """Make a branch the only one."""
        self.branches = [branch]
        self._branch = branch
        self.show_stops()
        self.run_changed()
        if self.selection is None:
            self.select(self.next_ref or self.first_ref(), "opening")

    def first_ref(self) -> ResourceRef | None:
        """Return the first resource of the catalog."""
        graph = self.timeline.graph
        nodes = (n for n in range(graph.vertices) if graph.resource(n) is not None)
        node = next(nodes, None)
        return None if node is None else graph.refs[node]

    def cycles(self) -> list[Cycle]:
        """Return the cycles of the graph, computed once."""
        if self._cycles is None:
            self._cycles = self.timeline.graph.graph.cycles()
        return self._cycles

    # ------------------------------------------------------------------ the selection

    def select(self, ref: ResourceRef | str | None, by: str = "") -> None:
        """Select a resource or container on all screens; refuse an unknown name."""
        if isinstance(ref, str):
            try:
                graph = self.timeline.graph
                ref = graph.refs[graph.find(ref)]
            except (KeyError, RuntimeError) as error:
                self.notify(str(error.args[0]), "warning")
                return
        if ref != self.selection:
            if self.selection is not None and by not in ("history", "run"):
                self.history.add(self.selection)
            self.selection = ref
            self.versions["selection"] += 1
            self.post(SelectionChanged(ref, by))

    def select_node(self, node: int | None, by: str) -> None:
        """Select the resource of a node of the run's graph, if there is one."""
        if node is not None:
            self.select(self.timeline.graph.refs[node], by)

    def revisit(self, *, back: bool) -> None:
        """Select the resource that was selected before, or after."""
        found = self.selection and self.history.revisit(self.selection, back=back)
        if found:
            self.select(found, "history")

    @property
    def selected_node(self) -> int | None:
        """Return the node of the selection in the run's graph."""
        if self._branch is None or self.selection is None:
            return None
        try:
            return self.timeline.graph.find(str(self.selection))
        except KeyError:
            return None

    @property
    def next_ref(self) -> ResourceRef | None:
        """Return the resource that a step would apply."""
        timeline = self.timeline
        if timeline.position < len(timeline):
            node = self.story.following(timeline.position)
        else:
            node = timeline.next
        return None if node is None else timeline.graph.refs[node]

    # ------------------------------------------------------------------ the run

    def steps(self, command: Command) -> Generator[int, None, None]:
        """Carry out a command; yield the position after each of its steps.

        A command that cannot be carried out is refused with a notice. A command that leaves the
        known path of the run starts a branch.
        """
        try:
            self.refuse(command)
            command = self.as_step(command)
        except CommandError as error:
            self.notify(str(error), "warning")
            return
        follows = self.selection == self.next_ref
        begin = self.timeline.position
        self.busy = True
        try:
            if isinstance(command, Walk):
                yield from self.timeline.walk(command)
                return
            if self.leaves_path(command):
                self.start_branch(command)
            else:
                self.timeline.do(command)
            yield self.timeline.position
        except CommandError as error:
            self.notify(str(error), "warning")
        finally:
            self.busy = False
            self.after(follows or self.has_jumped(command, begin))
            if isinstance(command, Walk) and self.timeline.position != begin:
                self.notify_stop(command)

    def refuse(self, command: Command) -> None:
        """Refuse a command that the kind of run does not allow.

        Raises:
            CommandError: the reason.
        """
        if self.busy:
            raise CommandError(BUSY)
        if self.real_run is not None and self.real_run.broken:
            raise CommandError(self.real_run.broken)
        steering = isinstance(command, Inject | SetNoop | Pick)
        injects = isinstance(command, Inject) and self.project and self.project.otherwise
        if self.kind.fixed and steering and not injects:
            raise CommandError(self.kind.fixed)
        if self.kind.changes and self.leaves_path(command):
            raise CommandError(
                "a real run has no branches, as its changes stay: press '.' to return to its end"
            )

    def as_step(self, command: Command) -> Command:
        """Return a step in place of a pick of the next resource."""
        ahead = self.timeline.position < len(self.timeline)
        if isinstance(command, Pick) and ahead and str(self.next_ref) == command.ref:
            return Step()
        return command

    def leaves_path(self, command: Command) -> bool:
        """Return whether a command leaves the known path of the run."""
        ahead = self.timeline.position < len(self.timeline)
        ahead = ahead or bool(self.project and self.project.otherwise)
        return ahead and isinstance(command, Inject | SetNoop | Pick)

    def start_branch(self, command: Command) -> None:
        """Start a branch here with a command; the old branch is kept."""
        old = self.branch
        name = f"branch {len(self.branches) + 1}"
        if isinstance(command, Inject) and self.project and self.project.otherwise:
            new = branch_with_outcome(self.project, old, command)
            new.name, new.reason = name, in_words(command)
        else:
            new = old.fork(name, in_words(command))
            new.timeline.do(command)
        self.branches.append(new)
        self.enter(new)
        self.notify(f"started {name}; '{old.name}' is unchanged")

    def enter(self, branch: Branch) -> None:
        """Make a branch the current one."""
        self._branch = branch
        if branch.project is not None and branch.project is not self.project:
            self.project = branch.project
            self.prepared = Prepared(branch, ContainerTree(branch.project.runs))
            self._cycles = None
            self.versions["project"] += 1
            self.stops = breakpoints.known(self.stops, branch.timeline.graph)
        self.show_stops()

    def has_jumped(self, command: Command, begin: int) -> bool:
        """Return whether a command led to a breakpoint or a step: the next resource is shown."""
        if self.timeline.position == begin:
            return False
        hit = isinstance(command, Walk) and self.timeline.breakpoints.hit(self.timeline.moment)
        return bool(hit) or isinstance(command, GoTo)

    def notify_stop(self, command: Walk) -> None:
        """Show why a continuous run stopped."""
        timeline = self.timeline
        hit = timeline.breakpoints.hit(timeline.moment)
        if hit is not None:
            self.notify(f"stopped at step {timeline.position}: {hit.text}")
        elif timeline.next is None and not isinstance(command, Back):
            severity = "error" if timeline.status in FAILED else "information"
            self.notify(f"the run has ended: {self.ending}", severity)

    @property
    def ending(self) -> str:
        """Return the status of the run as text."""
        return ended(self.timeline.status, self.branch.rollup.counts[None])

    def after(self, follows: bool) -> None:
        """Show the run after a command; if the next resource was selected, select the new one."""
        self.run_changed()
        if follows and self.next_ref is not None:
            self.select(self.next_ref, "run")

    def run_changed(self) -> None:
        """Update the counts, and make the screens show the run."""
        self.branch.follow()
        self.versions["run"] += 1
        self.post(RunChanged())

    def switch(self, branch: Branch) -> None:
        """Show another branch."""
        self.enter(branch)
        self.run_changed()

    # ------------------------------------------------------------------ breakpoints

    def toggle_stop(self, text: str) -> bool:
        """Set or remove a breakpoint, as the user wrote it; return whether it is set now."""
        if any(row.text == text for row in self.stops):
            self.set_stops(tuple(row for row in self.stops if row.text != text))
            return False
        try:
            row = breakpoints.parse(text, self.timeline.graph)
        except CommandError as error:
            self.notify(str(error), "warning")
            return False
        self.set_stops((*self.stops, row))
        return True

    def set_stops(self, stops: tuple[Breakpoint, ...]) -> None:
        """Replace the breakpoints."""
        self.stops = stops
        self.show_stops()
        self.run_changed()

    def show_stops(self) -> None:
        """Pass the breakpoints to the run, and record their resources."""
        self.timeline.breakpoints = Breakpoints(rows=self.stops)
        self.marked = marked(self.stops, self.timeline.graph)


# The statuses of a run that ended badly: Puppet's, and the agent's.
FAILED = ("failed", "not kept")
