"""In an incomplete catalog a finding counts only if nothing unknown may order the two."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.linter.choice import Choice
from analyzer.session.lint.check import check_inputs
from analyzer.session.lint.request import Request

PAIR = "package { 'a': }\nservice { 'a': ensure => running }\n"
UNKNOWN = "if $facts['x'] { include hidden }\n"

# What stands beside the pair, in the same file and in another one, and what is reported.
CASES = {
    "nothing unknown": ("", "", ["warning"]),
    "an unknown condition elsewhere": ("", UNKNOWN, ["note"]),
    "an unknown condition beside them": (UNKNOWN, "", []),
    "a relationship of one to what is not known": (
        "",
        f"{UNKNOWN}Package['a'] -> Class['hidden']\n",
        ["note"],
    ),
    "a path over what is not known": (
        "",
        f"{UNKNOWN}Package['a'] -> Class['hidden']\nClass['hidden'] -> Service['a']\n",
        [],
    ),
    "a path over what is not known, by collectors": (
        "",
        f"{UNKNOWN}Package <| |> -> Class['hidden']\nClass['hidden'] -> Service <| |>\n",
        [],
    ),
}


@pytest.mark.parametrize(("here", "elsewhere", "severities"), CASES.values(), ids=CASES)
def test_what_is_unknown_may_order_them(
    here: str, elsewhere: str, severities: list[str], tmp_path: Path
) -> None:
    (tmp_path / "site.pp").write_text(f"{PAIR}{here}", encoding="utf-8")
    (tmp_path / "b.pp").write_text(f"{elsewhere}# end\n", encoding="utf-8")
    found = check_inputs(Request((str(tmp_path),), Choice(("CG312",)))).found
    assert [one.finding.severity for one in found] == severities


@pytest.mark.parametrize(
    ("query", "severity"), [("title == '/a'", "note"), ("title != '/b'", "warning")]
)
def test_a_node_may_override_what_it_names(query: str, severity: str, tmp_path: Path) -> None:
    (tmp_path / "site.pp").write_text(
        "class c { file { '/a': mode => '0644' } }\nclass d { include c }\n"
        f"node default {{\n  include d\n  File <| {query} |> {{ mode => '0600' }}\n}}\n",
        encoding="utf-8",
    )
    found = check_inputs(Request((str(tmp_path),), Choice(("CG107",)))).found
    assert [one.finding.severity for one in found] == [severity]
