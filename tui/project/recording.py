"""Makes the project of a recorded run: a report, a journal, or the outcome of a simulated run."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from analyzer.apply.engine.commands import Restart
from analyzer.apply.report import runs
from analyzer.apply.report.replay import catalog_of, steps_of
from analyzer.apply.report.run import ReportedRun
from analyzer.apply.report.run import of_report as run_of
from analyzer.apply.timeline import Timeline
from tui.project.project import Project

if TYPE_CHECKING:
    from analyzer.apply.report.values import RunReport
    from tui.project.project import OpenRequest, Progress

NO_CATALOG = "a report has no relationships: name its catalog with --catalog FILE"


def of_run(request: OpenRequest, data: bytes, progress: Progress) -> Project | None:
    """Return the project of a recorded run; None if the data is not a recorded run.

    Raises:
        InputError: it is damaged, or its catalog cannot be read.
    """
    if runs.is_journal(data):
        return of_journal(request, data, progress)
    if not runs.holds_run(data, request.path):
        return None
    progress("reading the report")
    report = report_of(data, request.path)
    run = runs.load(data, request.path) if report is None else run_of(report, request.path)
    return project_of(request, run, report, progress)


def of_journal(request: OpenRequest, data: bytes, progress: Progress) -> Project:
    """Return the project of a journal, which has its own catalog."""
    from analyzer.apply.journals.journal import read_journal
    from analyzer.apply.journals.recordings import graph_of
    from analyzer.apply.report.from_timeline import report_of_recording
    from tui.project.catalog import configuration, of_graph

    progress("reading the journal")
    recording = read_journal(request.path, data)
    graph = graph_of(recording)
    project = of_graph(request, graph, "log", configuration(request)[0], progress)
    progress("replaying the journal")
    steps = recording.timeline(graph)
    report = report_of_recording(recording, steps)
    when = str(recording.header["time"])[:16].replace("T", " ")
    host = recording.header.get("host") or graph.catalog.name

    def record() -> Timeline:
        timeline = steps.fork()
        timeline.do(Restart())
        return timeline

    torn = ("the last line of the journal is incomplete: skipped it",) if recording.torn else ()
    return replace(
        project,
        title=f"{host}  {when}",
        runs=steps.graph,
        settings=recording.settings,
        warnings=(*project.warnings, *torn),
        record=record,
        run=run_of(report, request.path),
    )


def report_of(data: bytes, path: str) -> RunReport | None:
    """Return the report that a file holds, None if it is a simulated outcome."""
    from analyzer.apply.report import outcomes, read_json, read_yaml
    from analyzer.frontends.json_document import parse_json

    text = runs.text_of(data, path)
    if not runs.is_json(text):
        return read_yaml.read(text, path)
    document = parse_json(data, path)
    return None if outcomes.is_outcome(document) else read_json.from_document(document, path)


def project_of(
    request: OpenRequest, run: ReportedRun, report: RunReport | None, progress: Progress
) -> Project:
    """Return the run on the graph of its catalog, or on the resources of the report alone."""
    from analyzer.session.inputs import load_catalog
    from tui.project.catalog import built

    named = request.options.get("catalog")
    catalog = load_catalog(named) if named else catalog_of(run, report)
    project = built(request, catalog, "report", progress)
    progress("replaying the report")
    steps, lost = steps_of(project.runs, run, report.logs if report else ())
    warnings = list(project.warnings)
    if not named:
        warnings.append(NO_CATALOG)
    if lost:
        warnings.append(
            f"{len(lost)} resources of the report are not in the catalog: {lost[0]} ..."
        )
    when = f"  {run.time[:16].replace('T', ' ')}" if run.time else ""

    def record() -> Timeline:
        return Timeline(project.runs, settings=project.settings, recorded=steps)

    return replace(
        project,
        title=f"{run.name}{when}",
        warnings=tuple(warnings),
        record=record,
        has_catalog=bool(named),
        run=run,
    )
