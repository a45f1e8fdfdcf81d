"""Fixes are tried again only if something changed that their trials read."""

from __future__ import annotations

import pytest

from tests.linter.test_kept import APP_FILE, KNOWN, nodes_compiled, printed, repository, write

CIRCLE = """class other($mode = lookup('mode', String, 'first', 'one')) {
  service { 'x': require => Package['x'] }
  package { 'x': require => Service['x'] }
  if $mode == 'two' { Package['x'] -> Service['x'] }
}
"""


def test_fixes_are_tried_again_only_if_something_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    options = ("--select", "CG301", "-f", "json")
    with repository() as folder:
        write(folder, "hiera.yaml", KNOWN)
        write(folder, "manifests/site.pp", "node 'b' { include other }\n")
        write(folder, "modules/other/manifests/init.pp", CIRCLE)
        first = printed(*options)
        assert '"fixes"' in first[1]
        assert "edits" in first[1]
        assert nodes_compiled(monkeypatch, *options) == []
        assert printed(*options) == first
        write(folder, APP_FILE, "class app { }\n")
        assert nodes_compiled(monkeypatch, *options) == []
        # With another arrow, one of the two fixes leaves the cycle.
        write(folder, "data/all.yaml", "mode: two\n")
        second = printed(*options)
        assert second != first
        assert second == printed(*options, "--no-cache")
