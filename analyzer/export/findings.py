"""The formats in which findings are handed to other programs: a row each."""

from __future__ import annotations

from importlib import import_module

from analyzer.graph.findings import Report

# name: module with `render(report) -> str`
FORMATS = {
    "json": "analyzer.export.cycles_json",
    "sarif": "analyzer.export.sarif",
    "junit": "analyzer.export.junit",
    "github": "analyzer.export.github",
    "markdown": "analyzer.export.markdown",
}


def render(name: str, report: Report) -> str:
    """Return what was found in one of the formats."""
    text: str = import_module(FORMATS[name]).render(report)
    return text
