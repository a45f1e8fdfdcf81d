"""`catgraph query`: formats, exit codes, several inputs, policies."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from analyzer.cli.reports.query_words import table
from analyzer.graph.query.evaluate import WORDS
from tests.conftest import ROOT
from tests.frontends.cfengine.runs import RUNS

from .conftest import Run

SAMPLES = ROOT / "sample_catalogs"
WEB = SAMPLES / "healthy_web_stack" / "catalog.json"
STAGES = SAMPLES / "stages" / "catalog.json"


def test_text_has_places(run: Run) -> None:
    done = run("query", WEB, "type = Service")
    assert (done.code, done.err) == (0, "")
    assert "Service[nginx]       modules/webserver/manifests/service.pp:3\n" in done.out
    assert run("query", WEB, "type = Service", "--count").out == f"{done.out.count(chr(10))}\n"


def test_formats(run: Run) -> None:
    refs = run("query", WEB, "refreshed by File[/etc/nginx/nginx.conf]", "--format", "refs")
    assert refs.out == "Service[nginx]\n"
    rows = json.loads(run("query", WEB, "Service[nginx]", "--format", "json").out)
    assert rows == [
        {
            "ref": "Service[nginx]",
            "type": "Service",
            "title": "nginx",
            "file": "modules/webserver/manifests/service.pp",
            "line": 3,
        }
    ]
    assert json.loads(run("query", WEB, "ensure = never", "--format", "json").out) == []


def test_parameters_that_are_shown(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "site.pp"
    path.write_text(
        "file { '/a': mode => '0644', owner => $facts['x'], content => Sensitive('hunter2') }\n"
        "user { 'u': password => 'tr0ub4', groups => ['a', 'b'] }\n"
    )
    names = "mode, owner,content,password,groups,none"
    done = run("query", path, "type in [File, User]", "--show", names)
    assert done.out.splitlines() == [
        f"File[/a]  {path}:1  mode=0644 owner=(unknown) content=[redacted]",
        f'User[u]   {path}:2  password=[redacted] groups=["a", "b"]',
    ]
    rows = json.loads(
        run("query", path, "type in [File, User]", "--show", names, "--format", "json").out
    )
    assert rows[1]["parameters"] == {"password": "[redacted]", "groups": ["a", "b"]}


def test_edges(run: Run) -> None:
    text = "edges where kind = notify and from class = shop::app and to type = Service"
    done = run("query", WEB, text)
    app = "modules/shop/manifests/app.pp"
    assert done.out.splitlines() == [
        f"File[/srv/shop/shared/settings.ini] => Service[shop]  {app}:52  subscribe",
        f"File[/srv/shop/current] => Service[shop]              {app}:24  notify",
    ]
    rows = json.loads(run("query", WEB, text, "--format", "json").out)
    assert {row["target"] for row in rows} == {"Service[shop]"}
    assert [row["origin"]["form"] for row in rows] == ["subscribe", "notify"]
    done = run("query", WEB, text, "--format", "refs")
    assert done.out.splitlines()[-1] == "File[/srv/shop/current] ~> Service[shop]"


def test_exit_codes(run: Run) -> None:
    for option, some, none in (("--fail-if-any", 1, 0), ("--fail-if-none", 0, 1)):
        assert run("query", WEB, "type = Service", option).code == some
        assert run("query", WEB, "ensure = never", option).code == none
    assert run("query", WEB, "isolated", "--fail-if-any", "--fail-if-none").code == 2
    assert run("query", WEB).code == 2


def test_errors_are_one_message(run: Run) -> None:
    done = run("query", WEB, "type = File and zork")
    assert (done.code, done.out) == (2, "")
    assert done.err.splitlines() == [
        "<query>:1:17: error: unknown word 'zork'; 'catgraph query --help' lists the words "
        "(bad-query)",
        "  type = File and zork",
        "                  ^",
    ]
    done = run("query", "isolated", WEB)
    assert (done.code, "write the expression after the inputs" in done.err) == (2, True)
    assert run("query", "missing.json", "isolated").code == 2


def test_several_catalogs(run: Run) -> None:
    done = run("query", WEB, STAGES, "type = Stage")
    assert done.out.splitlines() == [
        str(WEB),
        "  Stage[main]",
        str(STAGES),
        "  Stage[main]",
        "  Stage[first]  manifests/site.pp:2",
        "  Stage[last]   manifests/site.pp:5",
    ]
    done = run("query", WEB, STAGES, "type = Stage", "--count")
    assert done.out == f"{WEB}: 1\n{STAGES}: 3\n"
    rows = json.loads(run("query", WEB, STAGES, "type = Stage", "--format", "json").out)
    assert [row["catalog"] for row in rows] == [str(WEB), *[str(STAGES)] * 3]


def test_a_resource_that_one_of_several_catalogs_lacks(run: Run) -> None:
    done = run("query", WEB, STAGES, "before Service[nginx]", "--count")
    assert done.code == 0
    assert done.out.endswith(f"{STAGES}: 0\n")
    assert f"{STAGES}: warning: Service[nginx] is not in the catalog" in done.err
    assert run("query", STAGES, "before Service[nginx]").code == 2
    assert run("query", STAGES, STAGES, "before Service[nginx]").code == 2


def test_manifests_and_what_they_leave_open(run: Run, tmp_path: Path) -> None:
    manifest = tmp_path / "site.pp"
    manifest.write_text("file { '/a': owner => $facts['x'] }\nnotify { 'b': }\n")
    done = run("query", manifest, "owner != root and not container", "--format", "refs")
    assert (done.code, done.out) == (0, "Notify[b]\n")
    assert done.err == (
        f"{manifest}: warning: cannot decide on File[/a]: "
        "owner is unknown: no facts are given (--facts FILE)\n"
    )


def test_policies(run: Run) -> None:
    path = RUNS / "chain_of_four_backwards.cf"
    done = run("query", path, "outcome = repaired and pass > 1", "--format", "refs")
    assert done.out.splitlines() == ["Commands[main:/bin/echo b]", "Commands[main:/bin/echo c]"]
    done = run("query", path, "before(Commands[main:/bin/echo c], 1)", "--format", "refs")
    assert done.out == "Commands[main:/bin/echo b]\n"


def test_a_graph_of_what_is_found(run: Run) -> None:
    text = "in Class[Webserver::Config] and type = File or Class[Webserver::Config]"
    for view, names in (("relationships", 1), ("expanded", 2)):
        done = run("graph", WEB, "--select", text, "--view", view, "--format", "json")
        document = json.loads(done.out)
        refs = [node["ref"] for node in document["nodes"]]
        assert sum("Class[" in ref for ref in refs) == names
        assert sum(ref.startswith("File[") for ref in refs) == 4
        ends = {edge[end] for edge in document["edges"] for end in ("source", "target")}
        assert ends <= set(refs)
    folded = run("graph", WEB, "--select", text, "--fold", "class", "--format", "json")
    assert [node["ref"] for node in json.loads(folded.out)["nodes"]] == ["Class[Webserver::Config]"]
    done = run("graph", WEB, "--select", "ownr = root")
    assert (done.code, done.out) == (2, "")
    assert "no resource has a parameter 'ownr'; did you mean 'owner'?" in done.err
    assert "no resource to draw: it matches nothing" in done.err
    assert "it matches edges" in run("graph", WEB, "--select", "edges").err
    assert run("graph", WEB, "--select", "isolated", "--focus", "Service[nginx]").code == 2


def test_titles_cannot_steer_a_terminal(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    row = {"type": "Notify", "title": "\x1b[2J\n", "parameters": {}}
    path.write_text(json.dumps({"resources": [row], "edges": []}))
    assert run("query", path, "type = Notify").out == "Notify[\\u001b[2J\\n]\n"


def test_help_has_every_word(run: Run) -> None:
    text = run("query", "--help").out
    assert table() in text
    assert all(f"  {word}" in text for word in WORDS)


def test_what_help_loads() -> None:
    code = (
        "import sys; from analyzer.cli import main; main(['query', '--help']);"
        "print('lark' in sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stderr == "False\n"
