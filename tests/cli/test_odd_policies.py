"""Policies that are too deep, too big, broken or without end: one clear word, never a traceback."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.cli import main

MAIN = "bundle agent main\n{{\n{}\n}}\n"


def items(count: int) -> str:
    return ", ".join(f'"{number}"' for number in range(count))


def said(path: Path, capsys: pytest.CaptureFixture[str], command: str = "order") -> tuple[int, str]:
    code = main([command, str(path)])
    captured = capsys.readouterr()
    assert "Traceback" not in captured.err
    assert "internal error" not in captured.err
    return code, captured.err


@pytest.mark.parametrize(
    ("text", "warning"),
    [
        (f'classes: "x" expression => "{"(" * 5000}any{")" * 5000}";', ""),
        (f'reports: "{"$(a[" * 3000}k{"])" * 3000}";', "nested too deep"),
        pytest.param(
            "vars:\n"
            + "\n".join(f'"l{n}" slist => {{ "a", "b" }};' for n in range(40))
            + 'reports: "'
            + " ".join(f"$(l{n})" for n in range(40))
            + '";',
            "have more than 200,000 combinations",
            marks=pytest.mark.slow,
        ),
        (
            'vars: "v0" string => "xxxxxxxxxx";'
            + "\n".join(f'"v{n}" string => "$(v{n - 1})$(v{n - 1})";' for n in range(1, 60)),
            "grows beyond",
        ),
        ('methods: "m" usebundle => nowhere;', "there is no bundle nowhere"),
        (f'vars: "l" slist => {{ {items(2000)} }}; reports: "$(l)";', ""),
        (f'classes: "q" expression => regcmp("(a+)+b", "{"a" * 60}");', ""),
        ('vars: "y" string => format("%999999999d", "1");', ""),
        ('vars: "y" slist => expandrange("[0-999999999]", "1");', ""),
        ('vars: "y" string => eval("9^9^9^9^9^9", "math", "infix");', ""),
        (f'reports:\n{"|".join(f"c{n}" for n in range(5000))}|any::\n"x";', ""),
    ],
)
def test_a_run_ends(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, warning: str
) -> None:
    path = tmp_path / "p.cf"
    path.write_text(MAIN.format(text))
    code, error = said(path, capsys)
    assert code == 0
    assert warning in error
    assert len(error.splitlines()) <= 1


@pytest.mark.parametrize(
    "text",
    [
        f'vars: "x" string => {"concat(" * 3000}"a"{")" * 3000};',
        'reports: "x; ',
    ],
)
def test_it_is_refused_with_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    path = tmp_path / "p.cf"
    path.write_text(MAIN.format(text))
    for command, code in (("order", 3), ("apply", 3), ("graph", 3)):
        found, error = said(path, capsys, command)
        assert found == code
        first, _, caret = error.splitlines()
        assert first.startswith(f"{path}:")
        assert "(cf-policy)" in first
        assert caret.strip() == "^"
    assert main(["parse", str(path)]) == 3


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b'bundle agent main { reports: "caf\xe9"; }\n', 0),
        (b'bundle agent main\r\n{\r\n  reports:\r\n    "x";\r\n}\r\n', 0),
        (bytes(range(256)) * 20, 3),
        (b'\xef\xbb\xbfbundle agent main { reports: "x"; }\n', 3),
        (b"", 3),
    ],
)
def test_bytes_of_all_kinds(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes], data: bytes, code: int
) -> None:
    path = tmp_path / "p.cf"
    path.write_bytes(data)
    assert main(["order", str(path)]) == code
    error = capfdbinary.readouterr().err
    assert b"Traceback" not in error
    assert b"internal error" not in error


def test_calls_without_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "p.cf"
    path.write_text(
        MAIN.format('methods: "m" usebundle => b("x");')
        + 'bundle agent b(x) { vars: "q" slist => { "1", "2" };'
        + ' methods: "m $(q)" usebundle => b("$(x)$(q)"); }\n'
    )
    assert said(path, capsys) == (
        0,
        f"{path}: warning: the run ends: bundle b calls itself for ever\n",
    )


def test_inputs_without_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(400):
        control = f'body file control\n{{\n  inputs => {{ "{number + 1}.cf" }};\n}}\n'
        (tmp_path / f"{number}.cf").write_text(f"{control}bundle agent b{number} {{ }}\n")
    code, error = said(tmp_path / "0.cf", capsys)
    assert code == 2
    assert "the inputs are nested too deep (cf-input)" in error


def test_lint_reads_inputs_outside_of_the_checkout_only_if_allowed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    inside, outside = tmp_path / "policy", tmp_path / "other"
    (inside / ".git").mkdir(parents=True)
    outside.mkdir()
    (outside / "x.cf").write_text('bundle agent there { reports: "x"; }\n')
    policy = inside / "p.cf"
    policy.write_text(
        'body common control { inputs => { "../other/x.cf" }; bundlesequence => { "main" }; }\n'
        'bundle agent main { methods: "a" usebundle => absent; }\n'
    )
    assert main(["lint", str(policy)]) == 0
    assert main(["lint", "--allow-read", str(outside), str(policy)]) == 1
    assert "the bundle 'absent', which does not exist" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('vars: "l" slist => { "a", "$(l)" };', "variable l contains itself"),
        (
            'vars: "x" string => "1=2"; classes: "b" not => "b.$(x)";',
            "not => 'b.1=2': Context string is invalid/out of range",
        ),
        (
            'vars: "l" slist => { "1" }; "m" string => "@(l)";',
            "string => '1': Attempted to give a list to a non-list type",
        ),
        (
            'vars: "x" string => "y"; "m" int => "$(x)";',
            "int => 'y': Cannot parse value as integer",
        ),
    ],
)
@pytest.mark.parametrize("command", ["order", "cycles", "apply"])
def test_what_the_agent_ends_for_before_the_run_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str, text: str, reason: str
) -> None:
    path = tmp_path / "p.cf"
    path.write_text(MAIN.format(text))
    assert main([command, str(path)]) == 3
    said = capsys.readouterr().err
    assert "CFEngine ends before the run: " in said
    assert f"{reason} (cf-refused)" in said


def test_a_body_of_the_types_own_that_another_namespace_has_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "p.cf"
    path.write_text(
        'body common control { inputs => { "far.cf" }; }\n'
        'bundle agent main { reports: "ran"; }\n'
        'body perms m(x) { mode => "$(x)"; }\n'
    )
    far = 'body file control {{ namespace => "mine"; }}\nbundle agent far {{ {} }}\n'
    (tmp_path / "far.cf").write_text(far.format('files: "/tmp/f" perms => m("644");'))
    assert main(["order", str(path)]) == 3
    assert "there is no body perms m in the namespace mine" in capsys.readouterr().err
    # An attribute of all types ends the agent only when it keeps the promise.
    (tmp_path / "far.cf").write_text(far.format('files: "/tmp/f" classes => m("644");'))
    path.write_text(path.read_text().replace("body perms", "body classes").replace("mode", "scope"))
    assert main(["order", str(path)]) == 0


def test_lint_reports_an_input_that_cfengine_refuses(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bad.cf").write_text("bundle agent more { reports }\n")
    path = tmp_path / "p.cf"
    path.write_text('body common control { inputs => { "bad.cf" }; }\nbundle agent main { }\n')
    assert main(["lint", str(path)]) == 3
    assert (
        "bad.cf:1:21: error: Expected promise type, got 'reports' (CG500)"
        in capsys.readouterr().out
    )
