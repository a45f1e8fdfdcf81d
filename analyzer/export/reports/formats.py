"""The table of formats for findings."""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from analyzer.diagnostics import Results
    from analyzer.graph.findings import CyclesReport

# The formats of `cycles`; name: module with `render(report) -> str`, unless it is also below.
FORMATS = {
    "json": "analyzer.export.reports.cycles_json",
    "sarif": "analyzer.export.reports.sarif",
    "junit": "analyzer.export.reports.cycles_junit",
    "github": "analyzer.export.reports.github",
    "markdown": "analyzer.export.reports.cycles_markdown",
}

# The formats of findings of any kind; name: module with `render(results) -> str`
OF_FINDINGS = {
    "json": "analyzer.export.reports.lint_json",
    "sarif": "analyzer.export.reports.sarif",
    "junit": "analyzer.export.reports.lint_junit",
    "github": "analyzer.export.reports.github",
    "gitlab": "analyzer.export.reports.gitlab",
    "markdown": "analyzer.export.reports.lint_markdown",
}


def render(name: str, report: CyclesReport) -> str:
    """Return the findings of `cycles` in a format."""
    if FORMATS[name] == OF_FINDINGS[name]:
        return render_results(name, report.results)
    text: str = import_module(FORMATS[name]).render(report)
    return text


def render_results(name: str, results: Results) -> str:
    """Return findings in one of the formats."""
    text: str = import_module(OF_FINDINGS[name]).render(results)
    return text
