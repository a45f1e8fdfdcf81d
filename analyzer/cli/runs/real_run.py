"""`catgraph apply --real`: the plan, the confirmation, the run, and its report."""

from __future__ import annotations

import os
import signal
import sys
import time
from dataclasses import replace

from analyzer.cli.runs.hosts import graph_for, providers_for
from analyzer.cli.runs.results import level_of, rendered, settings_of, write_report
from analyzer.cli.shared.completeness import hides
from analyzer.cli.shared.output import emit, print_error, style_for, usage_error
from analyzer.escape import one_line
from analyzer.session.settings import config_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from typing import Any

    from analyzer.apply.engine.run_graph import RunGraph
    from analyzer.apply.engine.skipping import RunSettings
    from analyzer.apply.engine.transaction import Listen
    from analyzer.apply.journals.state_folder import StateFolder
    from analyzer.apply.providers.table import Providers
    from analyzer.apply.timeline import Timeline
    from analyzer.cli.shared.options import Options
    from analyzer.graph.relationship_graph import RelationshipGraph

USAGE, FINDINGS, CLEAN, INCOMPLETE = 2, 1, 0, 3
# The exit code of a process that a signal ended: this plus the signal's number.
BY_SIGNAL = 128


def run_real(options: Options, now: datetime) -> int:
    """Make the run and print it, unless it cannot be confirmed or another run is in progress."""
    if not (options.noop or options.yes or sys.stdin.isatty()):
        return usage_error(
            "apply",
            "--real asks for confirmation, but there is no terminal; use --yes to skip "
            "the question",
        )
    if options.noop:
        return RealRun(options, now, None).run()
    from analyzer.apply.journals.state_folder import BusyError, StateFolder, folder_for

    folder = StateFolder(folder_for(options.state_dir, os.environ))
    try:
        lock = folder.lock(options.root or "/", {"user": user(), "since": time.ctime()})
    except BusyError as error:
        return usage_error("apply", str(error))
    try:
        return RealRun(options, now, folder).run()
    finally:
        lock.release()


def user() -> str:
    """Return the name of the user who makes the run, for its journal."""
    return os.environ.get("USER") or f"user {os.geteuid()}"


class Signals:
    """Handles signals: the first one is recorded, the second one ends the run."""

    def __init__(self) -> None:
        self.caught = 0

    def __enter__(self) -> Signals:
        numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        # Ignored signals stay ignored: with nohup, and in the background of a shell.
        heard = [n for n in numbers if signal.getsignal(n) is not signal.SIG_IGN]
        self._before = {number: signal.signal(number, self.catch) for number in heard}
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def catch(self, number: int, _: object) -> None:
        """Record a signal.

        Raises:
            KeyboardInterrupt: it is not the first.
        """
        if self.caught:
            raise KeyboardInterrupt
        self.caught = number
        words = "stopping after the current resource; press again to stop at once"
        print_error(f"{signal.Signals(number).name}: {words}")


