"""The formats of `catgraph cycles` for other programs: structure, escaping, determinism."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema  # type: ignore[import-untyped]
import pytest

from analyzer.export.reports.formats import FORMATS
from tests.cli.conftest import Run, notify, ring
from tests.cli.sarif_subset import LOG
from tests.conftest import ROOT

Sample = Callable[[str], Path]
Written = Callable[..., Path]

CYCLIC = ["require_loop", "autorequire_cycle", "collector_chain_cycle", "containment_cycle"]
MANIFEST = "/etc/puppetlabs/code/environments/production/modules/a b,:%/manifests/ä.pp"
NASTY = [
    "/a[b]|`x``y`",
    "läß \U0001f4a5",
    "half \ud83d",
    "control \x00\x1b\x7f\ufffe end",
    "<b>&\"'--> ]]>",
    "a\nb\r\nc\td",
    "100% ,:; => x",
    "::error::no",
    "",
    "\\|\\",
]


def nasty(written: Written) -> Path:
    """Titles that mean something to each of the formats, in a cycle, and a missing target."""
    missing = notify("m|`<", require=["Nope[x|y`<\n>]", 5])
    return written([*ring(NASTY, file=MANIFEST, line=7), missing])


def sarif(text: str) -> dict[str, Any]:
    """The run of a log, checked against the schema."""
    log = json.loads(text)
    jsonschema.Draft202012Validator(LOG).validate(log)
    (run,) = log["runs"]
    assert isinstance(run, dict)
    return run


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("case", ["samples", "nasty"])
def test_exit_code_and_determinism(
    run: Run, sample: Sample, written: Written, name: str, case: str
) -> None:
    samples = [sample(folder) / "catalog.json" for folder in [*CYCLIC, "stages"]]
    inputs = samples if case == "samples" else [nasty(written)]
    first = run("cycles", *inputs, "--format", name)
    assert first.code == 1
    assert first.out.endswith("\n")
    assert run("cycles", *inputs, "--format", name) == first
    assert run("cycles", sample("stages") / "catalog.json", "--format", name).code == 0


@pytest.mark.parametrize("name", FORMATS)
def test_the_same_under_another_hash_seed(sample: Sample, name: str) -> None:
    command = "import sys; from analyzer.cli import main; sys.exit(main(sys.argv[1:]))"
    inputs = [str(sample(folder) / "catalog.json") for folder in (*CYCLIC, "layered_20x7")]
    outputs = {
        subprocess.run(
            [sys.executable, "-c", command, "cycles", *inputs, "--format", name],
            capture_output=True,
            check=False,
            cwd=ROOT,
            env={"PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1
    assert outputs != {b""}


@pytest.mark.parametrize("folder", CYCLIC)
def test_json(run: Run, sample: Sample, folder: str) -> None:
    path = sample(folder) / "catalog.json"
    (entry,) = json.loads(run("cycles", path, "--format", "json").out)["cycles"]
    assert list(entry) == ["input", "members", "path", "edges", "shortest", "cuts"]
    assert entry["input"] == str(path)
    assert entry["path"][0] == entry["path"][-1]
    assert set(entry["path"]) <= set(entry["members"])
    ends = list(dict.fromkeys((edge["source"], edge["target"]) for edge in entry["edges"]))
    assert ends == list(dict.fromkeys(pairwise(entry["path"])))
    for edge in entry["edges"]:
        assert list(edge) == ["source", "target", "kind", "event", "auto", "origin"]
        assert list(edge["origin"]) == ["form", "declared_by", "position", "rule", "file", "line"]
    (cut,) = entry["cuts"]
    assert list(cut) == ["statements", "lost", "lost_count", "exact"]
    assert cut["statements"]
    assert len(cut["lost"]) == cut["lost_count"]


def test_json_of_no_cycle_and_missing_targets(run: Run, written: Written) -> None:
    done = run("cycles", written([notify("a", require="Notify[b]")]), "--format", "json")
    assert done.code == 1
    assert json.loads(done.out) == {"cycles": [], "incomplete": []}
    assert "Could not find dependency Notify[b] for Notify[a] (CG201)" in done.err


def test_json_keeps_titles(run: Run, written: Written) -> None:
    (entry,) = json.loads(run("cycles", nasty(written), "--format", "json").out)["cycles"]
    assert sorted(entry["members"]) == sorted(f"Notify[{title}]" for title in NASTY)


def test_sarif(run: Run, sample: Sample) -> None:
    path = sample("require_loop") / "catalog.json"
    log = sarif(run("cycles", path, "--format", "sarif").out)
    assert [rule["id"] for rule in log["tool"]["driver"]["rules"]] == ["CG201", "CG301"]
    (result,) = log["results"]
    assert (result["ruleId"], result["ruleIndex"], result["level"]) == ("CG301", 1, "error")
    (flow,) = result["codeFlows"]
    (thread,) = flow["threadFlows"]
    places = [step["location"]["physicalLocation"] for step in thread["locations"]]
    assert [place["region"]["startLine"] for place in places] == [18, 13, 5]
    assert {place["artifactLocation"]["uri"] for place in places} == {"manifests/site.pp"}
    messages = [step["location"]["message"]["text"] for step in thread["locations"]]
    assert messages[0].startswith("Package[app] => Exec[generate secrets]: ")
    assert result["locations"][0]["physicalLocation"]["region"] == {
        "startLine": 5,
        "startColumn": 5,
    }


def test_sarif_without_a_place(run: Run, written: Written) -> None:
    path = written(ring(["a", "b"]))
    log = sarif(run("cycles", path, "--format", "sarif").out)
    (result,) = log["results"]
    (location,) = result["locations"]
    assert location["physicalLocation"] == {"artifactLocation": {"uri": path.as_uri()}}
    names = [row["fullyQualifiedName"] for row in location["logicalLocations"]]
    assert names == ["Notify[a]", "Notify[b]"]


def test_sarif_fingerprints_outlive_a_move(run: Run, written: Written) -> None:
    prints = []
    for line, titles in ((1, ["a", "b"]), (50, ["b", "a"]), (1, ["a", "c"])):
        path = written(ring(titles, file=MANIFEST, line=line))
        (result,) = sarif(run("cycles", path, "--format", "sarif").out)["results"]
        prints.append(result["partialFingerprints"])
    assert prints[0] == prints[1] != prints[2]


def test_sarif_of_nasty_titles(run: Run, written: Written) -> None:
    log = sarif(run("cycles", nasty(written), "--format", "sarif").out)
    assert [result["ruleId"] for result in log["results"]] == ["CG201", "CG201", "CG301"]
    place = log["results"][2]["locations"][0]["physicalLocation"]
    uri = "modules/a%20b%2C%3A%25/manifests/%C3%A4.pp"
    assert place == {"artifactLocation": {"uri": uri}, "region": {"startLine": 7}}


def test_sarif_of_unreadable_inputs(run: Run, sample: Sample, tmp_path: Path) -> None:
    inputs = [sample("stages") / "catalog.json", tmp_path / "missing.json"]
    done = run("cycles", *inputs, "--format", "sarif")
    assert done.code == 2
    (invocation,) = sarif(done.out)["invocations"]
    assert not invocation["executionSuccessful"]
    (notification,) = invocation["toolExecutionNotifications"]
    assert "missing.json: error: cannot be read" in notification["message"]["text"]


def test_junit(run: Run, sample: Sample, tmp_path: Path) -> None:
    inputs = [sample(name) / "catalog.json" for name in ("require_loop", "stages")]
    done = run("cycles", *inputs, tmp_path / "missing.json", "--format", "junit")
    assert done.code == 2
    root = ElementTree.fromstring(done.out)
    assert root.attrib == {
        "name": "catgraph cycles", "tests": "5", "failures": "1", "errors": "1",
    }  # fmt: skip
    assert [suite.get("name") for suite in root] == [*map(str, inputs), f"{tmp_path}/missing.json"]
    cases = [[case.get("name") for case in suite] for suite in root]
    expected = ["relationship targets exist", "dependency cycles"]
    assert cases == [expected, expected, ["the catalog can be read"]]
    (failure,) = root.iter("failure")
    assert failure.get("type") == "CG301"
    assert "to break the cycle, remove manifests/site.pp:5:5" in (failure.text or "")


def test_junit_of_nasty_titles(run: Run, written: Written) -> None:
    root = ElementTree.fromstring(run("cycles", nasty(written), "--format", "junit").out)
    texts = {failure.get("type"): failure.text or "" for failure in root.iter("failure")}
    assert set(texts) == {"CG201", "CG301"}
    assert "Notify[<b>&\"'--> ]]>]" in texts["CG301"]
    assert "Notify[control \\u0000\\u001b\\u007f\\ufffe end]" in texts["CG301"]
    assert "Notify[half \\ud83d]" in texts["CG301"]
    assert "Notify[a\\nb\\r\\nc\\td]" in texts["CG301"]


def test_github(run: Run, sample: Sample) -> None:
    inputs = [sample(name) / "catalog.json" for name in ("require_loop", "stages")]
    first, last = run("cycles", *inputs, "--format", "github").out.splitlines()
    start = "::error file=manifests/site.pp,line=5,col=5,title=CG301 dependency-cycle::"
    assert first.startswith(f"{start}{inputs[0]}: dependency cycle of 3 members: (Package[app]")
    assert "%0Ato break the cycle, remove manifests/site.pp:5:5: require" in first
    assert last == "::notice title=catgraph::2 catalogs: 1 clean, 1 with cycles"
    assert run("cycles", inputs[1], "--format", "github").out.strip() == ""


def test_github_of_nasty_titles(run: Run, written: Written) -> None:
    done = run("cycles", nasty(written), "--format", "github")
    commands = re.split(r"\r\n|\n|\r", done.out.removesuffix("\n"))
    assert [line[:8] for line in commands] == ["::error "] * 3
    properties = commands[2].removeprefix("::error ").partition("::")[0]
    assert properties.split(",") == [
        "file=modules/a b%2C%3A%25/manifests/ä.pp",
        "line=7",
        "title=CG301 dependency-cycle",
    ]
    assert "Notify[a\\nb\\r\\nc\\td]" in commands[2]
    assert "Notify[100%25 ,:; => x]" in commands[2]


def test_markdown(run: Run, sample: Sample) -> None:
    inputs = [sample(name) / "catalog.json" for name in ("require_loop", "stages")]
    lines = run("cycles", *inputs, "--format", "markdown").out.splitlines()
    assert lines[0] == "# Dependency cycles"
    assert "2 catalogs: 1 clean, 1 with cycles." in lines
    assert f"| `{inputs[0]}` | 5 | 5 | 1 dependency cycle |" in lines
    assert "### Cycle: 3 members" in lines
    row = "| `Package[app] => Exec[generate secrets]` | require | `manifests/site.pp:18:5` |  |"
    assert row in lines
    chart = lines[lines.index("```mermaid") :]
    assert chart[1] == "flowchart LR"
    assert chart[-1] == "```"
    assert [line.strip() for line in chart if "-->" in line] == [
        "n0 -->|require| n1",
        "n1 -->|require| n2",
        "n2 -->|require| n0",
    ]


def test_markdown_of_nasty_titles(run: Run, written: Written) -> None:
    lines = run("cycles", nasty(written), "--format", "markdown").out.split("\n")
    rows = [line for line in lines if line.startswith("| ") and "Notify[" in line]
    assert len(rows) == len(NASTY)
    assert all(len(re.findall(r"(?<!\\)\|", row)) == 5 for row in rows)
    assert any(row.startswith("| ``` Notify[/a[b]\\|`x``y`] => ") for row in rows)
    chart = lines[lines.index("```mermaid") + 2 : -2]
    nodes = [re.fullmatch(r'  n\d+\["([^"]*)"\]', line) for line in chart if "-->|" not in line]
    assert len(nodes) == len(NASTY)
    assert all(node and not set(node[1]) & set("<>`|&") for node in nodes)
