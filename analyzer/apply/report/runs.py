"""A run from a file, whichever form it has; recognised by content."""

from __future__ import annotations

import gc
from typing import NoReturn

from analyzer.apply.report import outcomes, read_json
from analyzer.apply.report.run import ReportedRun, of_report
from analyzer.apply.report.values import RunReport
from analyzer.diagnostics import InputError
from analyzer.frontends.json_document import decode, parse_json
from analyzer.source import Span

# By this a file is known as a journal of a run.
JOURNAL = b'{"catgraph_journal":'


def holds_run(data: bytes, path: str) -> bool:
    """Return whether a file is to be read as a run: a damaged one is, and any other YAML."""
    if is_journal(data):
        return True
    text = text_of(data, path)
    if not is_json(text):
        return text.startswith("---") or yaml_report(text)
    try:
        document = parse_json(data, path)
    except InputError:
        return False
    return read_json.is_report(document) or outcomes.is_outcome(document)


def load(data: bytes, path: str) -> ReportedRun:
    """Read a run.

    Raises:
        InputError: it is no run, or damaged.
    """
    found = read_either(data, path)
    return found if isinstance(found, ReportedRun) else of_report(found, path)


def read_report(data: bytes, path: str) -> RunReport | None:
    """Read a report with its figures and its log, None for what is only simulated outcomes.

    Raises:
        InputError: it is no run, or damaged.
    """
    found = read_either(data, path)
    return found if isinstance(found, RunReport) else None


def read_either(data: bytes, path: str) -> RunReport | ReportedRun:
    """Read a report, or the run that simulated outcomes are.

    Raises:
        InputError: it is no run, or damaged.
    """
    if is_journal(data):
        return load_report(path, data)
    text = text_of(data, path)
    if is_json(text):
        return from_json(data, path)
    from analyzer.apply.report.read_yaml import read

    if not text.startswith("---") and not yaml_report(text):
        reject("not the report of a run: neither JSON nor Puppet's YAML", path)
    return read(text, path)


def load_report(path: str, data: bytes | None = None) -> RunReport:
    """Read a journal as a report.

    Raises:
        InputError: it cannot be read, or is damaged.
    """
    from analyzer.apply.journals.recordings import load_timeline
    from analyzer.apply.report.from_timeline import report_of_recording

    return report_of_recording(*load_timeline(path, data))


def from_json(data: bytes, path: str) -> RunReport | ReportedRun:
    """Read a run in JSON; the collector rests meanwhile, there is nothing to free."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        document = parse_json(data, path)
        if outcomes.is_outcome(document):
            return outcomes.from_document(document, path)
        return read_json.from_document(document, path)
    finally:
        if enabled:
            gc.enable()


def is_journal(data: bytes) -> bool:
    """Return whether a file is the journal of a run."""
    return data.startswith(JOURNAL)


def text_of(data: bytes, path: str) -> str:
    """Return the text of a file; gzip is unpacked."""
    return decode(data, path)


def is_json(text: str) -> bool:
    """Return whether a text is JSON rather than YAML."""
    return text[:1000].lstrip()[:1] in ("{", "[")


def yaml_report(text: str) -> bool:
    """Return whether a text begins or looks like the report that Puppet stores."""
    return "Puppet::Transaction::Report" in text[:300] or "\nresource_statuses:" in text


def reject(message: str, path: str) -> NoReturn:
    """Raise the one error."""
    raise InputError(message, Span(path), "bad-report")
