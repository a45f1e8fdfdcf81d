"""What `catgraph lint` writes for other programs: it is complete, and fit for what reads it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema  # type: ignore[import-untyped]
import pytest

from analyzer.linter.registry import all_rules
from tests.cli.conftest import Run
from tests.cli.sarif_subset import LOG
from tests.cli.site import CLEAN, FOUND, SITE, write

pytestmark = pytest.mark.usefixtures("one_world")

NASTY = {
    "modules/web/manifests/a b,ä%:x.pp": (
        "# \\u0001\x01\n"
        "class web::nasty {\n"
        '  package { "<b>&\'|`\\n::error::x%0A]]>": }\n'
        "  -> file { '/a b': require => Package[\"<b>&'|`\\n::error::x%0A]]>\"] }\n"
        "  Package['a'] <- File['/a b'] <- Package[\"<b>&'|`\\n::error::x%0A]]>\"]\n"
        "}\n"
    )
}


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The control repo, as the current folder, with an input that cannot be read."""
    monkeypatch.chdir(write(tmp_path, SITE))
    (tmp_path / "empty.json").write_text("")
    return tmp_path


def sarif(run: Run, *words: object) -> dict[str, Any]:
    """The one run of a log that was checked against the schema."""
    log = json.loads(run("lint", *words, "--format", "sarif").out)
    jsonschema.Draft202012Validator(LOG).validate(log)
    (found,) = log["runs"]
    assert isinstance(found, dict)
    return found


def test_sarif(run: Run, site: Path) -> None:
    log = sarif(run, ".", "empty.json")
    assert [row["ruleId"] for row in log["results"]] == ["CG101", "CG108", "CG301"]
    assert [row["level"] for row in log["results"]] == ["note", "warning", "error"]
    rules = log["tool"]["driver"]["rules"]
    assert [rules[row["ruleIndex"]]["id"] for row in log["results"]] == ["CG101", "CG108", "CG301"]
    assert [rule["id"] for rule in rules] == [r.code for r in all_rules().values() if r.default]
    assert all(rule["help"]["text"] for rule in rules)
    (notification,) = log["invocations"][0]["toolExecutionNotifications"]
    assert "empty.json: error: " in notification["message"]["text"]
    steps = log["results"][2]["codeFlows"][0]["threadFlows"][0]["locations"]
    places = [step["location"]["physicalLocation"] for step in steps]
    assert {place["artifactLocation"]["uri"] for place in places} == {
        "modules/web/manifests/init.pp"
    }
    assert [place["region"]["startLine"] for place in places] == [4, 4]


def test_the_fixes_of_sarif_can_be_applied(run: Run, site: Path) -> None:
    (result,) = sarif(run, ".", "--select", "CG108")["results"]
    (fix,) = result["fixes"]
    said = "replace `include` with `contain` at modules/web/manifests/init.pp:2"
    assert fix["description"]["text"] == said
    (change,) = fix["artifactChanges"]
    path = site / change["artifactLocation"]["uri"]
    (replacement,) = change["replacements"]
    start = replacement["deletedRegion"]["charOffset"]
    end = start + replacement["deletedRegion"]["charLength"]
    text = path.read_text()
    changed = text[:start] + replacement["insertedContent"]["text"] + text[end:]
    assert changed == text.replace("include", "contain")


def test_fingerprints_are_stable_and_differ(run: Run, site: Path) -> None:
    text = "package { 'a': }\nfile { '/a': }\n" + "File['/a'] <- Package['a']\n" * 3
    write(site, {"three.pp": text})
    marks = [row["partialFingerprints"]["resources/v1"] for row in sarif(run, site)["results"]]
    assert len(set(marks)) == len(marks) == 6
    write(site, {"three.pp": f"# one\n{text}"})
    moved = [row["partialFingerprints"]["resources/v1"] for row in sarif(run, site)["results"]]
    assert moved == marks


def test_sarif_of_nothing(run: Run, tmp_path: Path) -> None:
    log = sarif(run, write(tmp_path, CLEAN))
    assert log["results"] == []
    assert log["invocations"] == [{"executionSuccessful": True}]


def test_gitlab(run: Run, site: Path) -> None:
    text = "package { 'a': }\nfile { '/a': }\n" + "File['/a'] <- Package['a']\n" * 3
    write(site, {"three.pp": text})
    done = run("lint", ".", "three.pp", "empty.json", "--format", "gitlab")
    assert done.code == 2
    rows = json.loads(done.out)
    assert len(rows) == 7
    for row in rows:
        assert set(row) == {"description", "check_name", "fingerprint", "severity", "location"}
        assert row["severity"] in {"info", "minor", "major", "critical", "blocker"}
        assert not row["location"]["path"].startswith(("/", "./"))
        assert row["location"]["lines"]["begin"] >= 1
    assert len({row["fingerprint"] for row in rows}) == len(rows)
    assert [row["severity"] for row in rows[:3]] == ["info", "major", "critical"]


