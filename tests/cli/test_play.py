"""`catgraph play`: what its page may ask, what it opens, and whom its server answers."""

from __future__ import annotations

import json
import os
import re
import threading
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from analyzer.cli import main
from analyzer.cli.play import programs
from analyzer.cli.play.answers import QUESTIONS, RequestError, answer, words_of, write_files
from analyzer.cli.play.page import common, render
from analyzer.cli.play.programs import SAMPLES, files_of, samples
from analyzer.cli.play.server import SOURCES, PlayServer, page_of
from analyzer.diagnostics import InputError
from analyzer.reach import user_files
from tests.conftest import ROOT

LOOP = "file { '/a': require => File['/b'] } file { '/b': require => File['/a'] }"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A folder for programs; the tests return from it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CATGRAPH_NO_CACHE", "1")
    (tmp_path / "program").mkdir()
    return str(tmp_path / "program")


def asked(folder: str, **request: object) -> dict[str, Any]:
    """Return the answers to a request."""
    found: dict[str, Any] = json.loads(answer(json.dumps(request), folder))["answers"]
    return found


def test_a_program_is_checked_and_its_graph_drawn(folder: str) -> None:
    files = {"manifests/site.pp": LOOP}
    answers = asked(folder, files=files, questions=["check", "graph", "message"])
    (finding,) = json.loads(answers["check"]["out"])["findings"]
    assert (finding["code"], finding["file"], finding["line"]) == ("CG301", "manifests/site.pp", 1)
    assert answers["graph"]["out"].startswith("<!DOCTYPE html>")
    assert answers["message"]["out"].startswith("Found 1 dependency cycle")


def test_each_question_is_a_command(folder: str) -> None:
    files = {"site.pp": "notify { 'a': }"}
    answers = asked(folder, files=files, ref="Notify[a]", questions=list(QUESTIONS))
    codes = {name: one["code"] for name, one in answers.items()}
    assert codes == dict.fromkeys(QUESTIONS, 0)


def test_nodes_are_named(folder: str) -> None:
    files = {"manifests/site.pp": "node 'a' { } node 'b' { }"}
    assert json.loads(answer(json.dumps({"files": files}), folder))["nodes"] == ["a", "b"]
    assert json.loads(answer('{"files": {}}', folder))["nodes"] == []


def test_facts_are_those_of_a_system_or_of_the_file() -> None:
    request = {"files": {"facts.json": "{}"}, "system": "@debian-12", "version": "7", "node": "a"}
    words = words_of("graph", request)
    assert words[3:] == ["--puppet-version=7", "--facts=@debian-12", "--node=a"]
    assert "--facts=facts.json" in words_of("check", {**request, "system": ""})
    assert "--class=web" in words_of("graph", {**request, "node": "class web"})
    assert not any("--facts" in word for word in words_of("worlds", request))


@pytest.mark.parametrize(
    "more",
    [{"ref": "--output=/tmp/x"}, {"ref": ["a"]}, {"version": "-x"}, {"node": "--ruby=sh"}],
)
def test_a_value_never_becomes_an_option(more: dict[str, object]) -> None:
    with pytest.raises(RequestError, match="must be a text that does not start with -"):
        words_of("why", {"files": {}, **more, "only": True})


def test_only_known_questions_are_answered() -> None:
    with pytest.raises(RequestError, match="there is no question 'apply'"):
        words_of("apply", {"files": {}})


@pytest.mark.parametrize("name", ["../x.pp", "/etc/x.pp", "a/../../x.pp", "", ".", "a\0b"])
def test_no_file_is_written_outside(tmp_path: Path, name: str) -> None:
    with pytest.raises(RequestError, match="is not a path below the program"):
        write_files({name: "x"}, tmp_path)


def test_a_program_leaves_no_files_to_the_next(tmp_path: Path) -> None:
    write_files({"modules/a/manifests/init.pp": "x", "site.pp": "y"}, tmp_path)
    write_files({"site.pp": "z"}, tmp_path)
    assert [path.name for path in tmp_path.rglob("*")] == ["site.pp"]
    assert (tmp_path / "site.pp").read_text() == "z"


