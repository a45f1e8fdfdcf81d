"""`catgraph lint --fix` and `--diff`: what is written, and nothing else."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from analyzer.cli import main
from analyzer.escape import safe
from tests.cli.conftest import Run
from tests.cli.site import CLEAN, SITE, write

pytestmark = pytest.mark.usefixtures("one_world")

INIT = "modules/web/manifests/init.pp"
MENDED = {
    "manifests/site.pp": SITE["manifests/site.pp"].replace(
        "File['/srv/curl'] <- Package['curl']", "Package['curl'] -> File['/srv/curl']"
    ),
    INIT: SITE[INIT].replace("include", "contain").replace(" require => Class['web'] ", " "),
    "modules/web/manifests/install.pp": SITE["modules/web/manifests/install.pp"],
}


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The control repo, as the current folder."""
    monkeypatch.chdir(write(tmp_path, SITE))
    return tmp_path


def texts(folder: Path) -> dict[str, str]:
    """The manifests below a folder."""
    return {
        str(path.relative_to(folder)): path.read_bytes().decode()
        for path in sorted(folder.rglob("*.pp"))
    }


CONTAINED = f"{INIT}:2:3: CG108: replace `include` with `contain` at {INIT}:2"


def test_fixes_are_written(run: Run, site: Path) -> None:
    done = run("lint", ".", "--fix", "--unsafe-fixes")
    assert (done.code, done.out) == (0, "no findings in 3 manifests and 1 catalog\n")
    assert texts(site) == MENDED
    assert done.err.splitlines() == [
        "manifests/site.pp:5:21: CG101: reverse the arrow",
        CONTAINED,
        "  together (ordering: 1 pair added, 0 lost)",
        f"{INIT}:4:20: CG301: drop Class[Web] -> Service[web] (ordering: 0 pairs added, 1 lost)",
        "fixed 3 findings in 2 files",
    ]
    assert [path.name for path in site.rglob("*.tmp")] == []


def test_what_takes_a_statement_away_has_to_be_wanted(run: Run, site: Path) -> None:
    done = run("lint", ".", "--fix")
    assert done.code == 1
    assert "  unsafe fix: drop Class[Web] -> Service[web]; " in done.out
    assert texts(site)[INIT] == SITE[INIT].replace("include", "contain")
    assert done.err.splitlines()[-1] == "fixed 2 findings in 2 files; --unsafe-fixes fixes 1 more"
    done = run("lint", ".", "--diff")
    assert (done.code, done.out) == (0, "")
    assert done.err == "nothing to fix; --unsafe-fixes fixes 1 more\n"
    assert run("lint", ".", "--diff", "--unsafe-fixes").out.count("\n@@ ") == 1
    run("lint", ".", "--fix", "--unsafe-fixes")
    assert texts(site) == MENDED


def test_what_is_not_named_is_not_counted(run: Run, site: Path) -> None:
    done = run("lint", "manifests", "--fix")
    assert done.err.splitlines()[-1] == "fixed 1 finding in 1 file"


def test_unsafe_fixes_have_to_go_somewhere(run: Run, site: Path) -> None:
    done = run("lint", ".", "--unsafe-fixes")
    assert (done.code, done.out) == (2, "")
    assert done.err == "catgraph lint: error: --unsafe-fixes needs --fix or --diff\n"


def test_the_second_time_nothing_changes(run: Run, site: Path) -> None:
    run("lint", ".", "--fix", "--unsafe-fixes")
    stamps = {path: path.stat().st_mtime_ns for path in site.rglob("*.pp")}
    done = run("lint", ".", "--fix", "--unsafe-fixes")
    assert (done.code, done.err) == (0, "nothing to fix\n")
    assert {path: path.stat().st_mtime_ns for path in site.rglob("*.pp")} == stamps


@pytest.mark.parametrize(
    ("words", "changed"),
    [
        (["manifests"], {"manifests/site.pp"}),
        (["modules/web"], {INIT}),
        (["modules/web/manifests/install.pp"], set()),
        ([".", "--select", "CG108"], {INIT}),
        ([".", "--select", "CG302"], set()),
    ],
)
def test_only_what_was_named_is_written(
    run: Run, site: Path, words: list[str], changed: set[str]
) -> None:
    run("lint", *words, "--fix")
    now = texts(site)
    assert {name for name, text in now.items() if text != SITE[name]} == changed


