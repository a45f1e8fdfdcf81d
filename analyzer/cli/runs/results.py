"""Settings of a run from the options, and its output: text, JSON, Puppet's log and report."""

from __future__ import annotations

from analyzer.cli.shared.inputs import version_of
from analyzer.cli.shared.output import emit, style_for
from analyzer.session.settings import config_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

    from analyzer.apply.engine.skipping import RunSettings
    from analyzer.apply.report.from_timeline import RunTimes
    from analyzer.apply.timeline import Timeline
    from analyzer.cli.runs.hosts import Unannounced
    from analyzer.cli.shared.options import Options


def settings_of(options: Options, now: datetime, unannounced: Unannounced) -> RunSettings:
    """Return the settings of a run."""
    from analyzer.apply.engine.skipping import RunSettings
    from analyzer.model.tags import split_tags

    return RunSettings(
        noop=options.noop,
        look_only=options.noop and options.real,
        tags=split_tags(options.tags or ""),
        skip_tags=split_tags(options.skip_tags or ""),
        puppet_version=version_of(options, config_for(options.inputs[0], options.config)),
        now=now,
        unannounced=unannounced,
    )


def write_report(timeline: Timeline, path: str, clock: RunTimes | None = None, *words: str) -> None:
    """Write Puppet's report of a run.

    Raises:
        OSError: it cannot be written.
    """
    import time

    from analyzer.apply.report import from_timeline, write

    clock = clock or from_timeline.RunTimes(time.time())
    report = from_timeline.report_of(timeline, clock, last_words=words)
    text = write.to_json(report) if path.endswith(".json") else write.to_yaml(report)
    emit(text, path, private=True)


def rendered(timeline: Timeline, options: Options) -> str:
    """Return the run in the selected format."""
    from analyzer.export.runs import result as run

    if options.format == "json":
        return run.as_json(timeline)
    if options.format == "puppet":
        return run.as_console(timeline, level_of(options), style_for(options))
    return run.as_text(timeline, style_for(options), everything=options.all)


def level_of(options: Options) -> str:
    """Return the lowest level of printed lines."""
    return "debug" if options.debug else "info" if options.verbose else "notice"
