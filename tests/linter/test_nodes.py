"""Findings of several nodes: alike ones are told once, what another node has is no finding."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from analyzer.linter.choice import Choice
from analyzer.linter.run import Found
from analyzer.session.lint.check import check_inputs
from analyzer.session.lint.request import Request

ON_BOTH = """
node 'a' { include site }
node 'b' { include site }
"""

ON_ONE = """
node 'a' { include site }
node 'b' {
  include site
  include more
}
"""

# What is in order once the class `more` is there.
CLASSES = {
    "CG302": """
class site { notify { 'end': } Package <| tag == 'x' |> -> Notify['end'] }
class more { package { 'x': } }
""",
    "CG104": """
class site { package { 'y': } Package <| provider == 'pip' |> -> Package['y'] }
class more { package { 'x': provider => 'pip' } }
""",
    "CG309": """
class site { exec { '/bin/reload': refreshonly => true } }
class more { file { '/x': notify => Exec['/bin/reload'] } }
""",
    "CG313": """
class empty { }
class site { include empty notify { 'end': require => Class['empty'] } }
class more { notify { 'start': before => Class['empty'] } }
""",
}


def findings(code: str, text: str, folder: Path) -> Sequence[Found]:
    """What one rule finds in a manifest of several nodes."""
    path = folder / "site.pp"
    path.write_text(text, encoding="utf-8")
    return check_inputs(Request((str(path),), Choice((code,)))).found


@pytest.mark.parametrize("code", CLASSES)
def test_what_no_node_has_is_told_once(code: str, tmp_path: Path) -> None:
    (found,) = findings(code, ON_BOTH + CLASSES[code], tmp_path)
    assert any("in 2 catalogs" in note for note in found.finding.notes)


@pytest.mark.parametrize("code", CLASSES)
def test_what_another_node_has_is_not_told(code: str, tmp_path: Path) -> None:
    assert findings(code, ON_ONE + CLASSES[code], tmp_path) == []
