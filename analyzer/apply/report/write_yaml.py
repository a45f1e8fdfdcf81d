"""Writes reports and summaries as YAML, as Puppet and its tools read them."""

from __future__ import annotations

from analyzer.apply.report import forms
from analyzer.apply.report.read_yaml import TAG
from analyzer.apply.report.values import Report
from analyzer.formats import yaml_writer
from analyzer.formats.yaml_writer import Tagged


def dump(report: Report) -> str:
    """Return the text of a report: what Puppet writes as last_run_report.yaml."""
    return yaml_writer.dump(Tagged(TAG, forms.to_data(report)))
