"""What is open and selected, and the carrying out of commands; tells of changes in messages."""

from __future__ import annotations

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
    Restart,
    SetNoop,
    Step,
    StepBack,
    Walk,
)
from tui.present.tree import Tree
from tui.run.agent_outcomes import another_way
from tui.run.branch import Branch, Prepared, prepare
from tui.run.kinds import KINDS, MAKE, Kind, kinds_of
from tui.run.local import Held
from tui.run.messages import ProjectOpened, RunChanged, SelectionChanged, Told

if TYPE_CHECKING:
    from textual.message import Message

    from analyzer.apply.timeline import Timeline
    from analyzer.diagnostics import Finding
    from analyzer.graph.cycles.search import Cycle
    from analyzer.model.refs import ResourceRef
    from analyzer.source import Span
    from tui.present.edges import EdgeIndex
    from tui.project.project import Project
    from tui.run.story import Story

# How many selections are remembered.
REMEMBERED = 200


class InHand(NamedTuple):
    """The resource that is being applied, and since when on the monotonic clock."""

    ref: str
    since: float


class Controller:
    """The one state behind all screens; `tell` passes a message on.

    `versions` count the changes of project, run and selection: what is not on view looks at them
    when it comes up. `busy` says that a run is going on by itself.
    """

    def __init__(self, tell: Callable[[Message], object]) -> None:
        self.tell = tell
        self.project: Project | None = None
        self.selection: ResourceRef | None = None
        self.kind: Kind = KINDS["simulated"]
        self.branches: list[Branch] = []
        self._branch: Branch | None = None
        self._cycles: list[Cycle] | None = None
        self.stops: tuple[Breakpoint, ...] = ()
        self.marked: frozenset[int] = frozenset()
        self.busy = False
        self.in_hand: InHand | None = None
        self.held: Held | None = None
        # The place of a manifest that the screen Source is to show when it comes up.
        self.place: Span | None = None
        # Whether the screen Graph is to walk round a cycle when it comes up.
        self.wants_cycle = False
        # What the lint found, and in which project.
        self.findings: tuple[Project | None, tuple[Finding, ...]] = (None, ())
        self.past: list[ResourceRef] = []
        self.future: list[ResourceRef] = []
        self.versions = {"project": 0, "run": 0, "selection": 0}

    @property
    def branch(self) -> Branch:
        """The way of the run that is gone through.

        Raises:
            RuntimeError: nothing is open.
        """
        if self._branch is None:
            raise RuntimeError("nothing is open")
        return self._branch

    @property
    def timeline(self) -> Timeline:
        """The time line of the branch."""
        return self.branch.timeline

    @property
    def story(self) -> Story:
        """What is known of the branch, step by step."""
        return self.branch.story

    @property
    def edges(self) -> EdgeIndex:
        """The relationships of what is open, by resource."""
        if self.project is None:
            raise RuntimeError("nothing is open")
        return self.project.edges

    # ------------------------------------------------------------------ what is open

    def open(self, project: Project, prepared: Prepared | None = None) -> None:
        """Take a project in the place of the one that is open, with what was made of it."""
        self.release()
        self.project = project
        self.prepared = prepared or prepare(project)
        self.stops, self.marked = (), frozenset()
        self.past, self.future = [], []
        self.selection = None
        self._cycles = None
        self.versions["project"] += 1
        self.kind = kinds_of(project)[0]
        self.take(self.prepared.branch)
        self.tell(ProjectOpened(project))

    def start(self, kind: str) -> None:
        """Begin a run of a kind; those that were are forgotten.

        Raises:
            BusyError: another run is changing this machine.
            OSError: the journal of a real run cannot be written.
        """
        if self.project is None:
            return
        self.release()
        started = MAKE[kind](self.project)
        self.kind, self.held = KINDS[kind], started.held
        branch = Branch.first(started.timeline, self.branch)
        if started.project.runs is not self.project.runs:
            self.prepared = Prepared(branch, Tree(started.project.runs))
            self.versions["project"] += 1
        self.project = started.project
        self.take(branch)

    def release(self) -> None:
        """Let go of the machine, where a real run held it."""
        if self.held is not None:
            self.held.release()
            self.held = None

    def take(self, branch: Branch) -> None:
        """Let a branch be the only one."""
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
        """Return the cycles of what is open; they are looked for once."""
        if self._cycles is None:
            self._cycles = self.timeline.graph.graph.cycles()
        return self._cycles

    # ------------------------------------------------------------------ the selection

    def select(self, ref: ResourceRef | str | None, by: str = "") -> None:
        """Make a resource or container the one that all screens show.

        A text is looked up as people write it; what is not there is told of.
        """
        if isinstance(ref, str):
            try:
                graph = self.timeline.graph
                ref = graph.refs[graph.find(ref)]
            except (KeyError, RuntimeError) as error:
                self.tell(Told(str(error.args[0]), "warning"))
                return
        if ref != self.selection:
            if self.selection is not None and by not in ("history", "run"):
                self.past = [*self.past[-REMEMBERED:], self.selection]
                self.future = []
            self.selection = ref
            self.versions["selection"] += 1
            self.tell(SelectionChanged(ref, by))

    def revisit(self, *, back: bool) -> None:
        """Select what was selected before, or after that."""
        here, there = (self.past, self.future) if back else (self.future, self.past)
        if here and self.selection is not None:
            there.append(self.selection)
            self.select(here.pop(), "history")

    @property
    def selected_node(self) -> int | None:
        """The node of the selection in the run's graph."""
        if self._branch is None or self.selection is None:
            return None
        try:
            return self.timeline.graph.find(str(self.selection))
        except KeyError:
            return None

    @property
    def next_ref(self) -> ResourceRef | None:
        """The resource that a step would apply."""
        timeline = self.timeline
        if timeline.position < len(timeline):
            node = self.story.following(timeline.position)
        else:
            node = timeline.next
        return None if node is None else timeline.graph.refs[node]

    # ------------------------------------------------------------------ the run

    def do(self, command: Command) -> bool:
        """Carry out a command; return whether that was possible, what hinders is told.

        Another way than the known one makes a branch of its own.
        """
        follows = self.selection == self.next_ref
        try:
            self.refuse(command)
            command = self.known(command)
            if self.parts(command):
                self.part(command)
            else:
                self.timeline.do(command)
        except CommandError as error:
            self.tell(Told(str(error), "warning"))
            return False
        self.after(follows)
        return True

    def refuse(self, command: Command) -> None:
        """Refuse what a kind of run does not allow.

        Raises:
            CommandError: it does not.
        """
        if self.busy:
            raise CommandError("the run is going on: esc stops it")
        if self.held is not None and self.held.broken:
            raise CommandError(self.held.broken)
        steering = isinstance(command, Inject | SetNoop | Pick)
        told = isinstance(command, Inject) and self.project and self.project.otherwise
        if self.kind.fixed and steering and not told:
            raise CommandError(self.kind.fixed)
        if self.kind.changes and self.parts(command):
            raise CommandError("what is done on this machine stays done: '.' goes to where it is")

    def known(self, command: Command) -> Command:
        """Return a step in place of a pick of what comes next anyway."""
        ahead = self.timeline.position < len(self.timeline)
        if isinstance(command, Pick) and ahead and str(self.next_ref) == command.ref:
            return Step()
        return command

    def parts(self, command: Command) -> bool:
        """Tell whether a command leaves the way that the run went."""
        ahead = self.timeline.position < len(self.timeline)
        ahead = ahead or bool(self.project and self.project.otherwise)
        return ahead and isinstance(command, Inject | SetNoop | Pick)

    def part(self, command: Command) -> None:
        """Go another way from here; the one that is known is kept."""
        old = self.branch
        name = f"branch {len(self.branches) + 1}"
        if isinstance(command, Inject) and self.project and self.project.otherwise:
            new = another_way(self.project, old, command)
            new.name, new.reason = name, said(command)
        else:
            new = old.fork(name, said(command))
            new.timeline.do(command)
        self.branches.append(new)
        self.enter(new)
        self.tell(Told(f"{name} begins here; '{old.name}' is kept as it went"))

    def enter(self, branch: Branch) -> None:
        """Let a branch be the one that is gone through."""
        self._branch = branch
        if branch.project is not None and branch.project is not self.project:
            self.project = branch.project
            self.prepared = Prepared(branch, Tree(branch.project.runs))
            self._cycles = None
            self.versions["project"] += 1
            self.stops = breakpoints.known(self.stops, branch.timeline.graph)
        self.show_stops()

    def walk(self, command: Walk) -> Generator[int, None, None]:
        """Go on by itself, a step at a time; what hinders is told.

        The caller says when to look: `after` is called at the end.
        """
        follows = self.selection == self.next_ref
        begin = self.timeline.position
        try:
            self.refuse(command)
            self.busy = True
            yield from self.timeline.walk(command)
        except CommandError as error:
            self.tell(Told(str(error), "warning"))
        finally:
            self.busy = False
            self.after(follows)
            if self.timeline.position != begin:
                self.tell_where(command)

    def tell_where(self, command: Walk) -> None:
        """Say why a run that went on by itself has come to rest."""
        timeline = self.timeline
        hit = timeline.breakpoints.hit(timeline.moment)
        if hit is not None:
            self.tell(Told(f"stopped at step {timeline.position}: {hit.text}"))
        elif timeline.next is None and not isinstance(command, Back):
            self.tell(Told(f"the run is at its end: {timeline.status}"))

    def after(self, follows: bool) -> None:
        """Take in what has happened; a selection that was next stays with what is next."""
        self.run_changed()
        if follows and self.next_ref is not None:
            self.select(self.next_ref, "run")

    def run_changed(self) -> None:
        """Tell that the run looks otherwise."""
        self.branch.follow()
        self.versions["run"] += 1
        self.tell(RunChanged())

    def switch(self, branch: Branch) -> None:
        """Go through another branch."""
        self.enter(branch)
        self.run_changed()

    # ------------------------------------------------------------------ breakpoints

    def toggle_stop(self, text: str) -> bool:
        """Set a breakpoint as a person writes it, or take it away; return whether it is set."""
        if any(row.text == text for row in self.stops):
            self.set_stops(tuple(row for row in self.stops if row.text != text))
            return False
        try:
            row = breakpoints.parse(text, self.timeline.graph)
        except CommandError as error:
            self.tell(Told(str(error), "warning"))
            return False
        self.set_stops((*self.stops, row))
        return True

    def set_stops(self, stops: tuple[Breakpoint, ...]) -> None:
        """Let these be the breakpoints."""
        self.stops = stops
        self.show_stops()
        self.run_changed()

    def show_stops(self) -> None:
        """Give the breakpoints to the run, and note which resources they are at."""
        graph = self.timeline.graph
        self.timeline.breakpoints = Breakpoints(rows=self.stops)
        marked: set[int] = set()
        for row in self.stops:
            if row.enabled and row.kind == "before":
                marked |= row.nodes
            elif row.enabled and row.kind == "entering":
                marked.add(graph.find(row.text.partition(" if ")[0]))
        self.marked = frozenset(marked)


def said(command: Command) -> str:
    """Return a command in words."""
    match command:
        case Pick(ref):
            return f"{ref} came first"
        case Inject(ref, outcome):
            told = [
                w
                for w in (outcome.apply, f"refresh {outcome.refresh}" * bool(outcome.refresh))
                if w
            ]
            return f"{ref}: {', '.join(told) or 'as it would'}"
        case SetNoop(noop, ref):
            return f"noop {'on' if noop else 'off'} {f'for {ref}' if ref else 'for all'}"
        case Step() | StepBack() | GoTo() | Restart():
            return type(command).__name__.lower()
    return ""
