"""Comments that accept findings, and what is said of those that accept none."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.frontends.puppet.node.environment import Settings
from analyzer.linter.choice import Choice
from analyzer.session.lint.check import check_inputs
from analyzer.session.lint.request import Request

RING = "package {{ 'a': require => File['/a'] }}{0}\nfile {{ '/a': require => Package['a'] }}{1}\n"
ARROW = "package {{ 'a': }}\nfile {{ '/a': }}\n{0}File['/a'] <- Package['a']{1}\n"


def found(folder: Path, text: str, choice: Choice | None = None) -> list[str]:
    """The codes of what is found in a manifest, with the lines of CG001 and CG002."""
    path = folder / "site.pp"
    path.write_text(text)
    request = Request((str(path),), choice or Choice(), lambda path: Settings(), fixes=False)
    findings = [one.finding for one in check_inputs(request).found]
    return [
        f"{f.code}:{f.span.line} {f.message}" if f.span and f.code < "CG1" else f.code
        for f in findings
    ]


@pytest.mark.parametrize(
    "comment",
    [
        "# catgraph:ignore[CG101] as the vendor has it",
        "# catgraph:ignore[CG101]",
        "#catgraph:ignore[CG101]",
        "# catgraph: ignore [cg101] -- why",
        "# see catgraph:ignore",
        "# catgraph:ignore[CG1]",
        "# catgraph:ignore[CG]",
        "# catgraph:ignore[CG301, CG101] both",
        "# catgraph:ignore[CG301 CG101]",
        "# TODO # catgraph:ignore[CG101]",
    ],
)
def test_a_comment_in_the_line(tmp_path: Path, comment: str) -> None:
    codes = found(tmp_path, ARROW.format("", f"  {comment}"), Choice(("CG101",)))
    assert codes == (["CG101"] if "see" in comment else [])


@pytest.mark.parametrize(
    "above",
    [
        "# catgraph:ignore[CG101]\n",
        "  # catgraph:ignore[CG101] why\n",
        "# catgraph:ignore[CG101] why\n# and more of it\n\n",
        "# catgraph:ignore[CG301]\n# catgraph:ignore[CG101]\n",
        "# catgraph:ignore[CG101]\n# catgraph:ignore[CG301]\n",
    ],
)
def test_a_comment_above_the_line(tmp_path: Path, above: str) -> None:
    assert found(tmp_path, ARROW.format(above, ""), Choice(("CG101",))) == []


def test_a_comment_is_about_one_line(tmp_path: Path) -> None:
    above = "# catgraph:ignore[CG101]\n$x = 1\n"
    assert found(tmp_path, ARROW.format(above, ""), Choice(("CG101",))) == ["CG101"]
    beside = "$x = 1 # catgraph:ignore[CG101]\n"
    assert found(tmp_path, ARROW.format(beside, ""), Choice(("CG101",))) == ["CG101"]


@pytest.mark.parametrize("place", [0, 1])
def test_a_comment_at_a_step_of_a_cycle(tmp_path: Path, place: int) -> None:
    comments = ["", ""]
    comments[place] = " # catgraph:ignore[CG301] wanted"
    assert found(tmp_path, RING.format(*comments)) == []
    comments[place] = " # catgraph:ignore[CG302]"
    assert "CG301" in found(tmp_path, RING.format(*comments))


def test_a_comment_for_the_file(tmp_path: Path) -> None:
    comment = "# catgraph:ignore-file[CG1] generated\n"
    assert found(tmp_path, ARROW.format("", "") + comment) == []
    assert found(tmp_path, comment + ARROW.format("", "")) == []
    line = "$x = 1 # catgraph:ignore-file[CG1]\n"
    assert found(tmp_path, line + ARROW.format("", "")) == []


NOTHING = "this comment accepts nothing: "


@pytest.mark.parametrize(
    ("comment", "expected"),
    [
        ("ignore[CG301] why", ["CG001:1 " + NOTHING + "CG301 is not found at line 2"]),
        ("ignore-file[CG301]", ["CG001:1 " + NOTHING + "CG301 is not found in this file"]),
        ("ignore[CG3]", ["CG001:1 " + NOTHING + "CG3 is not found at line 2"]),
        ("ignore[CG301,CG102]", ["CG001:1 " + NOTHING + "CG301, CG102 is not found at line 2"]),
        (
            "ignore[CG0301]",
            ["CG001:1 " + NOTHING + "unknown rule 'CG0301'; did you mean CG301?"],
        ),
        ("ignore", ["CG001:1 " + NOTHING + "write the rule in brackets, `catgraph:ignore[CG301]`"]),
        (
            "ignore[]",
            ["CG001:1 " + NOTHING + "write the rule in brackets, `catgraph:ignore[CG301]`"],
        ),
        # Off by default: nobody looked.
        ("ignore[CG314]", []),
        ("ignored", []),
    ],
)
def test_a_comment_in_vain(tmp_path: Path, comment: str, expected: list[str]) -> None:
    assert found(tmp_path, f"# catgraph:{comment}\n$x = 1\n") == expected


def test_what_was_not_looked_for_is_not_in_vain(tmp_path: Path) -> None:
    text = "# catgraph:ignore[CG301] why\n$x = 1\n"
    assert found(tmp_path, text, Choice(("CG0", "CG1"))) == []
    assert found(tmp_path, text, Choice(per_path={"*.pp": ("CG3",)})) == []
    # What did not compile has no graph in which something could be found.
    assert [one[:5] for one in found(tmp_path, f"{text}fail('no')\n")] == ["CG200"]


def test_a_part_of_a_comment_is_in_vain(tmp_path: Path) -> None:
    comment = "# catgraph:ignore[CG101, CG102] why\n"
    message = NOTHING + "CG102 is not found at line 4"
    assert found(tmp_path, ARROW.format(comment, "")) == [f"CG001:3 {message}"]


def test_text_is_no_comment(tmp_path: Path) -> None:
    text = "$x = '\n# catgraph:ignore[CG301] why\n'\n"
    heredoc = "$y = @(END)\n  # catgraph:ignore[CG301] why\n  | END\n"
    assert found(tmp_path, text + heredoc) == []


def test_a_comment_without_a_reason(tmp_path: Path) -> None:
    text = ARROW.format("", " # catgraph:ignore[CG101]")
    message = "CG002:3 this comment accepts CG101 without a reason"
    assert found(tmp_path, text) == []
    assert found(tmp_path, text, Choice(("CG", "CG002"))) == [message]
    assert found(tmp_path, text.strip() + " why\n", Choice(("CG", "CG002"))) == []
