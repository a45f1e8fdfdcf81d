"""Starts runs on this host: noop, planned, or real; a real run holds a lock and a journal."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from analyzer.apply.engine.world import Hosted, ObservedHost, PlannedHost
from analyzer.apply.timeline import Timeline

if TYPE_CHECKING:
    from analyzer.apply.host import Host
    from analyzer.apply.journals.recorder import EventRecorder
    from analyzer.apply.journals.state_folder import Lock
    from analyzer.apply.providers.machine.backups import BackupStore
    from analyzer.apply.providers.machine.local import LocalHost
    from analyzer.apply.providers.table import Providers
    from tui.project.project import Project


@dataclass(slots=True)
class LocalRun:
    """The lock of the host and the journal, which a real run holds until it is closed."""

    lock: Lock
    recorder: EventRecorder
    journal: str

    @property
    def broken(self) -> str:
        """Return the reason why the journal cannot be written and the run must end, or nothing."""
        error = self.recorder.broken
        return f"the journal cannot be written: {error.strerror}" if error else ""

    def release(self) -> None:
        """Release the lock of the host."""
        self.lock.release()


@dataclass(frozen=True, slots=True)
class StartedRun:
    """A new run; `project` also has the resources that others generate on this host."""

    project: Project
    timeline: Timeline
    real: LocalRun | None = None


def this_host(store: BackupStore | None = None) -> LocalHost:
    """Return this host; `store` keeps the old contents of files that are changed."""
    from analyzer.apply.providers.machine.local import LocalHost

    return LocalHost("/", store)


def providers_of(project: Project) -> Providers:
    """Return the providers, which find the files of modules below the input."""
    from analyzer.apply.providers.files.sources import FileSources
    from analyzer.apply.providers.table import Providers

    if project.kind == "manifests" and project.compiled_with is not None:
        from analyzer.frontends.puppet.node.environment import find_environment

        found = find_environment(project.path, project.compiled_with)
        return Providers(FileSources(tuple(found.modulepath), found.name))
    return Providers(FileSources(project.config.modulepath if project.config else ()))


def with_generated(project: Project, providers: Providers, host: Host) -> Project:
    """Return the project with the resources that others generate on a host before the run."""
    from analyzer.apply.engine.generate import with_announced
    from analyzer.apply.engine.run_graph import RunGraph
    from analyzer.session.inputs import graph_of
    from analyzer.session.settings import rules_for
    from tui.project.neighbours import Surroundings

    failed: list[tuple[str, str]] = []
    whole = with_announced(
        project.catalog, providers.find, host, lambda ref, why: failed.append((ref, why))
    )
    settings = replace(project.settings, unannounced=tuple(failed))
    if len(whole.resources) == len(project.catalog.resources):
        return replace(project, settings=settings)
    graph = graph_of(whole, rules_for(whole, project.config))
    edges = Surroundings(graph).prepare()
    return replace(project, graph=graph, runs=RunGraph(graph), edges=edges, settings=settings)


def noop_run(project: Project) -> StartedRun:
    """Return a noop run against this host."""
    host, providers = this_host(), providers_of(project)
    whole = with_generated(project, providers, host)
    world = ObservedHost({}, project.catalog.properties, find=providers.find, host=host)
    return StartedRun(whole, Timeline(whole.runs, world, replace(whole.settings, noop=True)))


def planned_run(project: Project) -> Timeline:
    """Return a planned run at its end, with the changes that a real run would make now."""
    from analyzer.apply.engine.run_graph import RunGraph
    from analyzer.apply.overlay import FileOverlay

    host, providers = this_host(), providers_of(project)
    whole = with_generated(project, providers, host)
    world = PlannedHost(find=providers.find, host=FileOverlay(host))
    return Timeline(RunGraph(whole.graph), world, whole.settings).run()


def real_run(project: Project) -> StartedRun:
    """Return a run that changes this host.

    Raises:
        BusyError: another run is changing the host.
        OSError: the folder of the journals cannot be written.
    """
    from analyzer.apply.journals.journal import RunJournal
    from analyzer.apply.journals.recorder import EventRecorder
    from analyzer.apply.journals.recordings import header_of
    from analyzer.apply.journals.state_folder import StateFolder, folder_for
    from analyzer.apply.providers.machine.backups import BackupStore

    folder = StateFolder(folder_for(None, os.environ))
    who = os.environ.get("USER") or f"user {os.geteuid()}"
    host, providers = this_host(BackupStore(str(folder.backups))), providers_of(project)
    lock = folder.lock(host.root, {"user": who, "since": time.ctime()})
    try:
        whole = with_generated(project, providers, host)
        types = project.config.types if project.config else {}
        about = {
            "host": os.uname().nodename,
            "root": host.root,
            "input": project.path,
            "figures": {},
        }
        host.forget_leftovers()
        path = folder.new_journal()
        header = header_of(whole.runs, whole.settings, types, **about)
        recorder = EventRecorder(RunJournal(path, header, whole.runs))
        world = Hosted(providers.find, host)
        timeline = Timeline(whole.runs, world, whole.settings, listen=recorder.listen)
    except BaseException:
        lock.release()
        raise
    return StartedRun(whole, timeline, LocalRun(lock, recorder, path))
