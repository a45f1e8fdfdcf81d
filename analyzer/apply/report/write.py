"""Writes reports as Puppet and its tools read them."""

from __future__ import annotations

import json

from analyzer.apply.report import forms
from analyzer.apply.report.values import RunReport


def to_json(report: RunReport) -> str:
    """Return the text that Puppet reads with `from_data_hash` (Report#to_data_hash)."""
    return json.dumps(forms.to_data(report), ensure_ascii=False, separators=(",", ":")) + "\n"


def to_yaml(report: RunReport) -> str:
    """Return the text that Puppet writes as last_run_report.yaml."""
    from analyzer.apply.report.read_yaml import TAG
    from analyzer.formats.yaml_writer import Tagged, dump

    return dump(Tagged(TAG, forms.to_data(report)))
