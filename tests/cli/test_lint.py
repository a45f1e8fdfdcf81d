"""`catgraph lint`: inputs, choice of rules, exit codes, and that its output is always the same."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import analyzer
from analyzer.diagnostics import InputError
from analyzer.export.reports.formats import OF_FINDINGS
from tests.cli.conftest import Outcome, Run
from tests.cli.site import CLEAN, FOUND, SITE, write
from tests.conftest import ROOT

pytestmark = pytest.mark.usefixtures("one_world")


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The control repo, as the current folder."""
    monkeypatch.chdir(write(tmp_path, SITE))
    return tmp_path


def rows(done: Outcome) -> list[str]:
    """What was found, by place and code."""
    found = json.loads(done.out)["findings"]
    return [
        ":".join(str(f[key]) for key in ("file", "line", "column") if f[key]) + f" {f['code']}"
        for f in found
    ]


def codes(run: Run, *arguments: object) -> list[str]:
    """The codes of what was found."""
    return [row.rpartition(" ")[2] for row in rows(run("lint", *arguments, "--format", "json"))]


def test_a_control_repo(run: Run, site: Path) -> None:
    done = run("lint", ".", "--format", "json")
    assert (done.code, rows(done), done.err) == (1, FOUND, "")
    assert json.loads(done.out)["summary"] == (
        "1 error, 1 warning, 1 note in 3 manifests and 1 catalog; "
        "not checked because of a dependency cycle: "
        "CG113, CG310-CG312, CG319-CG322, CG325, CG327-CG331"
    )


@pytest.mark.parametrize(
    ("inputs", "expected"),
    [
        (["manifests/site.pp"], [FOUND[0], FOUND[2]]),
        (["manifests"], [FOUND[0], FOUND[2]]),
        (["modules"], FOUND[1:]),
        (["modules/web"], FOUND[1:]),
        (["modules/web/"], FOUND[1:]),
        (["./modules/../modules/web"], FOUND[1:]),
        (["modules/web/manifests"], FOUND[1:]),
        (["modules/web/manifests/init.pp"], FOUND[1:]),
        (["modules/web/manifests/install.pp"], []),
        (["modules/web", "manifests/site.pp"], FOUND),
        ([".", "modules", "manifests/site.pp"], FOUND),
    ],
)
def test_parts_of_a_control_repo(
    run: Run, site: Path, inputs: list[str], expected: list[str]
) -> None:
    assert rows(run("lint", *inputs, "--format", "json")) == expected
    assert rows(run("lint", *reversed(inputs), "--format", "json")) == expected


