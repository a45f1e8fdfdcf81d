"""Reads reports in JSON: Puppet's own form, PuppetDB's query answers and its command."""

from __future__ import annotations

from typing import NoReturn

from analyzer.apply.report import forms
from analyzer.apply.report.puppetdb import is_puppetdb, to_report
from analyzer.apply.report.values import RunReport
from analyzer.diagnostics import InputError
from analyzer.source import Span


def is_report(document: object) -> bool:
    """Return whether a parsed document is a report, in one of its forms, or a list with one."""
    one = document[0] if isinstance(document, list) and document else document
    return isinstance(one, dict) and ("resource_statuses" in one or is_puppetdb(unwrapped(one)))


def unwrapped(document: dict[str, object]) -> dict[str, object]:
    """Return the payload of a PuppetDB command, or of an envelope of older Puppets."""
    for name in ("payload", "data"):
        inner = document.get(name)
        if isinstance(inner, dict) and "resource_statuses" not in document:
            return inner
    return document


def from_document(document: object, path: str) -> RunReport:
    """Read one report.

    Raises:
        InputError: it is none, there are several, or something in it is not what it should be.
    """
    if isinstance(document, list):
        if len(document) != 1:
            reject(f"the file holds {len(document)} reports, but this takes only one", path)
        document = document[0]
    if not isinstance(document, dict) or not is_report(document):
        reject("not the report of a run: this JSON has no 'resource_statuses'", path)
    body = unwrapped(document)
    try:
        return forms.report(body) if "resource_statuses" in body else to_report(body)
    except forms.FormError as error:
        reject(f"not a report written by Puppet: {error}", path)


def reject(message: str, path: str) -> NoReturn:
    """Raise the one error."""
    raise InputError(message, Span(path), "bad-report")
