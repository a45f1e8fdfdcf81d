"""Reads the reports that Puppet stores as YAML: last_run_report.yaml and the report store."""

from __future__ import annotations

import gc
from typing import NoReturn

from analyzer.apply.report import forms, layout
from analyzer.apply.report.psych_scalars import IrregularError
from analyzer.apply.report.values import RunReport
from analyzer.apply.report.yaml_values import YamlFault, load
from analyzer.diagnostics import InputError
from analyzer.model.documents import JsonObject
from analyzer.source import Span, caret_snippet

TAG = "!ruby/object:Puppet::Transaction::Report"
# From this format on every report ends with these.
FULL_FORMAT = 10
LAST_KEYS = ("metrics", "resource_statuses", "corrective_change")
NONE = "not the report of a run: this YAML has no 'resource_statuses'"


def read(text: str, path: str) -> RunReport:
    """Read a report.

    Raises:
        InputError: the text is no YAML, ends too early, or is something else than a report.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        return parse(text, path)
    except YamlFault as fault:
        reject(f"invalid YAML: {fault}", path, text, fault)
    except forms.FormError as error:
        reject(f"not a report written by Puppet: {error}", path)
    finally:
        if enabled:
            gc.enable()


def parse(text: str, path: str) -> RunReport:
    """Read a report by its layout, or if it has another by the YAML parser alone."""
    refuse_other(text, path)
    try:
        head, sections = layout.cut(text)
        document, _ = load(head)
        return made({**document, **sections}, path)
    except (IrregularError, YamlFault, TypeError):
        pass
    if len(text) > layout.MOST_IRREGULAR:
        reject(f"this YAML of {len(text):,} characters does not have the layout of Puppet's", path)
    document, tag = load(text)
    if tag.startswith("!ruby/object:") and tag != TAG:
        other(tag, path)
    if not isinstance(document, dict):
        reject(NONE, path)
    return made(document, path)


def refuse_other(text: str, path: str) -> None:
    """Refuse the dump of another object before all of it is read."""
    start = text[:200].lstrip("\ufeff \n")
    tag = start.removeprefix("---").split("\n", 1)[0].strip()
    if start.startswith("---") and tag.startswith("!ruby/object:") and tag != TAG:
        other(tag, path)
    if "resource_statuses" not in text:
        reject(NONE if tag != TAG else "the report ends too early: it has no statuses", path)


def other(tag: str, path: str) -> NoReturn:
    """Return an error that says what the YAML is instead of a report."""
    name = tag.removeprefix("!ruby/object:").partition(" ")[0]
    reject(f"this is a {name}, not a report", path)


def made(document: JsonObject, path: str) -> RunReport:
    """Return the report that was read, if it is all there."""
    if "resource_statuses" not in document:
        reject(NONE, path)
    found = forms.report(document)
    if (found.report_format or 0) >= FULL_FORMAT:
        for key in LAST_KEYS:
            if key not in document:
                reject(f"the report ends too early: it has no '{key}'", path)
    return found


def reject(message: str, path: str, text: str = "", fault: YamlFault | None = None) -> NoReturn:
    """Raise the one error, with the place if it is known."""
    line, column = (fault.line, fault.column) if fault else (0, 0)
    snippet = caret_snippet(text, line, column) if column else ""
    raise InputError(message, Span(path, line, column), "bad-report", snippet)