def test_files_are_named_as_the_user_names_their_folder(
    run: Run, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(site / "modules" / "web")
    inside = ["manifests/init.pp:2:3 CG108", "manifests/init.pp:4:20 CG301"]
    assert rows(run("lint", ".", "--format", "json")) == inside
    assert rows(run("lint", "manifests/init.pp", "--format", "json")) == inside
    assert rows(run("lint", site, "--format", "json")) == [f"{site}/{row}" for row in FOUND]
    above = rows(run("lint", "../web", "--format", "json"))
    assert above == [f"../web/{row}" for row in inside]


def test_environments_below_a_control_repo(run: Run, tmp_path: Path) -> None:
    for name in ("production", "test"):
        write(tmp_path / "environments" / name, SITE)
    assert len(codes(run, tmp_path)) == 4  # The note is about the other environment's text too.
    assert run("lint", tmp_path, "--environment", "none").code == 2


def test_a_module_whose_folder_has_another_name(run: Run, tmp_path: Path) -> None:
    module = {name.removeprefix("modules/web/"): t for name, t in SITE.items() if "/web/" in name}
    metadata = json.dumps({"name": "corp-web", "version": "1.0.0"})
    write(tmp_path / "corp-web-1.0.0", {**module, "metadata.json": metadata})
    assert codes(run, tmp_path / "corp-web-1.0.0") == ["CG108", "CG301"]
    write(tmp_path / "modules" / "corp-web", {**module, "metadata.json": metadata})
    assert codes(run, tmp_path / "modules" / "corp-web") == ["CG108", "CG301"]


def test_a_definition_in_the_wrong_file(run: Run, tmp_path: Path) -> None:
    wrong = {"modules/web/manifests/other.pp": "class web::another { }\n"}
    done = run("lint", write(tmp_path, {**SITE, **wrong}) / "modules")
    assert done.code == 3
    assert "other.pp:1:1: error: Unacceptable location." in done.out


def test_a_module_finds_those_of_its_environment(run: Run, tmp_path: Path) -> None:
    tree = {
        "environment.conf": "modulepath = site:modules\n",
        "site/role/manifests/init.pp": "class role { include base }\n",
        "modules/base/manifests/init.pp": (
            "class base { package { 'a': require => File['/a'] } file { '/a': require => "
            "Package['a'] } }\n"
        ),
    }
    write(tmp_path, tree)
    found = json.loads(run("lint", tmp_path / "site" / "role", "--format", "json").out)
    assert "1 catalog" in found["summary"]
    assert "not compiled" not in found["summary"]
    assert found["findings"] == []  # The neighbour's cycle is the neighbour's.


def test_a_catalog(run: Run) -> None:
    sample = ROOT / "sample_catalogs" / "require_loop" / "catalog.json"
    done = run("lint", sample, "--format", "json")
    assert (done.code, rows(done)) == (1, ["manifests/site.pp:5:5 CG301"])


def test_nothing_to_say(run: Run, tmp_path: Path) -> None:
    done = run("lint", write(tmp_path, CLEAN))
    assert (done.code, done.out) == (0, "no findings in 1 manifest and 1 catalog\n")


def test_broken_syntax_leaves_the_other_files_be(run: Run, site: Path) -> None:
    write(site, {"modules/web/manifests/broken.pp": "class web::broken {\n  file { '/a' }\n}\n"})
    for inputs in ([site], [site / "modules" / "web"]):
        done = run("lint", *inputs, "--format", "json")
        assert done.code == 3
        assert [row.rpartition(" ")[2] for row in rows(done)][-3:] == ["CG200", "CG108", "CG301"]
    errors = run("lint", site / "modules" / "web" / "manifests" / "broken.pp").out
    assert "broken.pp:2:15: error: " in errors


def test_a_broken_manifest_of_the_site_is_told_once(run: Run, site: Path) -> None:
    write(site, {"manifests/site.pp": "include web\nfile { '/a' }\n"})
    # The classes that it does not take with it are checked, too.
    assert codes(run, site) == ["CG200", "CG108", "CG301"]
    assert run("lint", site).code == 3


def test_a_manifest_that_is_not_utf8(run: Run, site: Path) -> None:
    (site / "modules/web/manifests/latin.pp").write_bytes(b"# \xe4\nclass web::latin { }\n")
    done = run("lint", site / "modules" / "web")
    assert done.code == 3
    assert "latin.pp: error: cannot be read: it is not UTF-8 (CG200)" in done.out
    assert "(CG301)" in done.out


def test_a_policy_package_of_selinux_is_no_manifest(run: Run, site: Path) -> None:
    place = site / "modules/web/files/httpd.pp"
    place.parent.mkdir()
    place.write_bytes(b"\x8f\xff\x7c\xf9\1\0\0\0\1\0\0\0\x10\0\0\0\x8d\xff\x7c\xf9")
    done = run("lint", site / "modules" / "web")
    assert "httpd.pp" not in done.out
    assert "(CG301)" in done.out
    # Other bytes are an error, and so is a package that is named as an input.
    assert "httpd.pp: error: " in run("lint", place).out
    place.write_bytes(b"\x8f\xff\x7c\n")
    assert "httpd.pp: error: cannot be read" in run("lint", site / "modules" / "web").out
    # Puppet would load it from a folder of manifests, and refuse it.
    place = site / "modules/web/manifests/httpd.pp"
    place.write_bytes(b"\x8f\xff\x7c\xf9\1\0\0\0")
    assert "manifests/httpd.pp: error: cannot be read" in run("lint", site / "modules" / "web").out


def test_inputs_that_are_not_there(run: Run, site: Path) -> None:
    done = run("lint", "modules/web", "nowhere.pp", "modules/web/manifests/none.pp", "none.json")
    assert done.code == 2
    errors = [line for line in done.out.splitlines() if "cannot be read" in line]
    assert [line.partition(":")[0] for line in errors] == [
        "modules/web/manifests/none.pp",
        "none.json",
        "nowhere.pp",
    ]
    assert "(CG301)" in done.out
    assert "3 unreadable" in done.out.splitlines()[-1]


def test_mixed_inputs(run: Run, site: Path) -> None:
    sample = ROOT / "sample_catalogs" / "require_loop" / "catalog.json"
    assert sorted(codes(run, sample, ".")) == ["CG101", "CG108", "CG301", "CG301"]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--select", "CG3"], ["CG301"]),
        (["--select", "cg3,CG101"], ["CG101", "CG301"]),
        (["--ignore", "CG3"], ["CG101", "CG108"]),
        (["--select", "CG", "--ignore", "CG1 CG2"], ["CG301"]),
    ],
)
def test_choice(run: Run, site: Path, options: list[str], expected: list[str]) -> None:
    assert codes(run, ".", *options) == expected


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ('select = ["CG1"]', "note CG101, warning CG108"),
        ('ignore = ["CG108", "CG301"]', "note CG101"),
        ('severity = { CG101 = "error" }', "error CG101, warning CG108, error CG301"),
        ('per_path = { "modules/*" = "CG" }', "note CG101"),
        ('per_path = { "modules/web/" = "CG1" }', "note CG101, error CG301"),
        ('per_path = { "init.pp" = ["CG301"] }', "note CG101, warning CG108"),
        ('per_path = { "web" = "CG108" }', "note CG101, error CG301"),
        ('per_path = { "eb" = "CG108" }', "note CG101, warning CG108, error CG301"),
    ],
)
def test_configuration(run: Run, site: Path, config: str, expected: str) -> None:
    write(site, {"catgraph.toml": config})
    found = json.loads(run("lint", ".", "--format", "json").out)["findings"]
    assert ", ".join(f"{f['severity']} {f['code']}" for f in found) == expected


