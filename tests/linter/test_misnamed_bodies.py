"""A body that has the name of another block is missing in any policy."""

from __future__ import annotations

from pathlib import Path

import pytest

import analyzer

EDIT = """\
bundle agent main
{
  files:
    "/tmp/x"
      edit_line => change,
      perms => owned;
}
bundle edit_line change
{
  field_edits:
    "a.*"
      edit_field => shown("x");
}
body perms owned
{
  mode => "600";
}
body replace_with shown(x)
{
  replace_value => "$(x)";
}
"""


def messages(folder: Path, text: str) -> list[str]:
    path = folder / "policy.cf"
    path.write_text(text, encoding="utf-8")
    return [f.message for f in analyzer.lint([path]) if f.code == "CG502"]


# cf-promises 3.21: "Undefined body shown with type edit_field".
@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("", "", ["there is no body edit_field 'shown'; 'shown' is a body replace_with"]),
        ('edit_field => shown("x")', 'edit_field => other("x")', []),
        ("perms => owned", "perms => m", []),
        ("agent main", "agent part", []),
        ('edit_field => shown("x")', 'edit_field => change("x")', [
            "there is no body edit_field 'change'; 'change' is a bundle edit_line"
        ]),
    ],
)  # fmt: skip
def test_the_name_of_another_block(tmp_path: Path, old: str, new: str, expected: list[str]) -> None:
    assert messages(tmp_path, EDIT.replace(old, new)) == expected
