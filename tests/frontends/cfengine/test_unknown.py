"""What only the machine knows is neither true nor false, and an option settles it."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.cli import main
from analyzer.frontends.cfengine.policy.classes import Classes, Private
from analyzer.frontends.cfengine.policy.unknown import Unknown
from analyzer.session.policies import PolicyRunOptions, events_of, run_policy

SESSION = Path(__file__).parent / "session"


def outcomes(path: Path, request: PolicyRunOptions | None = None) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for event in events_of(str(path), request or PolicyRunOptions())[0]:
        if event.begun:
            found.setdefault(event.promiser, []).append(event.outcome)
    return found


def written(folder: Path, body: str) -> Path:
    path = folder / "policy.cf"
    path.write_text(f"bundle agent main\n{{\n{body}\n}}\n", encoding="utf-8")
    return path


def classes() -> Classes:
    found = Classes()
    found.soft.add(("default", "yes"))
    found.maybe["default", "maybe"] = Unknown("nobody knows")
    return found


# The tables of Kleene's logic.
TRUTHS = [
    ("maybe", None),
    ("!maybe", None),
    ("maybe.yes", None),
    ("maybe.no", False),
    ("no.maybe", False),
    ("maybe|yes", True),
    ("yes|maybe", True),
    ("maybe|no", None),
    ("no|maybe|yes", True),
    ("(maybe|no).yes", None),
    ("!(maybe.no)", True),
    ("!(maybe|yes)", False),
    ("debian", None),
    ("debian.linux", None),
    ("windows", False),
    ("linux|debian", True),
    ("verbose_mode", False),
    ("Monday.!any", False),
]


@pytest.mark.parametrize(("text", "wanted"), TRUTHS)
def test_an_expression_with_unknown_classes(text: str, wanted: bool | None) -> None:
    found = classes().holds(text, "default", [Private()])
    assert isinstance(found, Unknown) if wanted is None else found is wanted


def test_both_branches_are_possible(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        '  classes:\n    "there" expression => fileexists("/opt/app");\n'
        '  commands:\n    there::\n      "/bin/echo yes";\n    !there::\n      "/bin/echo no";',
    )
    found = outcomes(path)
    assert (found["/bin/echo yes"], found["/bin/echo no"]) == (["unknown"], ["unknown"])
    sure = outcomes(path, PolicyRunOptions(classes=("there",)))
    assert (sure["/bin/echo yes"], "/bin/echo no" in sure) == (["repaired"], False)
    never = outcomes(path, PolicyRunOptions(classes=("!there",)))
    assert (never["/bin/echo no"], "/bin/echo yes" in never) == (["repaired"], False)


def test_what_an_unknown_promise_sets_is_unknown(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        '  vars:\n    debian::\n      "pkg" string => "apache2";\n    any::\n'
        '      "known" string => "x";\n  reports:\n    "install $(pkg)";\n    "see $(known)";',
    )
    found = outcomes(path)
    assert found["install $(pkg)"] == ["unknown"]
    assert found["see x"] == ["kept"]


def test_a_value_that_is_the_same_either_way_is_known(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        '  vars:\n    "x" string => ifelse("debian", "a", "redhat", "a", "a");\n'
        '    "y" string => ifelse("debian", "a", "b");\n  reports:\n    "x $(x)";\n    "y $(y)";',
    )
    found = outcomes(path)
    assert (found["x a"], found["y $(y)"]) == (["kept"], ["unknown"])


def test_a_called_bundle_is_simulated_as_if_it_ran(tmp_path: Path) -> None:
    path = tmp_path / "policy.cf"
    path.write_text(
        'bundle agent main\n{\n  methods:\n    debian::\n      "x" usebundle => apt("git");\n'
        '  reports:\n    done::\n      "done";\n}\n'
        'bundle agent apt(p)\n{\n  classes:\n    "done" expression => "any",\n'
        '      scope => "namespace";\n  commands:\n    done::\n      "/bin/echo $(p)";\n}\n',
        encoding="utf-8",
    )
    found = outcomes(path)
    assert found["/bin/echo git"] == ["unknown"]
    assert found["done"][0] == "unknown"


def test_from_host_reads_this_machine(tmp_path: Path) -> None:
    there = tmp_path / "there"
    there.write_text("port=80\n", encoding="utf-8")
    path = written(
        tmp_path,
        f'  vars:\n    "t" string => readfile("{there}", "100");\n'
        f'  classes:\n    "a" expression => fileexists("{there}");\n'
        f'    "b" not => fileexists("{there}.not");\n  reports:\n    a.b::\n      "$(t)";',
    )
    assert outcomes(path, PolicyRunOptions(host="host"))["port=80"] == ["kept"]
    empty = outcomes(path, PolicyRunOptions(host="empty"))
    assert (empty["a"], empty["b"]) == (["not_set"] * 3, ["set"])


def test_order_names_the_option_that_settles_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["order", str(SESSION / "web.cf")]) == 0
    found = capsys.readouterr().out
    assert "whether /etc/oldapp.conf is there depends on the machine" in found
    assert "--define legacy or --define '!legacy' settles it" in found


def test_why_has_the_chain_of_a_late_promise(capsys: pytest.CaptureFixture[str]) -> None:
    path = str(SESSION / "web.cf")
    assert main(["why", "--host", "empty", path, "Commands[main:/bin/echo reload]"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1:3] == [
        "  not in pass 1:",
        "    class reload is not set yet; classes 'reload' sets it in step 11  " + f"{path}:5:5",
    ]
    assert lines[-1].startswith("      class conf_changed: files '$(sys.workdir)/app.conf' sets it")
    assert main(["why", path, "Commands[main:/bin/echo migrate]"]) == 0
    assert "not known in pass 1" in capsys.readouterr().out


def test_a_run_shows_the_reason(tmp_path: Path) -> None:
    path = written(tmp_path, '  reports:\n    debian::\n      "x";')
    logs = [step.log for step in run_policy(str(path)).steps if step.type == "reports"]
    assert logs[0] == "not known: class debian depends on the machine"