def test_gitlab_of_nothing(run: Run, tmp_path: Path) -> None:
    assert run("lint", write(tmp_path, CLEAN), "--format", "gitlab").out == "[]\n"


def test_junit(run: Run, site: Path) -> None:
    root = ElementTree.fromstring(run("lint", ".", "empty.json", "--format", "junit").out)
    assert root.attrib == {"name": "catgraph lint", "tests": "4", "failures": "2", "errors": "1"}
    assert [suite.get("name") for suite in root] == [
        "manifests/site.pp",
        "modules/web/manifests/init.pp",
        "empty.json",
    ]
    assert [failure.get("type") for failure in root.iter("failure")] == ["CG108", "CG301"]
    for suite in root:
        assert len(suite) == int(suite.get("tests", "0"))


def test_junit_of_nothing(run: Run, tmp_path: Path) -> None:
    root = ElementTree.fromstring(run("lint", write(tmp_path, CLEAN), "--format", "junit").out)
    assert (root.get("tests"), root.get("failures")) == ("1", "0")


def test_github(run: Run, site: Path) -> None:
    lines = run("lint", ".", "empty.json", "--format", "github").out.splitlines()
    assert [line.partition("::")[2].partition("::")[0] for line in lines] == [
        "notice file=manifests/site.pp,line=5,col=21,title=CG101 reversed-arrow",
        "warning file=modules/web/manifests/init.pp,line=2,col=3,title=CG108 floating-class",
        "error file=modules/web/manifests/init.pp,line=4,col=20,title=CG301 dependency-cycle",
        "error file=empty.json,title=catgraph: cannot be read",
        "notice title=catgraph",
    ]
    assert lines[0].endswith("::the arrow `<-` points to the left, against the reading direction")


def test_github_warns_of_what_may_hide_something(run: Run, tmp_path: Path) -> None:
    site = write(tmp_path, {"site.pp": "if $facts['x'] { notice(1) }\n"})
    out = run("lint", site, "--format", "github").out
    assert "::notice title=catgraph::unknown, but hides no relationship: 1 condition" in out
    assert "::warning" not in out
    (tmp_path / "site.pp").write_text("if $facts['x'] { notify { 'a': } }\n")
    assert "::warning title=catgraph incomplete::" in run("lint", site, "--format", "github").out


def test_markdown(run: Run, site: Path) -> None:
    text = run("lint", ".", "empty.json", "--format", "markdown").out
    rows = re.findall(r"^\| `(.*?)` \| (\w+) \| (CG\d+) \|", text, re.MULTILINE)
    assert [f"{place} {code}" for place, _, code in rows] == FOUND
    fixed = "replace `include` with `contain` at modules/web/manifests/init.pp:2"
    assert f"- tested fix: `` {fixed} ``; ordering: 1 pair added, 0 lost" in text
    assert "## Not read\n\n- `empty.json`" in text


def test_json(run: Run, site: Path) -> None:
    document = json.loads(run("lint", ".", "empty.json", "--format", "json").out)
    assert list(document) == ["findings", "unreadable", "incomplete", "summary"]
    (fix,) = document["findings"][1]["fixes"]
    assert fix["gained"] == [["Class[Web::Install]", "Service[web]"]]
    assert (fix["gained_count"], fix["lost_count"]) == (1, 0)
    assert [fix["unsafe"] for row in document["findings"] for fix in row["fixes"]] == [
        False,
        False,
        True,
    ]
    assert document["unreadable"][0]["input"] == "empty.json"


@pytest.mark.parametrize("name", ["sarif", "junit", "github", "gitlab", "markdown", "json"])
def test_names_and_titles_that_mean_something_to_a_format(run: Run, site: Path, name: str) -> None:
    write(site, NASTY)
    done = run("lint", "modules/web", "--format", name)
    assert done.code == 3  # Puppet refuses a class in a file of another name.
    if name == "junit":
        ElementTree.fromstring(done.out)
    elif name == "github":
        assert all(re.match(r"::(error|warning|notice) ", line) for line in done.out.splitlines())
        assert "file=modules/web/manifests/a b%2Cä%25%3Ax.pp," in done.out
    elif name == "markdown":
        assert "modules/web/manifests/a b,ä%:x.pp" in done.out
    else:
        json.loads(done.out)
    if name == "sarif":
        sarif(run, "modules/web")


def test_output_goes_to_a_file(run: Run, site: Path) -> None:
    done = run("lint", ".", "--format", "sarif", "-o", "found.sarif")
    assert (done.code, done.out) == (1, "")
    assert len(json.loads((site / "found.sarif").read_text())["runs"][0]["results"]) == 3
