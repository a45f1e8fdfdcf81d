"""`catgraph cycles`: the report for people, the exit codes, and where the text goes."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from analyzer.cli.shared.output import emit
from tests.cli.conftest import Run, notify, ring
from tests.conftest import ROOT

Sample = Callable[[str], Path]

SAMPLES = sorted(path.parent for path in (ROOT / "sample_catalogs").glob("*/catalog.json"))
CYCLIC = [folder for folder in SAMPLES if (folder / "expected/cycles.txt").read_text().strip()]
# Puppet does not come to an end on one of them.
RECORDED = [folder for folder in CYCLIC if (folder / "expected/report.txt").read_text().strip()]


@pytest.mark.parametrize("folder", SAMPLES, ids=lambda folder: folder.name)
def test_exit_code_and_verdict(run: Run, folder: Path) -> None:
    done = run("cycles", folder / "catalog.json")
    assert done.code == (1 if folder in CYCLIC else 0)
    assert ("(CG301)" in done.out) == (folder in CYCLIC)
    assert ("no dependency cycle" in done.out) == (folder not in CYCLIC)
    assert done.err == ""


@pytest.mark.parametrize(
    ("name", "path", "places", "cut"),
    [
        pytest.param(
            "require_loop",
            "(Package[app] => Exec[generate secrets] => File[/etc/app/app.conf] => Package[app])",
            ["manifests/site.pp:18:5", "manifests/site.pp:13:5", "manifests/site.pp:5:5"],
            "manifests/site.pp:5:5: require => File[/etc/app/app.conf] in Package[app]",
            id="require_loop",
        ),
        pytest.param(
            "autorequire_cycle",
            "(User[deploy] => File[/srv/deploy] => File[/home/deploy] => User[deploy])",
            ["manifests/site.pp:12", "manifests/site.pp:21:5", "file autorequires user"],
            "manifests/site.pp:21:5: before => User[deploy] in File[/home/deploy]",
            id="autorequire_cycle",
        ),
        pytest.param(
            "collector_chain_cycle",
            "(Package[gnupg] => Exec[import key of vendor] => Pkgrepo::Source[vendor] => "
            "Package[gnupg])",
            ["modules/pkgrepo/manifests/source.pp:10:5", "manifests/site.pp:2:23"],
            "manifests/site.pp:2:23: Pkgrepo::Source[vendor] -> Package[gnupg]",
            id="collector_chain_cycle",
        ),
        pytest.param(
            "containment_cycle",
            "(Package[default-jre-headless] => Class[Java] => Class[Profile::Engine] => "
            "Class[Profile::Feeder] => Class[Java] => Package[default-jre-headless])",
            ["modules/java/manifests/init.pp:3", "Class[Profile::Engine] contains Class[Java]"],
            "modules/role/manifests/search.pp:6:28: Class[Profile::Engine] -> "
            "Class[Profile::Feeder]",
            id="containment_cycle",
        ),
    ],
)
def test_report(
    run: Run, sample: Sample, name: str, path: str, places: list[str], cut: str
) -> None:
    lines = run("cycles", sample(name) / "catalog.json").out.splitlines()
    assert f"  {path}" in lines
    table = "\n".join(line for line in lines if " => " in line)
    assert all(place in table for place in places)
    assert lines[lines.index("  to break the cycle, remove 1 statement:") + 1] == f"    {cut}"


def test_without_the_source_the_place_is_that_of_the_declaration(
    run: Run, sample: Sample, tmp_path: Path
) -> None:
    catalog = tmp_path / "catalog.json"
    catalog.write_bytes((sample("require_loop") / "catalog.json").read_bytes())
    assert "declared at manifests/site.pp:3: require => File" in run("cycles", catalog).out


@pytest.mark.parametrize("folder", RECORDED, ids=lambda folder: folder.name)
def test_puppet_text_is_the_recorded_one(run: Run, folder: Path) -> None:
    done = run("cycles", folder / "catalog.json", "--puppet-text")
    assert done.out == (folder / "expected/report.txt").read_text(encoding="utf-8")
    assert done.code == 1


def test_several_catalogs_have_a_summary(run: Run, sample: Sample) -> None:
    names = ["require_loop", "stages", "aliases"]
    done = run("cycles", *(sample(name) / "catalog.json" for name in names))
    assert done.code == 1
    assert done.out.endswith("3 catalogs: 2 clean, 1 with cycles\n")
    assert done.out.count("no dependency cycle (") == 2


def test_an_unreadable_input_does_not_keep_others_from_being_checked(
    run: Run, sample: Sample, tmp_path: Path
) -> None:
    catalogs = [sample("stages") / "catalog.json", sample("require_loop") / "catalog.json"]
    done = run("cycles", catalogs[0], tmp_path / "missing.json", catalogs[1])
    assert done.code == 2
    assert "missing.json: error: cannot be read: No such file" in done.err
    assert "(CG301)" in done.out
    assert "2 catalogs: 1 clean, 1 with cycles" in done.out


def test_standard_input(run: Run, sample: Sample) -> None:
    data = (sample("require_loop") / "catalog.json").read_bytes()
    assert run("cycles", "-", stdin=data).code == 1
    assert run("cycles", "-", stdin=gzip.compress(data)).code == 1
    assert run("cycles", "-").code == 2


def test_gzip(run: Run, sample: Sample, tmp_path: Path) -> None:
    path, plain = tmp_path / "catalog.json.gz", tmp_path / "catalog.json"
    plain.write_bytes((sample("require_loop") / "catalog.json").read_bytes())
    path.write_bytes(gzip.compress(plain.read_bytes()))
    assert run("cycles", path).out == run("cycles", plain).out


def test_output_file(run: Run, sample: Sample, tmp_path: Path) -> None:
    catalog, target = sample("require_loop") / "catalog.json", tmp_path / "report.txt"
    plain = run("cycles", catalog)
    done = run("cycles", catalog, "-o", target)
    assert (done.code, done.out) == (1, "")
    assert target.read_text(encoding="utf-8") == plain.out
    assert list(tmp_path.iterdir()) == [target]


def test_an_output_takes_the_place_of_another(
    run: Run, sample: Sample, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    catalog, target = sample("require_loop") / "catalog.json", tmp_path / "report.txt"
    target.touch(0o604)
    target.chmod(0o604)
    seen = []
    fchmod = os.fchmod

    def spy(file: int, mode: int) -> None:
        seen.append((os.fstat(file).st_size, mode))
        fchmod(file, mode)

    monkeypatch.setattr("os.fchmod", spy)
    run("cycles", catalog, "-o", target)
    assert seen == [(0, 0o604)]  # Before anything is in it.
    assert target.stat().st_mode & 0o7777 == 0o604
    assert list(tmp_path.iterdir()) == [target]
    if os.geteuid() == 0:
        os.chown(target, 12, 34)
        run("cycles", catalog, "-o", target)
        assert (target.stat().st_uid, target.stat().st_gid) == (12, 34)


def test_an_interrupted_output_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*paths: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("os.replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        emit("new", str(tmp_path / "report.txt"))
    assert list(tmp_path.iterdir()) == []


def test_an_output_that_cannot_be_written(run: Run, sample: Sample, tmp_path: Path) -> None:
    done = run("cycles", sample("stages") / "catalog.json", "-o", tmp_path / "no" / "report.txt")
    assert done.code == 2
    assert "No such file or directory" in done.err


def test_colours(run: Run, sample: Sample, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    catalog = sample("require_loop") / "catalog.json"
    assert "\x1b[" not in run("cycles", catalog).out
    assert "\x1b[" not in run("cycles", catalog, "--color", "never").out
    assert "\x1b[31merror\x1b[0m" in run("cycles", catalog, "--color", "always").out
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b[" in run("cycles", catalog).out
    target = tmp_path / "report.txt"
    run("cycles", catalog, "-o", target)
    assert "\x1b[" not in target.read_text(encoding="utf-8")
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" not in run("cycles", catalog).out


def test_missing_targets(run: Run, written: Callable[..., Path]) -> None:
    resources = [notify("apache2"), notify("a", file="site.pp", line=3, require="Notify[apache]")]
    done = run("cycles", written(resources))
    assert done.code == 1
    assert done.out.startswith("site.pp:3: error: Could not find dependency Notify[apache]")
    assert "(CG201)" in done.out
    assert "did you mean Notify[apache2]" in done.out


def test_two_cycles_are_numbered(run: Run, written: Callable[..., Path]) -> None:
    done = run("cycles", written(ring(["a", "b"]) + ring(["c", "d"])))
    assert "dependency cycle 1 of 2" in done.out
    assert "dependency cycle 2 of 2" in done.out


def test_duplicate_titles_are_a_warning(run: Run, written: Callable[..., Path]) -> None:
    done = run("cycles", written([notify("a"), notify("a"), notify("b", require="Notify[a]")]))
    assert done.code == 0
    assert "warning: declared more than once: Notify[a]" in done.err


def test_a_list_of_catalogs(run: Run, sample: Sample, tmp_path: Path) -> None:
    documents = []
    for name in ("require_loop", "stages"):
        documents.append(json.loads((sample(name) / "catalog.json").read_text(encoding="utf-8")))
    path = tmp_path / "all.json"
    path.write_text(json.dumps(documents), encoding="utf-8")
    done = run("cycles", path)
    assert done.code == 1
    assert "2 catalogs: 1 clean, 1 with cycles" in done.out


@pytest.mark.parametrize(
    "arguments", [[], ["--format", "yaml", "x"], ["--no-such-option", "x"], ["x", "-o"]]
)
def test_usage_errors(run: Run, arguments: list[str]) -> None:
    done = run("cycles", *arguments)
    assert done.code == 2
    assert done.out == ""
    assert "error: " in done.err


@pytest.mark.parametrize(
    ("text", "explained"),
    [
        ("notify { 'q': require => Notify['q'] }\n", False),
        ("notify { 'q': }\nNotify['q'] -> Notify['q']\n", True),
        ("notify { 'q': }\nNotify['q'] <- Notify <| title == 'none' |>\n", True),
    ],
)
def test_a_resource_that_names_itself_needs_no_explanation(
    run: Run, tmp_path: Path, text: str, explained: bool
) -> None:
    path = tmp_path / "site.pp"
    path.write_text(text)
    done = run("cycles", path)
    assert (done.code, "depends on itself" in done.out) == (1, explained)
    assert ("depends on itself" in run("lint", path).out) == explained
