"""What commands say of a policy: its own words, its bundlesequence, and why it is refused."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from analyzer.cli import main

LOOP = """\
bundle agent main
{
  commands:
    "/bin/echo one"
      handle => "a",
      depends_on => { "b" };
    "/bin/echo two"
      handle => "b",
      depends_on => { "a" };
  reports:
    "hi";
}
"""
ONE, TWO = "Commands[main:/bin/echo one]", "Commands[main:/bin/echo two]"
BUNDLES = """\
body common control { bundlesequence => { "main" }; }
bundle agent main { reports: "main"; }
bundle agent one { reports: "one"; }
bundle server srv { access: "/x" admit => { "1.2.3.4" }; }
body file control { namespace => "mine"; }
bundle agent go { reports: "mine go"; }
"""
REFUSED = {
    "body": 'body common control { bundlesequence => { "main" }; }\n'
    'bundle agent main { commands: "/bin/true" classes => nope("x"); }\n',
    "syntax": 'bundle agent main { reports: "x" }\n',
    "sequence": 'body common control { bundlesequence => { "gone" }; }\n'
    'bundle agent main { reports: "x"; }\n',
    "input": 'body common control { inputs => { "gone.cf" }; bundlesequence => { "main" }; }\n'
    'bundle agent main { reports: "x"; }\n',
}
COMMANDS = {
    "lint": (),
    "order": (),
    "cycles": (),
    "apply": (),
    "graph": (),
    "why": ("Reports[main:x]",),
    "impact": ("Reports[main:x]",),
}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "loop.cf").write_text(LOOP)
    (tmp_path / "b.cf").write_text(BUNDLES)
    return tmp_path


@pytest.mark.usefixtures("here")
def test_cycles_blames_the_attribute(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cycles", "loop.cf"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == (
        "loop.cf:6:7: error: 2 promises wait for each other, so none is ever evaluated (CG511)"
    )
    assert f'    loop.cf:6:7: "b" from depends_on of {ONE}' in lines
    assert any("loop.cf:9:7" in line for line in lines)


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("form", ["text", "markdown", "github", "junit", "json", "sarif"])
def test_no_word_of_puppet(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cycles", "loop.cf", "--format", form]) == 1
    text = capsys.readouterr().out.replace("resources/v1", "")
    for word in ("resource", "before =>", "require", "Puppet applies"):
        assert word not in text


@pytest.mark.usefixtures("here")
def test_why_of_promises_that_are_never_begun(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["why", "loop.cf", ONE, TWO]) == 1
    assert f"{ONE} and {TWO} wait for each other" in capsys.readouterr().out
    assert main(["why", "loop.cf", "Reports[main:hi]", TWO]) == 1
    assert f"{TWO} at loop.cf:7:5 is never kept:" in capsys.readouterr().out
    assert main(["why", "loop.cf", "Reports[main:h]", TWO]) == 2
    assert "did you mean Reports[main:hi]?" in capsys.readouterr().err


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("given", "wanted"),
    # What `cf-agent -b` prints, None where it stops.
    [
        ("one", ["one"]),
        ("one,main", ["one", "main"]),
        ("one, main", None),
        ("mine:go", ["go"]),
        ("default:one", ["one"]),
        ("one,one", ["one"]),
        ("", ["main"]),
        (",", None),
        ("srv", None),
        ("one,gone", None),
    ],
)
def test_bundlesequence(
    given: str, wanted: list[str] | None, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(["order", "b.cf", "-b", given])
    said = capsys.readouterr()
    names = [line.split()[1].rpartition(":")[2] for line in said.out.splitlines()]
    assert code == (3 if wanted is None else 0)
    assert names == (wanted or [])
    assert wanted is not None or "is not a defined bundle" in said.err


@pytest.mark.usefixtures("here")
def test_bundles_of_daemons_are_told_of(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["order", "b.cf"]) == 0
    assert "server bundle srv is not part of this run" in capsys.readouterr().err
    assert main(["order", "b.cf", "--agent", "agent"]) == 0
    assert not capsys.readouterr().err


@pytest.mark.parametrize("kind", REFUSED)
def test_a_refused_policy_exits_with_3_everywhere(
    kind: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "p.cf").write_text(REFUSED[kind])
    for command, more in COMMANDS.items():
        assert main([command, "p.cf", *more]) == 3, command
    assert main(["diff", "p.cf", "p.cf"]) == 3
    assert main(["query", "p.cf", "type = Reports"]) == 3
    assert "Traceback" not in capsys.readouterr().err


def test_a_pipe_is_no_policy(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(here / "fifo.cf")
    assert main(["lint", "fifo.cf"]) == 2
    assert "fifo.cf: error: cannot be read: not a regular file" in capsys.readouterr().out


def test_inputs_elsewhere_are_allowed(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "policy" / ".git").mkdir(parents=True)
    other = here / "other" / "lib.cf"
    other.parent.mkdir()
    other.write_text('bundle agent lib { reports: "lib"; }\n')
    (here / "policy" / "p.cf").write_text(
        f'body common control {{ inputs => {{ "{other}" }}; bundlesequence => {{ "lib" }}; }}\n'
    )
    assert main(["order", "policy/p.cf"]) == 0
    said = capsys.readouterr()
    assert not said.out.strip()
    assert "(--allow-read DIR opens more)" in said.err
    assert main(["order", "policy/p.cf", "--allow-read", str(other.parent)]) == 0
    assert capsys.readouterr().out.split()[:4] == ["1", "lib", "reports", "lib"]


def test_the_documented_order_of_a_monitor(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "m.cf").write_text(
        'bundle monitor mm { measurements: "/bin/echo 1" handle => "h", stream_type => "pipe",'
        ' data_type => "int"; classes: "c" expression => "any"; vars: "v" string => "1"; }\n'
        'bundle common cc { vars: "w" string => "1"; }\n'
    )
    assert main(["order", "m.cf", "--agent", "monitor", "--normal-order", "documented"]) == 0
    rows = [line.split()[1:3] for line in capsys.readouterr().out.splitlines()]
    assert rows == [["cc", "vars"], ["mm", "vars"], ["mm", "classes"], ["mm", "measurements"]]