def test_a_folder_is_opened_without_links_and_hidden_files(tmp_path: Path) -> None:
    (tmp_path / "manifests").mkdir()
    (tmp_path / "manifests" / "site.pp").write_text("x")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "a.pp").write_text("x")
    (tmp_path / "picture.png").write_bytes(b"x")
    os.symlink("/etc/hostname", tmp_path / "secret.yaml")
    with user_files():
        assert files_of(tmp_path) == {"manifests/site.pp": "x"}
    with pytest.raises(InputError, match="no manifests and no data"), user_files():
        files_of(tmp_path / ".git" / "none")


def test_a_large_folder_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "MOST_FILES", 1)
    for name in ("a.pp", "b.pp"):
        (tmp_path / name).write_text("x")
    with pytest.raises(InputError, match="name a smaller folder"), user_files():
        files_of(tmp_path)


def test_all_samples_are_there() -> None:
    with user_files():
        found = list(samples(ROOT / "sample_catalogs"))
    assert [one["name"] for one in found] == list(SAMPLES)
    assert all(any(name.endswith(".pp") for name in one["files"]) for one in found)


def test_the_page_admits_its_own_scripts_only() -> None:
    with user_files():
        page = render({"server": True, "program": {"a.pp": "</script><b>"}}, SOURCES)
        assert common()["samples"]
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy
    assert policy[1].startswith("default-src 'none'; script-src 'sha256-")
    assert "connect-src 'self'" in policy[1]
    assert "unsafe" not in policy[1]
    assert "</script><b>" not in page


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["no-such-folder"], "no-such-folder is not a folder"),
        (["--port", "70000"], "--port: expected 0 to 65535, not 70000"),
    ],
)
def test_usage_errors(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", *words]) == 2
    assert message in capsys.readouterr().err


@pytest.fixture
def server() -> Iterator[PlayServer]:
    """A server with a page of one file."""
    made = PlayServer(page_of({"site.pp": "notify { 'a': }"}, "test"), 0)
    thread = threading.Thread(target=made.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield made
    made.worker.stop()
    made.shutdown()
    made.server_close()
    thread.join()


def reply(
    server: PlayServer, method: str, path: str, body: str = "", **headers: str
) -> tuple[int, str]:
    """Return the status and the text of a reply."""
    port = server.server_address[1]
    connection = HTTPConnection("127.0.0.1", port, timeout=60)
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(method, path, body or None, given)
    answered = connection.getresponse()
    text = answered.read().decode()
    connection.close()
    return answered.status, text


def test_the_page_is_sent_to_those_with_the_token(server: PlayServer) -> None:
    path = f"/{server.token}/"
    assert reply(server, "GET", path)[0] == 200
    for other in ("/", f"/{server.token[:-1]}/", f"{path}../", f"{path}x"):
        assert reply(server, "GET", other) == (404, "not found\n")


def test_other_sites_are_refused(server: PlayServer) -> None:
    path = f"/{server.token}/"
    assert reply(server, "GET", path, Host="evil.example")[0] == 403
    assert reply(server, "POST", f"{path}answer", "{}", Origin="https://evil.example")[0] == 403
    assert reply(server, "POST", f"{path}answer", "{}", Origin="null")[0] == 403
    assert reply(server, "POST", f"{path}other", "{}")[0] == 404


@pytest.mark.slow
def test_requests_are_answered_and_stopped(server: PlayServer) -> None:
    path = f"/{server.token}/"
    request = {"files": {"site.pp": LOOP}, "questions": ["cycles"]}
    status, text = reply(server, "POST", f"{path}answer", json.dumps(request))
    assert status == 200
    assert "dependency cycle" in json.loads(text)["answers"]["cycles"]["out"]
    assert reply(server, "POST", f"{path}answer", '{"files": []}')[0] == 400
    assert reply(server, "POST", f"{path}answer", "no json")[0] == 400

    many = "$many = range(1, 9000) $many.each |$a| { $many.each |$b| { $c = $a * $b } }"
    endless = json.dumps({"files": {"site.pp": many}, "questions": ["cycles"]})
    answers: list[tuple[int, str]] = []
    thread = threading.Thread(
        target=lambda: answers.append(reply(server, "POST", f"{path}answer", endless))
    )
    thread.start()
    time.sleep(0.5)
    assert reply(server, "POST", f"{path}stop")[0] == 204
    thread.join()
    assert answers[0][0] == 503
    assert reply(server, "POST", f"{path}answer", json.dumps(request))[0] == 200
