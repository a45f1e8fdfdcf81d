"""Regular expressions of exponential cost end: those of a user, and those of hostile policies."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Run, notify

TEXT = "a" * 40 + "!"
# Python tries exponentially many ways; the second has no repetition of a repetition.
ENDLESS = ("(a+)+b", "(a|a)*b", "(a|aa)+b", "(.|a)+(.|a)+(.|a)+b")


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("analyzer.limits.TICK", 0.01)
    monkeypatch.setattr("analyzer.graph.query.answer.MOST_SECONDS", 0.05)
    monkeypatch.setattr("analyzer.frontends.cfengine.policy.patterns.MOST_SECONDS", 0.05)


@pytest.mark.parametrize("expression", ENDLESS)
def test_queries(run: Run, written: Callable[..., Path], expression: str) -> None:
    path = written([notify(TEXT)])
    for words in (["query", path, f"title ~ /^{expression}$/"],
                  ["graph", path, "--select", f"title ~ /^{expression}$/"]):  # fmt: skip
        done = run(*words)
        assert (done.code, done.out) == (2, "")
        assert "<query>:1:9: error: matching takes longer than" in done.err
        assert f"  title ~ /^{expression}$/\n          ^" in done.err


def test_rules_of_a_configuration(run: Run, written: Callable[..., Path], tmp_path: Path) -> None:
    rule = f'[[rules]]\ncode = "X001"\nfind = "title ~ /^{ENDLESS[0]}$/"\nmessage = "m"\n'
    (tmp_path / "named.toml").write_text(rule)
    done = run("lint", "--config", tmp_path / "named.toml", written([notify(TEXT)]))
    assert done.code in (2, 3)
    assert "matching takes longer than" in done.err + done.out


USES = {
    "regcmp": 'classes: "c" expression => regcmp("RE", "$(v)");',
    "regex_replace": 'vars: "w" string => regex_replace("$(v)", "RE", "x", "g");',
    "string_split": 'vars: "w" slist => string_split("$(v)", "RE", "9");',
    "grep": 'vars: "l" slist => { "$(v)" }; "w" slist => grep("RE", "l");',
    "defaults": 'defaults: "v" string => "x", if_match_regex => "RE";',
}


@pytest.mark.parametrize("use", USES)
def test_policies(run: Run, tmp_path: Path, use: str) -> None:
    for expression in ENDLESS:
        text = USES[use].replace("RE", expression)
        policy = f'bundle agent main {{ vars: "v" string => "{TEXT}"; {text} reports: "$(w)"; }}\n'
        (tmp_path / "a.cf").write_text(policy)
        for command in ("lint", "apply"):
            assert run(command, tmp_path / "a.cf").code in (0, 1, 3)


def test_names_with_many_variables(run: Run, tmp_path: Path) -> None:
    names = "".join(f"a$(x{number})" for number in range(40))
    policy = f'bundle agent main {{ vars: "{names}b" string => "x"; reports: "$({"a" * 200})"; }}\n'
    (tmp_path / "a.cf").write_text(policy)
    assert run("lint", tmp_path / "a.cf").code in (0, 1)


def test_other_work_of_an_edit_bundle(run: Run, tmp_path: Path) -> None:
    text = (
        'bundle agent main { files: "/tmp/x" edit_line => e; }\n'
        f'bundle edit_line e {{ replace_patterns: "{ENDLESS[1]}" replace_with => r;\n'
        f'  insert_lines: "{TEXT}"; }}\n'
        'body replace_with r { replace_value => "x"; }\n'
    )
    (tmp_path / "a.cf").write_text(text)
    assert run("lint", tmp_path / "a.cf").code in (0, 1)
