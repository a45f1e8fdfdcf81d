"""The reports that Puppet wrote."""

from __future__ import annotations

import json
import re
from typing import Any

from analyzer.apply.report import forms, read_yaml
from analyzer.apply.report.values import RunReport

from .record import RECORDED

YAML = ("first", "second", "noop", "second-6.28.0", "second-8.10.0")


def text_of(name: str) -> str:
    """A recorded file."""
    return (RECORDED / name).read_text(encoding="utf-8")


def document_of(name: str) -> Any:
    """A recorded file of JSON."""
    return json.loads(text_of(f"{name}.json"))


def yaml_report(name: str) -> RunReport:
    """A recorded report."""
    return read_yaml.read(text_of(f"{name}.yaml"), name)


def json_report(name: str) -> RunReport:
    """The same from JSON."""
    return forms.report(document_of(name))


def short_text() -> str:
    """A recorded report with a few of its records only, as Psych wrote them."""
    text = text_of("second.yaml")
    logs, metrics = text.index("\nlogs:\n") + 7, text.index("\nmetrics:\n") + 1
    begin = text.index("\nresource_statuses:\n") + 20
    end = text.index("\ncorrective_change") + 1
    lines = re.split(r"(?m)^(?=- )", text[logs:metrics])
    records = re.split(r"(?m)^(?=  [^ :\n])", text[begin:end])
    kept = [one for one in records if re.search(r"^  .*(web|broken\]|secret|very|lines)", one)]
    return "".join([text[:logs], *lines[:4], text[metrics:begin], *kept, text[end:]])
