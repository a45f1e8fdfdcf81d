"""The reports that Puppet wrote."""

from __future__ import annotations

import json
from typing import Any

from analyzer.apply.report import forms, read_yaml
from analyzer.apply.report.values import Report

from .record import RECORDED

YAML = ("first", "second", "noop", "second-6.28.0", "second-8.10.0")


def text_of(name: str) -> str:
    """A recorded file."""
    return (RECORDED / name).read_text(encoding="utf-8")


def document_of(name: str) -> Any:
    """A recorded file of JSON."""
    return json.loads(text_of(f"{name}.json"))


def yaml_report(name: str) -> Report:
    """A recorded report."""
    return read_yaml.read(text_of(f"{name}.yaml"), name)


def json_report(name: str) -> Report:
    """The same from JSON."""
    return forms.report(document_of(name))
