"""Reading a PuppetDB: pages, dropped connections, errors; the same causes as from files."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path

import pytest

from analyzer.cli import main
from analyzer.diagnostics import InputError
from analyzer.fleet.causes import CauseCollector
from analyzer.fleet.questions.cycles import Cycles
from analyzer.fleet.run import Fleet
from analyzer.fleet.sources import puppetdb
from analyzer.fleet.sources.folder import Folder
from analyzer.fleet.sources.puppetdb import PuppetDB
from analyzer.fleet.sources.puppetdb_client import client_of
from analyzer.fleet.sources.puppetdb_config import Access, access_to
from analyzer.fleet.sources.puppetdb_facts import write_facts
from analyzer.fleet.store import ResultStore
from analyzer.fleet.values import CatalogSource
from analyzer.fleet.work import Memory, Task, work
from tests.fleet.generator import nodes
from tests.fleet.puppetdb_server import State, serving, stored
from tests.fleet.test_store import Here

COUNT = 30


@pytest.fixture
def state() -> State:
    return State([stored(body, f"h{n}") for n, (body, _) in enumerate(nodes(COUNT))])


@pytest.fixture
def source(state: State) -> Iterator[PuppetDB]:
    with serving(state) as url:
        yield PuppetDB(Access(url))
        client_of(Access(url)).http.close()
        client_of.cache_clear()


def causes_of(source: CatalogSource) -> CauseCollector:
    causes, _ = Fleet(source, Cycles(), ResultStore(""), Here()).run()
    return causes


def test_pages_follow_each_other(
    source: PuppetDB, state: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(puppetdb, "PAGE", 7)
    found = [*source.index()]
    assert [node.key for node in found] == sorted(state.catalogs)
    assert len(state.queries) == 5
    state.catalogs["web3.example.com"]["producer_timestamp"] = "2026-01-02T03:04:06.000Z"
    assert [node.key for node in source.index()][-1] == "web3.example.com"
    assert found[0].environment in found[0].hash


def test_the_causes_are_those_of_the_files(source: PuppetDB, tmp_path: Path) -> None:
    for body, _ in nodes(COUNT):
        (tmp_path / f"{body['name']}.json").write_text(json.dumps(body))
    Memory.known.clear()
    files = causes_of(Folder(str(tmp_path)))
    Memory.known.clear()
    assert causes_of(source).causes() == files.causes()
    assert len(files.causes()) == 12


def test_a_dropped_connection_is_opened_again_once(source: PuppetDB, state: State) -> None:
    state.drop = 1
    assert len([*source.index()]) == COUNT
    state.drop = 2
    with pytest.raises(InputError, match="cannot be reached"):
        [*source.index()]


X = ["=", "certname", "x"]
FACTS = ["from", "facts", ["extract", "certname"]]


@pytest.mark.parametrize(
    ("query", "sent"), [(X, ["from", "nodes", ["extract", "certname", X]]), (FACTS, FACTS)]
)
def test_a_query_chooses_nodes(source: PuppetDB, state: State, query: object, sent: object) -> None:
    [*PuppetDB(source.access, json.dumps(query)).index()]
    assert state.queries[0][2][2] == [
        "and",
        [">", "producer_timestamp", puppetdb.BEGIN],
        ["in", "certname", sent],
    ]


def test_pql_is_part_of_the_query(source: PuppetDB, state: State) -> None:
    pql = 'nodes[certname] { certname ~ "web" }'
    assert len([*PuppetDB(source.access, pql).index()]) == COUNT
    assert f"certname in {pql} order by producer_timestamp, certname limit 500" in state.queries[0]


def row(name: str, time: str) -> dict[str, str]:
    return {"certname": name, "hash": "1", "producer_timestamp": time}


@pytest.mark.parametrize(
    ("status", "body", "headers", "words"),
    [
        (401, b"no", {}, "--token-file"),
        (403, b"no", {}, "certificate-allowlist"),
        (404, b"", {}, "there is no PuppetDB"),
        (400, b"'x' is not queryable", {}, "'x' is not queryable"),
        (500, b"boom", {}, r"failed \(HTTP 500\): boom"),
        (302, b"", {"Location": "https://other/x"}, "redirects to other, which is not followed"),
        (200, b"<html>", {}, "not JSON|JSON"),
        (200, b'{"a": 1}', {}, "expected a list of objects"),
        (200, b'[{"certname": 3}]', {}, "no certname, hash or time"),
        (200, json.dumps([row("b", "2026"), row("a", "2025")]).encode(), {}, "order"),
        (200, json.dumps([row("b", "2026"), row("b", "2026")]).encode(), {}, "order"),
    ],
)
def test_a_wrong_answer_is_one_error(
    source: PuppetDB, state: State, status: int, body: bytes, headers: dict[str, str], words: str
) -> None:
    state.status, state.body, state.headers = status, body, headers
    with pytest.raises(InputError, match=words):
        [*source.index()]
    assert len(state.seen) == 1


def test_an_answer_is_bounded(
    source: PuppetDB, state: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    from analyzer import reading

    monkeypatch.setattr(reading, "MOST", ContextVar("most", default=1_000))
    state.body = json.dumps([row("a" * 2_000, "2026")]).encode()
    with pytest.raises(InputError, match="more than"):
        [*source.index()]


def test_a_node_that_is_gone_is_said(source: PuppetDB, state: State) -> None:
    first, second, *_ = source.index()
    del state.catalogs[first.key]
    gone, there = work(Task(source, Cycles(), (first, second)))
    assert "did not return" in gone.failed
    assert not there.failed


def test_a_token_is_not_sent_without_tls(tmp_path: Path) -> None:
    token = tmp_path / "token"
    token.write_text("s3cret")
    access = access_to("puppetdb+http://localhost:1", {"token_file": str(token)})
    with pytest.raises(InputError, match="not sent without TLS") as error:
        [*PuppetDB(access).index()]
    assert "s3cret" not in str(error.value) + repr(access)


def test_the_agent_has_the_certificates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    conf = tmp_path / ".puppetlabs/etc/puppet/puppet.conf"
    conf.parent.mkdir(parents=True)
    conf.write_text(f"[main]\nssldir = {tmp_path}/ssl\n[agent]\ncertname = Me.example.com\n")
    files = ("certs/me.example.com.pem", "private_keys/me.example.com.pem", "certs/ca.pem")
    for file in files:
        (tmp_path / "ssl" / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "ssl" / file).touch()
    access = access_to("puppetdb+https://db:8081", {})
    assert (access.cert, access.key, access.cacert) == tuple(f"{tmp_path}/ssl/{f}" for f in files)
    tools = tmp_path / ".puppetlabs/client-tools/puppetdb.conf"
    tools.parent.mkdir(parents=True)
    own = {"server_urls": ["https://pdb:8081"], "cacert": access.cacert}
    tools.write_text(json.dumps({"puppetdb": own}))
    assert access_to("puppetdb", {}) == Access("https://pdb:8081", cacert=access.cacert)


def test_certificates_that_are_none_are_one_error(tmp_path: Path) -> None:
    bad = tmp_path / "bad.pem"
    bad.write_text("no")
    given = dict.fromkeys(("cert", "key", "cacert"), str(bad))
    with pytest.raises(InputError, match="the certificate, key and CA cannot be used"):
        [*PuppetDB(access_to("puppetdb+https://localhost:1", given)).index()]


def test_facts_are_files_for_a_control_repo(
    source: PuppetDB, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site = "node default { notify { \"${facts['role']['is']} of ${trusted['certname']}\": } }"
    (tmp_path / "manifests").mkdir()
    (tmp_path / "manifests/site.pp").write_text(site)
    words = ["--facts-dir", f"puppetdb+{source.access.url}", "--no-store", "--workers", "1"]
    code = main(["fleet", "query", "type = Notify", str(tmp_path), *words, "-f", "json"])
    found = json.loads(capsys.readouterr().out)
    assert (code, found["nodes"], found["failed"]) == (0, COUNT, [])
    (cause,) = found["causes"]
    assert cause["example"]["path"] == ["Notify[web of web0.example.com]"]


@pytest.mark.parametrize("name", ["../x", ".x", "a/b", "x" * 300])
def test_no_node_names_a_file_elsewhere(
    source: PuppetDB, state: State, tmp_path: Path, name: str
) -> None:
    state.catalogs[name] = {**next(iter(state.catalogs.values())), "certname": name}
    with pytest.raises(InputError, match="has a name that cannot be a file name"):
        write_facts(source.access, "", str(tmp_path))
    assert not (tmp_path.parent / "x.json").exists()


@contextmanager
def trickling(head: bytes, wait: float) -> Iterator[str]:
    """Run a server that sends some bytes, then one after another without end."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def send() -> None:
            with suppress(OSError):
                while True:
                    connection, _ = server.accept()
                    with connection:
                        connection.recv(65536)
                        connection.sendall(head)
                        while True:
                            connection.sendall(b" ")
                            time.sleep(wait)

        thread = threading.Thread(target=send, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}"


@pytest.mark.parametrize(
    "head",
    [b"", b"HTTP/1.1 200 OK\r\nX-Long:", b"HTTP/1.1 200 OK\r\nContent-Length: 900000000\r\n\r\n["],
)
def test_an_answer_byte_by_byte_ends(head: bytes) -> None:
    began = time.monotonic()
    with (
        trickling(head, 0.05) as url,
        pytest.raises(InputError, match=r"takes longer than 1 seconds \(--answer-limit N\)"),
    ):
        [*PuppetDB(Access(url, seconds=1)).index()]
    assert time.monotonic() - began < 10
    assert [one for one in threading.enumerate() if isinstance(one, threading.Timer)] == []
