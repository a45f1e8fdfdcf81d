"""Findings as JUnit XML, which every build server shows: a suite for each catalog."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.diagnostics import Finding
from analyzer.export.encode import xml_text
from analyzer.graph.findings import Check, CyclesReport, finding_text
from analyzer.model.completeness import statement
from analyzer.model.nouns import CFENGINE, counted

# The test cases, each with the code of findings that make it fail.
CASES = (("relationship targets exist", "CG201"), ("dependency cycles", "CG301"))
OF_POLICIES = (("no promises wait for each other", "CG511"),)


def render(report: CyclesReport) -> str:
    """Return the document; an unreadable input is a suite with an error."""
    failures = sum(failing(check) for check in report.checks) + len(report.worlds)
    tests = sum(len(cases(check)) for check in report.checks) + len(report.unreadable)
    tests += len(report.worlds)
    counts = f'tests="{tests}" failures="{failures}" errors="{len(report.unreadable)}"'
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<testsuites name="catgraph cycles" {counts}>',
    ]
    for check in report.checks:
        lines += suite(check)
    for one in report.worlds:
        lines += in_world(one.finding)
    for name, message in report.unreadable:
        lines += unreadable(name, message)
    return "\n".join([*lines, "</testsuites>"]) + "\n"


def cases(check: Check) -> tuple[tuple[str, str], ...]:
    """Return the test cases of a catalog, or of the run of a policy."""
    return OF_POLICIES if check.graph.catalog.nouns is CFENGINE else CASES


def failing(check: Check) -> int:
    """Return the number of failing cases."""
    return len({finding.code for finding in check.findings})


def suite(check: Check) -> list[str]:
    """Return the lines for one catalog."""
    name = attribute(check.name)
    counts = f'tests="{len(cases(check))}" failures="{failing(check)}" errors="0"'
    lines = [f'  <testsuite name="{name}" {counts}>']
    for title, code in cases(check):
        head = f'    <testcase classname="{name}" name="{title}"'
        found = [finding for finding in check.findings if finding.code == code]
        if found:
            lines += [f"{head}>", failure(title, code, found), "    </testcase>"]
        elif not check.graph.is_complete:
            lines += [f"{head}>", skipped(check), "    </testcase>"]
        else:
            lines.append(f"{head}/>")
    return [*lines, "  </testsuite>"]


def in_world(finding: Finding) -> list[str]:
    """Return the suite for the findings of another world."""
    name, title = attribute(finding.input), "other facts and parameters"
    return [
        f'  <testsuite name="{name}" tests="1" failures="1" errors="0">',
        f'    <testcase classname="{name}" name="{title}">',
        failure(title, finding.code, [finding]),
        "    </testcase>",
        "  </testsuite>",
    ]


def skipped(check: Check) -> str:
    """Return a skipped case: it has no answer because of a gap."""
    text = "; ".join(statement(check.graph.gaps))
    return f'      <skipped message="{attribute(text)}"/>'


def failure(title: str, code: str, found: Sequence[Finding]) -> str:
    """Return a failure: the message or the number of messages, and all of them as text."""
    message = found[0].message if len(found) == 1 else f"{title}: {counted(len(found), 'finding')}"
    text = "\n\n".join(map(finding_text, found))
    return f'      <failure message="{attribute(message)}" type="{code}">{content(text)}</failure>'


def unreadable(name: str, message: str) -> list[str]:
    """Return the suite of an unreadable input."""
    suite_name = attribute(name)
    return [
        f'  <testsuite name="{suite_name}" tests="1" failures="0" errors="1">',
        f'    <testcase classname="{suite_name}" name="the catalog can be read">',
        f'      <error message="{attribute(message)}" type="unreadable">{content(message)}</error>',
        "    </testcase>",
        "  </testsuite>",
    ]


def content(text: str) -> str:
    """Return text as XML content, with visible escapes for forbidden or unsafe characters."""
    escaped = xml_text(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return escaped


def attribute(text: str) -> str:
    """Return text as the value of an attribute in double quotes."""
    escaped = content(text).replace('"', "&quot;")
    return escaped.replace("\n", "&#10;").replace("\t", "&#9;")
