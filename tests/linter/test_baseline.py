"""A baseline: known findings pass wherever they move, new ones do not, mended ones are told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run, run
from tests.cli.site import SITE, write

pytestmark = pytest.mark.usefixtures("one_world")

__all__ = ["run"]

HELD = (
    "; not checked because of a dependency cycle: "
    "CG113, CG310-CG312, CG319-CG322, CG325, CG327-CG331"
)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> Path:
    """A control repo with a baseline of all that is found in it."""
    monkeypatch.chdir(write(tmp_path, SITE))
    done = run("lint", ".", "--write-baseline", "known.json")
    assert (done.code, done.out, done.err) == (0, "", "wrote 3 findings to known.json\n")
    return tmp_path


def edit(path: Path, old: str, new: str) -> None:
    """Change a text in a file."""
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def test_known_findings_pass(run: Run, site: Path) -> None:
    done = run("lint", ".", "--baseline", "known.json", "--fail-stale")
    assert (done.code, done.err) == (0, "")
    assert done.out == f"no findings in 3 manifests and 1 catalog{HELD}; 3 in the baseline\n"


def test_the_file(run: Run, site: Path) -> None:
    text = (site / "known.json").read_text()
    document = json.loads(text)
    assert document["version"] == 2
    assert [(row["file"], row["code"]) for row in document["findings"]] == [
        ("manifests/site.pp", "CG101"),
        ("modules/web/manifests/init.pp", "CG108"),
        ("modules/web/manifests/init.pp", "CG301"),
    ]
    run("lint", ".", "--write-baseline", "known.json")
    assert (site / "known.json").read_text() == text


def test_files_are_known_from_anywhere(
    run: Run, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("lint", site, "--baseline", site / "known.json").code == 0
    monkeypatch.chdir(site / "modules" / "web")
    assert run("lint", ".", "--baseline", "../../known.json", "--fail-stale").code == 0


def test_lines_that_move(run: Run, site: Path) -> None:
    init = site / "modules/web/manifests/init.pp"
    init.write_text("# one\n# two\n" + init.read_text())
    assert run("lint", ".", "--baseline", "known.json", "--fail-stale").code == 0


def test_a_new_finding(run: Run, site: Path) -> None:
    second = "  File['/srv/curl'] <- Package['curl']\n}"
    edit(site / "manifests/site.pp", "\n}", f"\n{second}")
    done = run("lint", ".", "--baseline", "known.json", "--fail-on", "note")
    assert done.code == 1
    assert "manifests/site.pp:6:21: note: " in done.out
    assert done.out.endswith(f"1 note in 3 manifests and 1 catalog{HELD}; 3 in the baseline\n")


def test_a_finding_that_is_gone(run: Run, site: Path) -> None:
    edit(site / "modules/web/manifests/init.pp", "include", "contain")
    done = run("lint", ".", "--baseline", "known.json")
    assert done.code == 0
    assert done.err.startswith(
        "modules/web/manifests/init.pp: CG108 is in the baseline but no longer found: "
    )
    assert run("lint", ".", "--baseline", "known.json", "--fail-stale").code == 1


@pytest.mark.parametrize(
    "options",
    [["manifests/site.pp"], [".", "--select", "CG101,CG301"], ["modules/web/manifests/install.pp"]],
)
def test_what_was_not_looked_for_is_not_gone(run: Run, site: Path, options: list[str]) -> None:
    edit(site / "modules/web/manifests/init.pp", "include", "contain")
    done = run("lint", *options, "--baseline", "known.json", "--fail-stale")
    assert (done.code, done.err) == (0, "")


def test_a_file_that_is_gone(run: Run, site: Path) -> None:
    (site / "modules/web/manifests/init.pp").write_text("class web { }\n")
    (site / "modules/web/manifests/install.pp").unlink()
    done = run("lint", ".", "--baseline", "known.json", "--fail-stale")
    assert done.code == 1
    assert done.err.count("is in the baseline but no longer found") == 2


def test_the_baseline_of_the_configuration(run: Run, site: Path) -> None:
    write(site, {"catgraph.toml": 'baseline = "known.json"\n'})
    assert run("lint", ".").code == 0
    assert run("lint", "modules/web", "--fail-stale").code == 0


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"version": 2, "findings": []}', '{"version": 1, "findings": [{}]}']
)
def test_what_is_no_baseline(run: Run, site: Path, text: str) -> None:
    write(site, {"known.json": text})
    done = run("lint", ".", "--baseline", "known.json")
    assert done.code == 2
    assert done.err.startswith("known.json: error: not a baseline; ")
    (site / "known.json").unlink()
    assert run("lint", ".", "--baseline", "known.json").code == 2
