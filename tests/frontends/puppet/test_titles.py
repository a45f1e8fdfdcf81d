"""Titles that are no text: `create_resources` makes one of them, as Ruby's `to_s` does."""

from __future__ import annotations

import analyzer


def test_titles_of_create_resources() -> None:
    code = "create_resources('notify', {true => {}, 1 => {}})"
    refs = {str(one.ref) for one in analyzer.compile(code=code).resources}
    # Real Puppet 7.23 has these two.
    assert {"Notify[true]", "Notify[1]"} <= refs