class RealRun:
    """One run on this host, or its plan; `folder` is None if nothing is changed."""

    def __init__(self, options: Options, now: datetime, folder: StateFolder | None) -> None:
        from analyzer.apply.engine.run_graph import RunGraph
        from analyzer.apply.providers.machine.backups import BackupStore
        from analyzer.apply.providers.machine.local import LocalHost

        self.options = options
        self.folder = folder
        self.journal = ""
        self.path = options.inputs[0]
        self.style = style_for(options)
        self.config = config_for(self.path, options.config)
        self.providers: Providers = providers_for(self.path, options, self.config)
        store = BackupStore(str(folder.backups)) if folder else None
        self.host = LocalHost(options.root or "/", store)
        started = time.monotonic()
        graph, unannounced = graph_for(self.path, options, self.providers, self.host)
        self.retrieval = time.monotonic() - started
        self.relations: RelationshipGraph = graph
        self.graph: RunGraph = RunGraph(graph)
        self.settings: RunSettings = settings_of(options, now, unannounced)
        if folder:
            self.settings = replace(self.settings, checked=folder.checked(self.host.root))

    def run(self) -> int:
        """Show the plan, ask for confirmation, and make the run; return the exit code."""
        if self.folder and hides(self.relations.gaps) and not self.options.allow_incomplete:
            from analyzer.model.completeness import REFUSED_RUN

            print_error(f"catgraph apply: error: {REFUSED_RUN}")
            return INCOMPLETE
        declined = self.plan() if self.folder else None
        return self.make() if declined is None else declined

    def plan(self) -> int | None:
        """Show the plan and ask for confirmation; return an exit code if it is declined."""
        sure = bool(self.options.yes)
        if self.relations.has_cycle or self.relations.missing():
            return None
        if sure and (self.options.format != "text" or self.options.output):
            return None
        lines = list(self.planned())
        for line in ("plan:", *(lines or ["nothing to change"]), ""):
            if sure:
                print_line(line)
            else:
                print_error(line)
        if sure or (lines and ask_confirmation()):
            return None
        return FINDINGS if lines else CLEAN

    def planned(self) -> Iterator[str]:
        """Yield the plan for the current state of the host."""
        from analyzer.apply.engine.run_graph import RunGraph
        from analyzer.apply.engine.world import PlannedHost
        from analyzer.apply.overlay import FileOverlay
        from analyzer.apply.timeline import Timeline
        from analyzer.export.runs.progress import plan_text

        world = PlannedHost(find=self.providers.find, host=FileOverlay(self.host))
        timeline = Timeline(RunGraph(self.relations), world, self.settings).run()
        if timeline.error:
            yield f"the run fails: {timeline.error}"
        yield from plan_text(timeline, world.diffs, self.style)

    def make(self) -> int:
        """Make the run, and write its report."""
        from analyzer.apply.engine.world import Hosted
        from analyzer.apply.journals.journal import RunJournal
        from analyzer.apply.journals.recorder import EventRecorder, run_unless
        from analyzer.apply.timeline import Timeline

        journal = None
        if self.folder:
            self.journal = self.folder.new_journal()
            self.host.forget_leftovers()
            journal = RunJournal(self.journal, self.header(), self.graph)
        recorder = EventRecorder(journal, self.listeners())
        with Signals() as signals:
            timeline = Timeline(
                self.graph,
                Hosted(self.providers.find, self.host),
                self.settings,
                listen=recorder.listen,
            )
            stopped = run_unless(timeline, lambda: bool(signals.caught or recorder.broken))
        caught = signal.Signals(signals.caught).name.removeprefix("SIG") if stopped else ""
        words = [f"Caught {caught}; exiting"] if signals.caught and stopped else []
        self.keep_checked(timeline)
        self.finish(timeline, recorder, words)
        if recorder.broken:
            said = f"{recorder.broken.filename}: {recorder.broken.strerror}"
            print_error(f"catgraph apply: error: cannot write the journal: {said}")
            return USAGE
        if signals.caught and stopped:
            return BY_SIGNAL + signals.caught
        return int(timeline.status == "failed")

    def header(self) -> dict[str, object]:
        """Return the run that its journal describes."""
        from analyzer.apply.journals.recordings import header_of

        types = self.config.types if self.config else {}
        return header_of(
            self.graph,
            self.settings,
            types,
            host=os.uname().nodename,
            root=self.host.root,
            input=self.path,
            figures={"config_retrieval": self.retrieval},
        )

    def keep_checked(self, timeline: Timeline) -> None:
        """Store the times at which resources with a schedule were checked."""
        from analyzer.apply.engine.events import Evaluated

        if not self.folder:
            return
        seen = (event.node for event in timeline.events if isinstance(event, Evaluated))
        resources = (self.graph.resource(node) for node in seen)
        now = {
            str(one): self.settings.now
            for one in resources
            if one and one.parameters.get("schedule")
        }
        if now:
            self.folder.keep_checked(self.host.root, {**self.settings.checked, **now})

    def listeners(self) -> list[Listen]:
        """Return functions that print the progress of the run."""
        from analyzer.apply.engine.log import Log
        from analyzer.export.runs.progress import Console, ProgressLines

        if self.options.format == "json" or self.options.output:
            return []
        if self.options.format == "puppet":
            log = Log(self.graph, self.settings)
            return [Console(log, level_of(self.options), print_line, self.style).listen]
        return [ProgressLines(self.graph, print_line, self.style).listen]

    def finish(self, timeline: Timeline, recorder: Any, words: list[str]) -> None:
        """Print the summary and write the report."""
        from analyzer.apply.report.from_timeline import RunTimes
        from analyzer.export.runs.progress import verdict
        from analyzer.export.runs.result import applied_in, failed_with

        seconds = recorder.seconds
        options = self.options
        if options.format == "json" or options.output:
            emit(rendered(timeline, options), options.output)
        elif options.format == "puppet":
            last = failed_with(timeline, self.style) if timeline.error else applied_in(seconds)
            for line in (*(f"Notice: {word}" for word in words), last):
                print_line(line)
        else:
            error = [rendered(timeline, options)] if timeline.error else []
            told = [f"journal: {self.journal}"] if self.journal else []
            for line in (*error, verdict(timeline, seconds, self.style), *told):
                print_line(line)
        if options.report:
            figures = {"config_retrieval": self.retrieval, "transaction_evaluation": seconds}
            clock = RunTimes(recorder.start, recorder.at, figures, os.uname().nodename)
            write_report(timeline, options.report, clock, *words)


def print_line(line: str) -> None:
    """Print a line at once; a closed output does not end the run."""
    try:
        print(one_line(line), flush=True)
    except UnicodeEncodeError:
        print(ascii(line)[1:-1], flush=True)
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def ask_confirmation() -> bool:
    """Ask on the terminal; return whether the answer is the word yes."""
    print("Apply this plan? Type 'yes' to confirm: ", end="", file=sys.stderr, flush=True)
    answer = ""
    try:
        answer = sys.stdin.readline().strip()
    finally:
        if answer != "yes":
            print("nothing was changed", file=sys.stderr)
    return answer == "yes"
