"""`catgraph apply`: the three formats, what options make happen, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run, notify, ring

Sample = Callable[[str], Path]
Written = Callable[..., Path]


def resource(kind: str, title: str, **parameters: Any) -> dict[str, Any]:
    return {"type": kind, "title": title, "kind": "compilable_type", "parameters": parameters}


@pytest.fixture
def web(written: Written) -> Path:
    """A package, its configuration and its service; and a service that has nothing before it."""
    return written(
        [
            {"type": "Class", "title": "main", "kind": "class"},
            resource("Package", "web", ensure="installed"),
            resource("File", "/etc/web.conf", content="x", require="Package[web]"),
            resource("Service", "web", ensure="running", subscribe="File[/etc/web.conf]"),
            resource("Service", "shop", ensure="running"),
            resource("Package", "shop", ensure="installed"),
        ]
    )


def test_what_if_a_package_fails(run: Run, web: Path) -> None:
    done = run("apply", web, "--fail", "Package[web]")
    assert done.code == 1
    assert done.out.splitlines() == [
        "1 resource fails",
        "  Package[web]  change from 'purged' to 'present' failed: injected failure",
        "2 resources are skipped",
        "  File[/etc/web.conf]  failed dependency: Package[web]",
        "  Service[web]         failed dependency: Package[web]",
        "2 resources change",
        "  Service[shop]  ensure changed 'stopped' to 'running'",
        "  Package[shop]  ensure changed 'purged' to 'present'",
        "status: failed",
    ]


def test_described_state(run: Run, web: Path, tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    there = {
        "Package[web]": {"ensure": "1.2"},
        "File[/etc/web.conf]": {"ensure": "file", "content": "old"},
        "Service[web]": {"ensure": "running"},
        "Service[shop]": {"ensure": "running"},
        "Package[shop]": {"ensure": "present"},
    }
    there["Package[web]"]["ensure"] = "present"
    state.write_text(json.dumps(there))
    # The catalog has no containment.
    words = ["--state", state, "--format", "puppet", "--verbose", "--allow-incomplete"]
    done = run("apply", web, *words)
    assert done.code == 0
    checksums = [f"{{sha256}}{digest}" for digest in (OLD, NEW)]
    assert done.out.splitlines() == [
        f"Notice: /File[/etc/web.conf]/content: content changed '{checksums[0]}' "
        f"to '{checksums[1]}'",
        "Info: /File[/etc/web.conf]: Scheduling refresh of Service[web]",
        "Notice: /Service[web]: Triggered 'refresh' from 1 event",
        "Notice: Applied catalog in 0.00 seconds",
    ]


OLD = "cba06b5736faf67e54b07b561eae94395e774c517a7d910a54369e1263ccfbd4"
NEW = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"


def test_outcomes_of_a_file(run: Run, web: Path, tmp_path: Path) -> None:
    told = tmp_path / "told.json"
    told.write_text('{"Service[web]": {"apply": "ok", "refresh": "fail"}}')
    done = run("apply", web, "--outcome", told, "--format", "json")
    document = json.loads(done.out)
    assert (done.code, document["status"]) == (1, "failed")
    assert document["resources"]["Service[web]"] == {
        "flags": ["failed", "failed_to_restart", "out_of_sync"],
        "failed_deps": [],
        "events": [
            {
                "name": "resource_error",
                "property": None,
                "status": "failure",
                "message": "Failed to call refresh: injected failure of the refresh",
            }
        ],
    }
    assert document["order"][:2] == ["Package[web]", "File[/etc/web.conf]"]
    assert [
        "err",
        "/Service[web]",
        "Failed to call refresh: injected failure of the refresh",
    ] in document["log"]


def test_noop_and_versions(run: Run, web: Path) -> None:
    lines = {
        version: run(
            "apply", web, "--noop", "--format", "puppet", "--puppet-version", version
        ).out.splitlines()[0]
        for version in (7, 8)
    }
    assert lines[7].endswith("current_value 'purged', should be 'present' (noop)")
    assert lines[8].endswith("ensure changed 'purged' to 'present' (noop)")


def test_shuffle_finds_the_missing_relationship(run: Run, web: Path) -> None:
    done = run("apply", web, "--shuffle", 30)
    assert done.code == 1
    assert "Service[shop]: failed in Puppet's order, changed in " in done.out
    assert "missing: Package['shop'] -> Service['shop']" in done.out
    assert "Service[web]" not in done.out


def test_secrets_are_not_told(run: Run, written: Written) -> None:
    row = resource("File", "/etc/key", ensure="file", content="hush")
    row["sensitive_parameters"] = ["content"]
    path = written([row, {**notify("n", message="hush"), "sensitive_parameters": ["message"]}])
    for form in ("text", "json", "puppet"):
        for more in ([], ["--noop"], ["--fail", "File[/etc/key]"]):
            done = run("apply", path, "--format", form, "--debug", *more)
            assert "hush" not in done.out + done.err
            assert "redacted" in done.out


def test_a_cycle_fails_the_run(run: Run, written: Written) -> None:
    path = written(ring(["a", "b"]))
    done = run("apply", path, "--format", "json")
    document = json.loads(done.out)
    assert (done.code, document["status"], document["order"]) == (1, "failed", [])
    assert document["error"] == "One or more resource dependency cycles detected in graph"
    assert document["resources"]["Notify[a]"]["flags"] == ["failed", "out_of_sync"]
    assert "Notify[a] => Notify[b] => Notify[a]" in run("apply", path).out
    assert run("apply", path, "--shuffle", 3).code == 2


def test_a_missing_target_fails_the_run(run: Run, written: Written) -> None:
    done = run("apply", written([notify("a", require="Notify[b]")]), "--format", "puppet")
    assert done.code == 1
    message = "Error: Failed to apply catalog: Could not find dependency Notify[b] for Notify[a]"
    assert done.out.splitlines() == [message]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--fail", "Package[wob]"], "did you mean Package[web]"),
        (["--fail", "Package[web]=later"], "not 'later'"),
        (["--fail", "Class[Main]"], "Class[Main] only contains resources"),
        (["--changed", "web"], "web is not in the catalog"),
        (["--at", "noon"], "expected a time such as"),
        (["--shuffle", "0"], "--shuffle needs a number above 0"),
        (["--outcome", "no.json"], "no.json: No such file or directory"),
    ],
)
def test_refused(run: Run, web: Path, arguments: list[str], message: str) -> None:
    done = run("apply", web, *arguments)
    assert (done.code, done.out) == (2, "")
    assert message in done.err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", "expected an object whose keys are references"),
        ("{", "not JSON"),
        ('{"Package[web]": "fail"}', "expected an object with 'apply' and 'refresh'"),
        ('{"Package[web]": {"apply": "maybe"}}', "'apply' must be one of ok, change, fail"),
        ('{"Package[web]": {"restart": "ok"}}', "unknown key 'restart'"),
    ],
)
def test_refused_outcomes(run: Run, web: Path, tmp_path: Path, text: str, message: str) -> None:
    told = tmp_path / "told.json"
    told.write_text(text)
    done = run("apply", web, "--outcome", told)
    assert (done.code, done.out) == (2, "")
    assert message in done.err


def test_difference_of_two_runs(run: Run, web: Path, tmp_path: Path) -> None:
    runs = [tmp_path / "usual.json", tmp_path / "broken.json"]
    run("apply", web, "--format", "json", "-o", runs[0])
    run("apply", web, "--format", "json", "-o", runs[1], "--fail", "File[/etc/web.conf]")
    same = run("diff", runs[0], runs[0])
    assert (same.code, same.out.splitlines()[-1]) == (0, "no resource ended differently")
    done = run("diff", *runs)
    assert done.code == 1
    assert "  File[/etc/web.conf]  changed -> failed\n" in done.out
    assert "  Service[web]  changed -> skipped\n" in done.out
    assert run("diff", runs[0], web).code == 2


def test_samples(run: Run, sample: Sample) -> None:
    path = sample("healthy_web_stack") / "catalog.json"
    assert run("apply", path).code == 0
    assert run("apply", path, "--shuffle", 5).code == 0


TYPES = """[types.myservice]
refreshable = true
[types.myconf]
refreshable = true
self_refresh = true
[[types.myconf.automatic]]
kind = "autorequire"
target = "file"
from = "config_path"
"""


def test_types_that_the_user_describes(run: Run, written: Written, tmp_path: Path) -> None:
    rows = [
        resource("Myconf", "a", value="1", config_path="/etc/a"),
        resource("Myservice", "b", ensure="running", subscribe="Myconf[a]"),
        resource("Other", "c", ensure="running", subscribe="Myconf[a]"),
        resource("File", "/etc/a", ensure="file"),
    ]
    (tmp_path / "catgraph.toml").write_text(TYPES)
    done = run("apply", written(rows), "--format", "puppet", "--verbose")
    assert done.out.splitlines() == [
        "Notice: /File[/etc/a]/ensure: created",
        "Notice: /Myconf[a]/value: defined 'value' as '1'",
        "Info: /Myconf[a]: Scheduling refresh of Myservice[b]",
        "Info: /Myconf[a]: Scheduling refresh of Myconf[a]",
        "Notice: /Myconf[a]: Triggered 'refresh' from 1 event",
        "Info: /Myconf[a]: Scheduling refresh of Myservice[b]",
        "Info: /Myconf[a]: Scheduling refresh of Myconf[a]",
        "Notice: /Myservice[b]/ensure: created",
        "Notice: /Myservice[b]: Triggered 'refresh' from 2 events",
        "Notice: /Other[c]/ensure: created",
        "Notice: Applied catalog in 0.00 seconds",
    ]
    (tmp_path / "catgraph.toml").unlink()
    done = run("apply", tmp_path / "catalog.json", "--format", "puppet", "--verbose")
    assert "refresh" not in done.out
    assert done.out.startswith("Notice: /Myconf[a]/value")


def test_what_a_simulation_knows_of_what_resources_bring(
    run: Run, written: Written, tmp_path: Path
) -> None:
    files = tmp_path / "modules/site/files/tree/sub"
    files.mkdir(parents=True)
    (files / "b").write_text("b")
    tree = {"ensure": "directory", "recurse": True, "source": "puppet:///modules/site/tree"}
    rows = [
        resource("File", "/etc/app", **tree, notify="Exec[/bin/told]"),
        resource("Exec", "/bin/told", refreshonly=True),
        resource("Concat_file", "/etc/all", tag="a"),
        resource("Concat_fragment", "one", tag="a", content="x"),
        resource("Concat_file", "/etc/some", tag="s"),
        resource("Concat_fragment", "two", tag="s", source="/etc/nowhere"),
        resource("Resources", "cron", purge=True),
    ]
    done = run("apply", written(rows), "--format", "puppet", "--modulepath", tmp_path / "modules")
    assert done.code == 0
    assert done.out.splitlines() == [
        "Notice: /File[/etc/app]/ensure: created",
        "Notice: /File[/etc/app/sub]/ensure: created",
        "Notice: /File[/etc/app/sub/b]/ensure: created",
        "Notice: /Exec[/bin/told]: Triggered 'refresh' from 1 event",
        f"Notice: /File[/etc/all]/ensure: defined content as '{{sha256}}{NEW}'",
        "Notice: /File[/etc/some]/ensure: created",
        "Notice: Applied catalog in 0.00 seconds",
    ]
