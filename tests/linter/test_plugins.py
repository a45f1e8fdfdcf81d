"""Rules of installed distributions: the entry points of the group `catgraph.rules`."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from analyzer.linter import plugins
from analyzer.linter.registry import all_rules
from analyzer.linter.rule import RULES
from tests.cli.conftest import Run, run
from tests.conftest import ROOT

pytestmark = pytest.mark.usefixtures("one_world")

__all__ = ["run"]

# The example of the documentation is what is tested.
EXAMPLE = re.search(
    r"```python\n(.*?)```", (ROOT / "docs" / "own_rules.md").read_text(encoding="utf-8"), re.DOTALL
)
SITE = "exec { '/bin/run': }\nexec { '/bin/rest': unless => '/bin/true' }\n"


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Distributions of the test alone, and no trace of their rules afterwards."""
    all_rules()
    before = dict(RULES)
    monkeypatch.setattr(plugins, "folders", lambda: [str(tmp_path / "installed")])
    plugins.plugin_rules.cache_clear()
    (tmp_path / "site.pp").write_text(SITE)
    yield
    plugins.plugin_rules.cache_clear()
    assert before == RULES
    for name in [name for name in sys.modules if name.startswith("acme_")]:
        del sys.modules[name]


def install(folder: Path, code: str, module: str = "acme_rules") -> None:
    """Write a distribution as an installer leaves it."""
    info = folder / f"{module}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[catgraph.rules]\nacme = {module}\n")
    (folder / f"{module}.py").write_text(code)


def example() -> str:
    assert EXAMPLE
    return EXAMPLE[1]


def test_the_example_is_a_rule(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(example().splitlines()) <= 30
    install(tmp_path / "installed", example())
    monkeypatch.syspath_prepend(str(tmp_path / "installed"))
    done = run("lint", tmp_path / "site.pp", "--select", "ACME")
    assert done.code == 1, done
    assert f"{tmp_path}/site.pp:1" in done.out
    assert "Exec[/bin/run]" in done.out
    assert "1 warning" in done.out
    assert "ACME100 acme-rules (warning, on by default, from acme_rules 1.0)" in (
        run("rule", "ACME100").out
    )
    assert run("rule", "ACME100", "--no-plugins").code == 2
    assert "ACME" not in run("lint", tmp_path / "site.pp", "--no-plugins").out
    assert "ACME" not in run("lint", tmp_path / "site.pp", "--ignore", "ACME").out


HEAD = (
    "from analyzer.linter.puppet.subjects import Compiled\n"
    "from analyzer.linter.rule import Problem, rule\n"
)
FAILING = {
    "import nowhere_at_all": "ModuleNotFoundError: No module named 'nowhere_at_all'",
    "raise SystemExit(0)": "it exits with 0",
    "1 / 0": "ZeroDivisionError: division by zero",
    f"{HEAD}@rule('CG777', on=Compiled, severity='note')\ndef check(c): return []": (
        "'CG777' is not a valid code for a plugin"
    ),
    f"{HEAD}@rule('CG301', on=Compiled, severity='note')\ndef check(c): return []": (
        "ValueError: CG301 is the code of two rules"
    ),
    f"{HEAD}@rule('X1', on=Compiled, severity='note')\ndef check(c): return []\n1 / 0": "by zero",
}


@pytest.mark.parametrize("code", FAILING)
def test_a_plugin_that_cannot_be_loaded_is_one_error(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    install(tmp_path / "installed", code)
    monkeypatch.syspath_prepend(str(tmp_path / "installed"))
    done = run("lint", tmp_path / "site.pp")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("acme_rules 1.0: error: the plugin 'acme' cannot be loaded: ")
    assert FAILING[code] in done.err
    assert done.err.count("\n") == 1
    assert run("lint", tmp_path / "site.pp", "--no-plugins").code == 0


def test_a_rule_that_fails_is_one_finding(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = f"{HEAD}@rule('X1', on=Compiled, severity='note')\ndef check(c):\n    yield 1 / 0\n"
    install(tmp_path / "installed", code)
    monkeypatch.syspath_prepend(str(tmp_path / "installed"))
    done = run("lint", tmp_path / "site.pp", "--select", "X1")
    assert done.code == 1
    assert done.out.count("(CG205)") == 1
    assert "rule X1 (acme-rules) of the plugin acme_rules 1.0" in done.out
    assert "ZeroDivisionError" in done.out


@pytest.mark.slow
def test_the_checkout_brings_no_plugin(tmp_path: Path) -> None:
    """Neither the working folder nor PYTHONPATH is a place of distributions."""
    mark = tmp_path / "mark"
    install(tmp_path / "repo", f"open({str(mark)!r}, 'w')", "acme_evil")
    script = (
        "import sys; sys.path.insert(0, ''); from analyzer.cli import main;"
        "sys.exit(main(['lint', '.']))"
    )
    (tmp_path / "repo" / "site.pp").write_text(SITE)
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path / "repo",
        env={"PYTHONPATH": f"{tmp_path / 'repo'}:{ROOT}", "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done
    assert not mark.exists()


def test_a_module_of_the_checkout_does_not_stand_in_for_a_plugin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path / "installed", example())
    (tmp_path / "installed" / "acme_rules.py").unlink()
    (tmp_path / "acme_rules.py").write_text(f"open({str(tmp_path / 'mark')!r}, 'w')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend("")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(Exception, match="No module named 'acme_rules'"):
        plugins.plugin_rules()
    assert not (tmp_path / "mark").exists()