def test_a_run_that_ends_before_all_is_fixed_says_so(
    run: Run, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("analyzer.session.lint.fixes.MOST", 1)
    done = run("lint", ".", "--diff", "--unsafe-fixes")
    assert "; the run stopped after 1 round: run it again for the rest\n" in done.err


def test_what_is_left_is_told(run: Run, site: Path) -> None:
    install = "class web::install {\n  package { 'web': require => Service['web'] }\n}\n"
    write(site, {"modules/web/manifests/install.pp": install})
    done = run("lint", ".", "--fix", "--ignore", "CG301")
    assert done.code == 1
    assert "`contain`" not in done.err  # It would make a cycle.
    assert f"{INIT}:2:3: warning: " in done.out
    assert texts(site)[INIT] == SITE[INIT]


def test_line_ends_encodings_and_modes_are_kept(run: Run, site: Path) -> None:
    text = (
        "# läß \U0001f4a5\r\npackage { 'ntp': }\r\nfile { '/etc/ntp.conf':\r\n"
        "  ensure  => file,\r\n}\r\n"
        "service { 'ntp': require => Package['ntp'], subscribe => File['/etc/ntp.conf'] }"
    )
    path = write(site, {"ntp.pp": text}) / "ntp.pp"
    path.chmod(0o640)
    run("lint", "ntp.pp", "--fix")
    expected = text.replace("file,\r\n", "file,\r\n  require => Package['ntp'],\r\n")
    assert path.read_bytes().decode() == expected
    assert path.stat().st_mode & 0o7777 == 0o640


def test_a_link_stays_one(run: Run, site: Path) -> None:
    (site / "real").mkdir()
    (site / "manifests/site.pp").rename(site / "real/site.pp")
    os.symlink("../real/site.pp", site / "manifests/site.pp")
    run("lint", "manifests", "--fix")
    assert (site / "manifests/site.pp").is_symlink()
    assert (site / "real/site.pp").read_text() == MENDED["manifests/site.pp"]


def test_a_file_under_two_names_is_written_once(run: Run, site: Path) -> None:
    run("lint", ".", site, f"{site}/modules/web/../web", "manifests/site.pp", "--fix",
        "--unsafe-fixes")  # fmt: skip
    assert texts(site) == MENDED


def test_findings_about_changed_lines_are_those_mended(run: Run, site: Path) -> None:
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    text = (
        "package { 'ntp': }\nfile { '/etc/ntp.conf':\n  ensure => file,\n}\n"
        "file { '/etc/ntp.keys':\n  ensure => file,\n}\n"
        "service { 'ntp': require => Package['ntp'], subscribe => File['/etc/ntp.conf', "
        "'/etc/ntp.keys'] }\n"
    )
    path = write(site, {"ntp.pp": text}) / "ntp.pp"
    for words in (
        ["init", "-q"],
        ["add", "-A"],
        ["-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "-q", "-m", "x"],
    ):
        subprocess.run(["git", *words], check=True, capture_output=True)
    path.write_text(text.replace("conf':\n  ensure => file", "conf':\n  ensure => 'file'"))
    run("lint", "ntp.pp", "--fix", "--changed-since", "HEAD")
    assert path.read_text().count("require => Package['ntp'],\n}") == 1


TOOLS = [["patch", "-p1", "-s"], ["git", "apply"]]


@pytest.mark.parametrize("tool", TOOLS, ids=lambda words: words[0])
@pytest.mark.parametrize("name", ["manifests/site.pp", "manifests/a b ä.pp"])
def test_a_patch(run: Run, site: Path, tool: list[str], name: str) -> None:
    if shutil.which(tool[0]) is None:
        pytest.skip(f"{tool[0]} is not installed")
    (site / "manifests/site.pp").rename(site / name)
    crlf = "file { '/x': }\r\nfile { '/y': }\r\nFile['/y'] <- File['/x']\r\n$form = 'a\x0cb'"
    write(site, {"modules/web/manifests/install.pp": f"class web::install {{\r\n{crlf} }}"})
    before = texts(site)
    done = run("lint", ".", "--diff")
    assert done.code == 1
    assert texts(site) == before
    assert "would fix 3 findings in 3 files" in done.err
    write(site, {"fix.patch": done.out})
    subprocess.run([*tool, "-i", "fix.patch"] if tool[0] == "patch" else [*tool, "fix.patch"],
                   check=True, cwd=site)  # fmt: skip
    by_patch = texts(site)
    write(site, before)
    run("lint", ".", "--fix")
    assert by_patch == texts(site) != before


def test_a_patch_of_nothing(run: Run, tmp_path: Path) -> None:
    done = run("lint", write(tmp_path, CLEAN), "--diff")
    assert (done.code, done.out) == (0, "")
    assert done.err == "nothing to fix\n"


def test_errors_come_before_fixes(run: Run, site: Path) -> None:
    assert run("lint", "none.pp", "--fix").code == 2
    assert run("lint", "none.pp", "--diff").code == 2
    assert texts(site) == {name: text for name, text in SITE.items() if name.endswith(".pp")}


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_patch_is_exact_for_programs_and_safe_on_a_terminal(run: Run, site: Path) -> None:
    comment = "# \x1b]0;P\x07\x9b\u202e"
    manifest = site / INIT
    manifest.write_text(f"{SITE[INIT].replace('include', f'{comment} {chr(10)}  include')}")
    assert f" {comment}" in (patch := run("lint", INIT, "--diff").out)
    run("lint", INIT, "--diff", "-o", "it.patch")
    assert Path("it.patch").read_text() == patch
    with redirect_stdout(Terminal()) as terminal:
        main(["lint", INIT, "--diff"])
    assert terminal.getvalue() == safe(patch)
    assert not set("\x1b\x07\x9b\u202e") & set(terminal.getvalue())


LOOP = """package { 'a': require => File['/etc/a'] }
file { '/etc/a': require => Package['a'] }
"""


def test_what_a_cut_and_its_fix_lose_is_the_same(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "loop.pp"
    path.write_text(LOOP)
    assert "ordering lost: 1 pair\n    File[/etc/a] before Package[a]" in run("cycles", path).out
    out = run("lint", path).out
    assert "ordering lost: File[/etc/a] before Package[a]" in out
    assert (
        "ordering: 0 pairs added, 1 lost\n    ordering lost: File[/etc/a] before Package[a]\n"
        in out
    )


RING = """class a { notify { 'a1': } notify { 'a2': } }
class b { notify { 'b1': } notify { 'b2': } }
include a, b
Class['a'] -> Class['b']
Class['b'] -> Class['a']
"""
APP = """class app { include app::install }
class app::install { package { ['a', 'b']: } }
include app
service { ['x', 'y']: require => Class['app'] }
"""


def test_all_reports_count_the_same_orderings(run: Run, tmp_path: Path) -> None:
    path, words = tmp_path / "site.pp", "ordering: 0 pairs added, 1 lost"
    path.write_text(RING)
    (cycle,) = json.loads(run("cycles", path, "--format", "json").out)["cycles"]
    lost = [["Class[A]", "Class[B]"]]
    assert [cut["lost"] for cut in cycle["cuts"]] == [lost]
    assert [cut["lost_count"] for cut in cycle["cuts"]] == [1]
    (finding,) = json.loads(run("lint", path, "--format", "json").out)["findings"]
    (fix,) = finding["fixes"]
    assert (fix["lost"], fix["lost_count"], fix["gained_count"]) == (lost, 1, 0)
    assert words in run("lint", path).out
    assert words in run("lint", path, "--format", "markdown").out
    assert words in run("lint", path, "--diff", "--unsafe-fixes").err


def test_a_fix_adds_the_orderings_that_diff_lists(run: Run, tmp_path: Path) -> None:
    old, new = tmp_path / "old.pp", tmp_path / "new.pp"
    old.write_text(APP)
    new.write_text(APP.replace("{ include", "{ contain"))
    pairs = [["Class[App::Install]", "Service[x]"], ["Class[App::Install]", "Service[y]"]]
    (finding,) = json.loads(run("lint", old, "--format", "json").out)["findings"]
    assert [fix["gained"] for fix in finding["fixes"]] == [pairs]
    assert [fix["gained_count"] for fix in finding["fixes"]] == [2]
    (found,) = json.loads(run("diff", old, new, "--format", "json").out)
    listed = found["gained"]["order"]["pairs"]
    assert [[a, b] for row in listed for a in row["first"] for b in row["second"]] == pairs
    run("lint", old, "--fix")
    assert old.read_text() == new.read_text()


def test_rules_that_a_cycle_holds_back_are_named(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "loop.pp"
    path.write_text(LOOP)
    held = (
        "; not checked because of a dependency cycle: "
        "CG113, CG310-CG312, CG319-CG322, CG325, CG327-CG331\n"
    )
    assert run("lint", path).out.endswith(f"1 error in 1 manifest and 1 catalog{held}")
    path.write_text(LOOP.partition("\n")[2])
    assert "not applied" not in run("lint", path).out


def arrows(first: int, last: int) -> str:
    """Statements with a reversed arrow each, whose fix is safe."""
    pairs = (f"notify {{ 'a{n}': }} <- notify {{ 'b{n}': }}\n" for n in range(first, last))
    return "".join(pairs)


def test_a_large_baseline_leaves_time_for_the_new_finding(run: Run, tmp_path: Path) -> None:
    # More than the findings whose fixes are tried, and later in the report.
    (tmp_path / "a.pp").write_text(arrows(1, 105))
    (tmp_path / "z.pp").write_text("")
    baseline, new = tmp_path / "baseline.json", tmp_path / "z.pp"
    run("lint", tmp_path, "--write-baseline", baseline)
    new.write_text(arrows(200, 201))
    base = ("lint", tmp_path, "--baseline", baseline)
    done = run(*base)
    assert f"{new}:1:20: note: the arrow" in done.out
    assert "  fix: reverse the arrow; ordering: unchanged" in done.out
    assert "were not tested" not in done.out
    old = (tmp_path / "a.pp").read_text()
    patch = run(*base, "--diff")
    assert "z.pp" in patch.out
    assert "a.pp" not in patch.out
    run(*base, "--fix")
    assert new.read_text() == "notify { 'b200': } -> notify { 'a200': }\n"
    assert (tmp_path / "a.pp").read_text() == old
