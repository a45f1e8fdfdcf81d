"""Writes reports as JSON, as `Puppet::Transaction::Report#to_data_hash` has them."""

from __future__ import annotations

import json

from analyzer.apply.report.forms import to_data
from analyzer.apply.report.values import Report


def dump(report: Report) -> str:
    """Return the text; Puppet reads it with `from_data_hash`."""
    return json.dumps(to_data(report), ensure_ascii=False, separators=(",", ":")) + "\n"