def test_options_beat_the_configuration(run: Run, site: Path) -> None:
    write(site, {"catgraph.toml": 'select = ["CG1"]'})
    assert codes(run, ".", "--select", "CG3") == ["CG301"]


@pytest.mark.parametrize(
    ("config", "place"),
    [
        ('select = ["CG3", "CG9"]', "1:1"),
        ('\nignore = "XY"', "2:1"),
        ('[severity]\nCG999 = "note"', "2:1"),
        ('[per_path]\n"a" = "CG1"\n"b" = "cg2"', "3:1"),
    ],
)
def test_a_code_that_is_none(run: Run, site: Path, config: str, place: str) -> None:
    done = run("lint", ".", "--select", "CG9")
    assert done.code == 2
    assert done.err.startswith("catgraph lint: error: unknown rule 'CG9'; ")
    write(site, {"catgraph.toml": config})
    done = run("lint", ".")
    assert done.code == 2
    assert done.err.startswith(f"catgraph.toml:{place}: error: unknown rule '")


@pytest.mark.parametrize(
    ("select", "fail_on", "expected"),
    [
        ("CG101", "warning", 0), ("CG101", "note", 1), ("CG101", "error", 0),
        ("CG108", "warning", 1), ("CG108", "note", 1), ("CG108", "error", 0),
        ("CG301", "error", 1),
    ],
)  # fmt: skip
def test_what_fails(run: Run, site: Path, select: str, fail_on: str, expected: int) -> None:
    assert run("lint", ".", "--select", select, "--fail-on", fail_on).code == expected


def test_explain(run: Run, site: Path) -> None:
    done = run("lint", ".", "--explain", "--select", "CG301")
    assert "\n    Why: Puppet applies nothing" in done.out
    assert "Bad:" in done.out


def test_shuffle(run: Run, tmp_path: Path) -> None:
    """What CG401 shows about a pair that another rule reports is a note there."""
    text = "package { 'ntp': }\nservice { 'ntp': ensure => running }\n"
    path = write(tmp_path, {"site.pp": text}) / "site.pp"
    assert "CG401" not in run("lint", path).out
    assert codes(run, path, "--shuffle", 20, "--select", "CG401") == ["CG401"]
    # The other rules run as ever.
    assert set(codes(run, path)) == set(codes(run, path, "--shuffle", 20))
    for more in ((), ("--select", "CG3")):
        assert run("lint", path, "--shuffle", 20, *more).out.count("(CG401)") == 1


@pytest.mark.slow
@pytest.mark.parametrize("name", ["text", *OF_FINDINGS])
def test_the_same_whatever_the_order_and_the_hash_seed(site: Path, name: str) -> None:
    command = "import sys; from analyzer.cli import main; sys.exit(main(sys.argv[1:]))"
    sample = str(ROOT / "sample_catalogs" / "layered_20x7" / "catalog.json")
    inputs = [".", "modules/web", "manifests/site.pp", sample]
    outputs = {
        subprocess.run(
            [sys.executable, "-c", command, "lint", *words, "--format", name],
            capture_output=True,
            check=False,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": seed},
        ).stdout
        for seed, words in (("1", inputs), ("2", inputs[::-1]), ("3", inputs))
    }
    assert len(outputs) == 1
    assert outputs != {b""}


def test_the_library(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = analyzer.lint(".")
    assert [f"{f.span} {f.code}" for f in found] == FOUND
    mixed = analyzer.lint([site / "modules", "manifests/site.pp"])
    assert [f.code for f in mixed] == ["CG108", "CG301", "CG101"]
    write(site, {"other.toml": 'ignore = ["CG1"]'})
    assert [f.code for f in analyzer.lint([Path()], config="other.toml")] == ["CG301"]
    assert analyzer.lint([]) == []
    with pytest.raises(InputError, match=r"none\.pp: error: cannot be read"):
        analyzer.lint("none.pp")


def test_a_stray_resource_in_a_module_that_no_node_uses(run: Run, tmp_path: Path) -> None:
    """Puppet 7.23 refuses the first two files in a module path, and looks at no example itself."""
    stray = "notify { 'stray': }\nclass x::y { }\n"
    files = {"site/x/manifests/y.pp": stray, "site/x/manifests/z.pp": "class x::other { }\n",
             "site/x/examples/e.pp": stray, "manifests/site.pp": "node default { }\n",
             "environment.conf": "modulepath = modules\n"}  # fmt: skip
    write(tmp_path, files)
    chosen = ("--select", "CG200", "--format", "json")
    assert rows(run("lint", tmp_path, *chosen)) == []
    (tmp_path / "environment.conf").write_text("modulepath = site:modules\n")
    found = [row.removeprefix(f"{tmp_path}/") for row in rows(run("lint", tmp_path, *chosen))]
    assert found == ["site/x/manifests/y.pp:1:1 CG200", "site/x/manifests/z.pp:1:1 CG200"]
