"""Findings of several nodes: alike ones are told once, what another node has is no finding."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.linter.rule import all_rules
from analyzer.linter.run import run
from tests.linter.examples import subjects

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


@pytest.mark.parametrize("code", CLASSES)
def test_what_no_node_has_is_told_once(code: str, tmp_path: Path) -> None:
    (found,) = run([all_rules()[code]], subjects(ON_BOTH + CLASSES[code], tmp_path))
    assert any("also in" in note for note in found.finding.notes)


@pytest.mark.parametrize("code", CLASSES)
def test_what_another_node_has_is_not_told(code: str, tmp_path: Path) -> None:
    assert run([all_rules()[code]], subjects(ON_ONE + CLASSES[code], tmp_path)) == []
