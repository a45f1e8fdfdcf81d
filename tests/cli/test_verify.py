"""`catgraph verify` with a fake tool, whose answers are recorded: no Ruby is needed."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from analyzer.session.verify import tool
from tests.cli.conftest import Outcome, Put, Run
from tests.conftest import ROOT

SITE = {
    "site/manifests/site.pp": "node 'web1.example.com' {\n  file { '/a': mode => '0644' }\n}\n"
    "node 'db1.example.com' {\n  fail('no')\n}\n"
}
REFRESH = ("refresh", "ALL_EVENTS", None)
SCHEDULES = ("puppet", "hourly", "daily", "weekly", "monthly", "never")
# What Puppet 7.23 makes of the first node; its file is named by the test.
ANSWER: dict[str, Any] = {
    "stage": "done",
    "catalog": {
        "resources": [
            {"type": "Stage", "title": "main", "tags": ["stage"], "exported": False,
             "kind": "compilable_type", "parameters": {"name": "main"}},
            {"type": "Class", "title": "Settings", "tags": ["class", "settings"],
             "exported": False, "kind": "unknown"},
            {"type": "Class", "title": "main", "tags": ["class"], "exported": False,
             "kind": "unknown", "parameters": {"name": "main"}},
            {"type": "Node", "title": "web1.example.com",
             "tags": ["node", "web1.example.com", "class"], "exported": False, "kind": "unknown"},
            {"type": "File", "title": "/a", "tags": ["file", "node", "web1.example.com", "class"],
             "line": 2, "exported": False, "kind": "compilable_type",
             "parameters": {"mode": "0644"}},
        ],
        "edges": [
            {"source": "Stage[main]", "target": "Class[Settings]"},
            {"source": "Stage[main]", "target": "Class[main]"},
            {"source": "Class[main]", "target": "Node[web1.example.com]"},
            {"source": "Node[web1.example.com]", "target": "File[/a]"},
        ],
        "classes": ["settings", "web1.example.com"],
    },
    "relationships": [],
    "dropped": [],
    "expanded": [
        ["Admitted[Node[web1.example.com]]", "File[/a]", *REFRESH],
        ["Completed[Class[Settings]]", "Completed[Stage[main]]", *REFRESH],
        ["Completed[Class[Main]]", "Completed[Stage[main]]", *REFRESH],
        ["Admitted[Stage[main]]", "Admitted[Class[Settings]]", *REFRESH],
        ["Admitted[Class[Settings]]", "Completed[Class[Settings]]", None, None, None],
        ["Admitted[Stage[main]]", "Admitted[Class[Main]]", *REFRESH],
        ["Completed[Node[web1.example.com]]", "Completed[Class[Main]]", *REFRESH],
        ["Admitted[Class[Main]]", "Admitted[Node[web1.example.com]]", *REFRESH],
        ["File[/a]", "Completed[Node[web1.example.com]]", *REFRESH],
    ],
    "cycles": [],
    "order": [
        "File[/a]",
        *(f"Schedule[{name}]" for name in SCHEDULES),
        "Filebucket[puppet]",
    ],
}  # fmt: skip
REFUSAL = {
    "stage": "compile",
    "file": "site.pp",
    "line": 5,
    "error": "Puppet::PreformattedError: Evaluation Error: Error while evaluating a Function Call,"
    " no (file: site.pp, line: 5, column: 3) on node db1.example.com",
}

Fake = Callable[..., Callable[..., Outcome]]


@pytest.fixture
def fake(put: Put, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Fake:
    """Give the fake tool answers, and run the command on the site."""

    def prepare(
        answer: dict[str, Any] | int, hello: dict[str, str] | None = None
    ) -> Callable[..., Outcome]:
        put(SITE)
        folder = tmp_path / "bin"
        folder.mkdir()
        script = (ROOT / "tests" / "verify" / "fake_puppet.py").read_text()
        program = folder / "puppet"
        program.write_text(script.replace("/usr/bin/env python3", sys.executable, 1))
        program.chmod(0o755)
        hello = hello or {"hello": "7.23.0", "product": "puppet"}
        (folder / "hello.json").write_text(json.dumps(hello))
        answers = {"web1.example.com": answer, "db1.example.com": REFUSAL}
        (folder / "answers.json").write_text(json.dumps(answers))
        monkeypatch.setenv("PATH", str(folder))
        monkeypatch.setattr(tool, "PACKAGED", str(tmp_path / "nowhere"))
        return lambda *words: run("verify", "site", *words)

    return prepare


@pytest.fixture
def answer(tmp_path: Path) -> dict[str, Any]:
    copied: dict[str, Any] = json.loads(json.dumps(ANSWER))
    copied["catalog"]["resources"][-1]["file"] = str(tmp_path / "site/manifests/site.pp")
    return copied


def test_equal(fake: Fake, answer: dict[str, Any]) -> None:
    done = fake(answer)()
    assert (done.code, done.out) == (
        0,
        "against Puppet 7.23.0, facts of @debian-12\n2 nodes: 1 equal, 1 refused alike\n",
    )


def test_another_value(fake: Fake, answer: dict[str, Any]) -> None:
    answer["catalog"]["resources"][-1]["parameters"]["mode"] = "0600"
    done = fake(answer)("--no-shrink")
    assert done.code == 1
    assert done.out.splitlines() == [
        "against Puppet 7.23.0, facts of @debian-12",
        "2 nodes: 1 refused alike, 1 differs",
        "",
        "1. parameter: File{mode} (1 node)",
        "   web1.example.com at site/manifests/site.pp:2",
        "   catgraph:  File[/a] mode => '0644'",
        "   real tool: File[/a] mode => '0600'",
    ]


def test_what_is_refused_by_one_only(fake: Fake) -> None:
    done = fake(REFUSAL)("--no-shrink", "--format", "json")
    document = json.loads(done.out)
    assert done.code == 1
    assert document["nodes"]["web1.example.com"]["status"] == "differs"
    assert document["nodes"]["db1.example.com"]["status"] == "refused alike"
    assert document["nodes"]["db1.example.com"]["refusal"] == {
        "catgraph": "site/manifests/site.pp:5:3: no",
        "tool": "site.pp:5: no",
    }
    (cause,) = document["causes"]
    assert (cause["kind"], cause["nodes"]) == ("accepted: no", ["web1.example.com"])


def test_a_node_that_takes_too_long(fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tool.Tool.__init__, "__defaults__", ("", 0.5))
    done = fake(30)()
    assert done.code == 3
    assert "1 cannot be compared (lacks the real tool gave no catalog: no answer within 0.5" in (
        done.out
    )


def test_what_the_machine_lacks(fake: Fake, answer: dict[str, Any]) -> None:
    error = "Puppet::Error: Lookup using eyaml lookup_key function is only supported when the "
    done = fake({**REFUSAL, "error": f"{error}hiera_eyaml library is present"})()
    assert done.code == 3
    assert "lacks a library that the real tool does not have here" in done.out


def test_the_tool_reads_nothing_of_the_machine(
    fake: Fake, answer: dict[str, Any], tmp_path: Path
) -> None:
    fake(answer)("--node", "web1.example.com")
    (asked,) = json.loads((tmp_path / "bin" / "asked.json").read_text())
    folders = [word.partition("=")[2] for word in asked["arguments"][1:]]
    assert len(folders) == 7
    assert all("catgraph-verify-" in folder for folder in folders)
    assert not any(Path(folder).exists() for folder in folders)
    assert asked["facts"]["os"]["name"] == "Debian"
    assert asked["manifest"] == str(tmp_path / "site" / "manifests" / "site.pp")
    assert sorted(path.name for path in (tmp_path / "site").rglob("*")) == ["manifests", "site.pp"]


@pytest.mark.parametrize(
    ("hello", "words", "message"),
    [
        ({"hello": "7.23.0"}, ("--against", "openvox"), "this is Puppet 7.23.0, not openvox"),
        ({"hello": "3.8.7"}, (), "puppet 3.8.7 is not known"),
        ({}, (), "cannot be used to compile"),
    ],
)
def test_another_tool(
    fake: Fake, answer: dict[str, Any], hello: dict[str, str], words: tuple[str, ...], message: str
) -> None:
    done = fake(answer, hello or {"missing": "x"})(*words)
    assert done.code == 2
    assert message in done.err


def test_no_tool(put: Put, run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    put(SITE)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(tool, "PACKAGED", str(tmp_path))
    done = run("verify", "site")
    assert done.code == 2
    assert "install puppet-agent or openvox-agent" in done.err


def test_a_server_is_refused(put: Put, run: Run) -> None:
    put(SITE)
    done = run("verify", "site", "--against", "server+https://puppet.example.com")
    assert done.code == 2
    assert "a server cannot be asked yet" in done.err


def test_a_catalog_in_a_file(put: Put, run: Run, tmp_path: Path) -> None:
    put(SITE)
    given = ("--node", "web1.example.com", "--facts", "@debian-12")
    run("compile", "site", *given, "-o", "catalog.json")
    words = ("verify", "site", "--facts", "@debian-12", "--against", "catalog.json")
    assert run(*words).code == 0
    file = tmp_path / "catalog.json"
    file.write_text(file.read_text().replace("0644", "0600"))
    done = run(*words)
    assert (done.code, "parameter: File{mode}" in done.out) == (1, True)
    done = run("verify", "site", "--against", "catalog.json")
    assert (done.code, "--facts FILE" in done.err) == (2, True)
    done = run("verify", "site", "--against", "openvx")
    assert (done.code, "openvx: error: cannot be read" in done.err) == (2, True)
