"""A literal that is written as Sensitive stands in no diagnostic."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.source import caret_snippet, masked, without_secrets
from tests.cli.conftest import Run, run

pytestmark = pytest.mark.usefixtures("one_world")

__all__ = ["run"]

SECRET = "hunter2"

MASKED = {
    "Sensitive('hunter2')": "Sensitive('*******')",
    'Sensitive("hunter2 ${x}")': 'Sensitive("******* ****")',
    "Sensitive.new('hunter2')": "Sensitive.new('*******')",
    "Sensitive[String].new('hunter2')": "Sensitive[String].new('*******')",
    "new(Sensitive, 'hunter2')": "new(Sensitive, '*******')",
    "Sensitive({'a' => ['hunter2', (1)]}) + 'b'": "Sensitive({'*' => ['*******', (*)]}) + 'b'",
    r"Sensitive('it\'s hunter2', 12.5)": r"Sensitive('***** *******', ****)",
    "Sensitive($a) + 'b'": "Sensitive($a) + 'b'",
    "Sensitive(f($a1)) + 'b' + 12": "Sensitive(f($a1)) + 'b' + 12",
    "Sensitive('one\nhunter2": "Sensitive('***\n*******",
    "Sensitive(@(END))\n  hunter2\n  | END\n'b'": "Sensitive(@(END))\n  *******\n  | END\n'b'",
    "Sensitive( # it's\n 'hunter2')": "Sensitive( # it's\n '*******')",
    "$sensitive = 'a'": "$sensitive = 'a'",
}


@pytest.mark.parametrize("text", MASKED)
def test_masks(text: str) -> None:
    assert masked(text) == MASKED[text]
    assert SECRET not in caret_snippet(text, text.count("\n") + 1, 1)
    assert without_secrets("at 'hunter2'", f"Sensitive('{SECRET}')") == "at '[redacted]'"


WRONG = {
    "syntax": "$a = Sensitive('hunter2' 'hunter2')",
    "a line with something else": "notify { 'a': message => Sensitive('hunter2') } )",
    "a call": "notify { 'a': nix => Sensitive('hunter2') }",
    "a title": "notify { Sensitive('hunter2').unwrap: } notify { Sensitive('hunter2').unwrap: }",
    "a failure": "fail(Sensitive('hunter2').unwrap)",
    "a failure in a class": "class a { fail(Sensitive('hunter2').unwrap) } include a",
    "a relationship": "notify { 'a': message => Sensitive('hunter2'), require => Notify['b'] }",
    "an arrow": "$a = Sensitive('hunter2') Notify['a'] <- Notify['b']",
    "a cycle": "notify { 'a': message => Sensitive('hunter2'), require => Notify['a'] }",
}


@pytest.mark.parametrize("name", WRONG)
def test_diagnostics(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    Path("site.pp").write_text(WRONG[name] + "\n")
    said = ""
    for command in (
        ["lint"], ["lint", "-f", "sarif"], ["lint", "-f", "json"], ["cycles"], ["compile"],
        ["parse"], ["parse", "-f", "json"],
    ):  # fmt: skip
        done = run(*command, "site.pp")
        said += done.err + ("" if done.code == 0 else done.out)
    assert said
    assert SECRET not in said
