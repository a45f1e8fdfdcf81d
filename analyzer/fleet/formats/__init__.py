"""The formats of an answer, a file each: `render(report) -> str`."""

from __future__ import annotations

from importlib import import_module

from analyzer.fleet.report import FleetReport

FORMATS = {
    "text": "analyzer.fleet.formats.text",
    "json": "analyzer.fleet.formats.json",
    "sarif": "analyzer.fleet.formats.sarif",
    "markdown": "analyzer.fleet.formats.markdown",
    "html": "analyzer.fleet.formats.html",
    "openmetrics": "analyzer.fleet.formats.openmetrics",
}


def render(name: str, report: FleetReport) -> str:
    """Return a report in a format."""
    text: str = import_module(FORMATS[name]).render(report)
    return text
