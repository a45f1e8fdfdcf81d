"""Exported resources across nodes: in one run, and through the file of `--store`."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from analyzer.frontends.puppet.node.store_file import StoreFile
from tests.cli.conftest import Outcome, Run
from tests.conftest import ROOT

SITE = """node 'web' {
  @@file { '/lb/web.cfg':
    require => Service['lb'],
    tag     => 'lb',
  }
}
node 'lb' {
  file { '/lb': ensure => directory }
  service { 'lb': }
  File <<| tag == 'lb' |>>
}
"""
LOOP = SITE.replace("service { 'lb': }", "service { 'lb': require => File['/lb/web.cfg'] }")


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "site.pp"
    path.write_text(SITE)
    return path


def refs(done: Outcome) -> list[str]:
    """The files of a printed catalog."""
    assert done.code == 0, done.err
    rows: list[dict[str, Any]] = json.loads(done.out)["resources"]
    return [row["title"] for row in rows if row["type"] == "File"]


def test_all_nodes_of_one_run_see_each_other(run: Run, site: Path) -> None:
    exporting, collecting = LOOP.split("node 'lb'")
    site.write_text(f"node 'lb'{collecting}{exporting}")
    done = run("cycles", site)
    assert done.code == 1
    assert "(Service[lb] => File[/lb/web.cfg] => Service[lb])" in done.out


def test_an_edge_tells_who_exported_it(run: Run, site: Path) -> None:
    site.write_text(LOOP)
    done = run("cycles", "site.pp")
    assert "File[/lb/web.cfg] site.pp:2 require exported by web" in " ".join(done.out.split())
    assert "File[/lb/web.cfg] => Service[lb]  site.pp:9:19  require\n" in done.out
    edges = json.loads(run("cycles", "site.pp", "--format", "json").out)["cycles"][0]["edges"]
    assert [edge["origin"].get("exported_by") for edge in edges] == ["web", None]
    run("compile", "site.pp", "--node", "web", "--store", "s.db")
    site.write_text(SITE)
    done = run("why", "site.pp", "--node=lb", "--store=s.db", "File[/lb]", "File[/lb/web.cfg]")
    assert "file autorequires file, exported by web" in done.out


def test_one_compile_writes_and_the_next_reads(run: Run, site: Path) -> None:
    store = ("--store", "s.db")
    assert refs(run("compile", site, "--node", "lb", *store)) == ["/lb"]
    assert refs(run("compile", site, "--node", "web", *store)) == []
    assert refs(run("compile", site, "--node", "lb", *store)) == ["/lb", "/lb/web.cfg"]


def test_what_a_node_exports_is_replaced(run: Run, site: Path) -> None:
    store = ("--store", "s.db")
    run("compile", site, "--node", "web", *store)
    site.write_text(SITE.replace("web.cfg", "other.cfg"))
    run("compile", site, "--node", "web", *store)
    assert refs(run("compile", site, "--node", "lb", *store)) == ["/lb", "/lb/other.cfg"]


def test_a_failed_compile_changes_nothing(run: Run, site: Path) -> None:
    run("compile", site, "--store", "s.db")
    before = Path("s.db").read_bytes()
    site.write_text(SITE.replace("web.cfg", "other.cfg").replace("service", "nothing"))
    assert run("compile", site, "--store", "s.db").code == 3
    assert Path("s.db").read_bytes() == before


def test_a_lone_node_is_told_what_it_lacks(run: Run, site: Path) -> None:
    done = run("cycles", site, "--node", "lb")
    assert done.code == 3
    assert "collector: the exports of other nodes (File) are unknown; try --store FILE" in done.out
    assert "--store" not in run("cycles", site).out


def test_unknown_values_stay_unknown(run: Run, site: Path) -> None:
    site.write_text(
        "node a { @@notify { 'x': message => \"on ${facts['os']}\" } }\n"
        "node b { Notify <<| |>> }\nnode c { Notify <<| message == 'on Linux' |>> }\n"
    )
    run("compile", site, "--node", "a", "--store", "s.db")
    done = run("compile", site, "--node", "b", "--store", "s.db")
    (row,) = [row for row in json.loads(done.out)["resources"] if row["type"] == "Notify"]
    assert row["parameters"] == {"message": {"__unknown": "no facts are given (--facts FILE)"}}
    done = run("compile", site, "--node", "c", "--store", "s.db")
    assert f"incomplete: collector at {site}:3:29: no facts are given; try --facts" in done.err


def test_secrets_stay_out_of_the_store(run: Run, site: Path) -> None:
    site.write_text("@@notify { 'x': message => [Sensitive('hush')], name => Sensitive('hush') }")
    run("compile", site, "--store", "s.db")
    assert b"redacted" in Path("s.db").read_bytes()
    assert b"hush" not in Path("s.db").read_bytes()


def test_nodes_that_never_settle(run: Run, site: Path) -> None:
    site.write_text(
        "$now = Timestamp.new().strftime('%s%N')\n"
        'node a { Notify <<| |>> @@notify { "a": message => $now } }\n'
        'node b { Notify <<| |>> @@notify { "b": message => $now } }\n'
    )
    done = run("cycles", site)
    assert done.code == 0
    assert "the exports of other nodes (Notify) still change after 10 compiles" in done.err


def test_several_sets_of_facts(run: Run, site: Path) -> None:
    for name in ("a.json", "b.json"):
        Path(name).write_text("{}")
    done = run("cycles", site, "--store", "s.db", "--facts", "a.json", "--facts", "b.json")
    assert (done.code, done.out) == (2, "")
    assert "a store holds one catalog for each node, but there are 2 sets of facts" in done.err
    assert not Path("s.db").exists()


def test_files_that_are_no_store(run: Run, site: Path) -> None:
    Path("text").write_text("junk")
    Path("folder").mkdir()
    with sqlite3.connect("other") as other:
        other.execute("CREATE TABLE t (x)")
    with sqlite3.connect("newer") as newer:
        newer.execute(f"PRAGMA application_id = {0x63617467}")
        newer.execute("PRAGMA user_version = 99")
    said = {
        "text": "file is not a database",
        "folder": "it is not a file",
        "other": "it is another program's database",
        "newer": "its version is 99, but only 1 is supported",
        "no/such": "unable to open database file",
    }
    for name, reason in said.items():
        done = run("cycles", site, "--store", name)
        assert done.code == 2
        head = "error: cannot be used as a store of exported resources"
        assert done.err == f"{name}: {head}: {reason} (bad-store)\n"
    Path("empty").write_bytes(b"")
    assert run("cycles", site, "--store", "empty").code == 0


def test_damaged_stores(run: Run, site: Path) -> None:
    run("compile", site, "--store", "s.db")
    whole = Path("s.db").read_bytes()
    random = Random(7)
    for _ in range(40):
        data = bytearray(whole[: random.choice((len(whole), len(whole), 5000, 100))])
        for _ in range(random.randint(1, 30)):
            data[random.randrange(len(data))] = random.randrange(256)
        Path("s.db").write_bytes(data)
        done = run("cycles", site, "--store", "s.db")
        assert done.code in (0, 2)
        assert "internal error" not in done.err
        assert len(done.err.splitlines()) == (1 if done.code else 0)


def test_a_store_that_is_held(run: Run, site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("analyzer.frontends.puppet.node.store_file.PATIENCE", 0.1)
    run("compile", site, "--store", "s.db")
    holder = sqlite3.connect("s.db", isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    done = run("compile", site, "--store", "s.db")
    holder.close()
    assert done.code == 2
    assert "database is locked" in done.err


@pytest.mark.slow
def test_compiles_at_the_same_time(site: Path) -> None:
    names = [f"n{number}" for number in range(4)]
    site.write_text("".join(f"node {n} {{ @@notify {{ '{n}': }} }}\n" for n in names))
    code = "import sys; from analyzer.cli import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", code, "compile", str(site), "--store", "s.db", "--node"]
    runs = [
        subprocess.Popen([*command, name], env={"PYTHONPATH": str(ROOT)}, stdout=subprocess.DEVNULL)
        for name in names
    ]
    assert [one.wait() for one in runs] == [0, 0, 0, 0]
    found = sqlite3.connect("s.db")
    assert [row for (row,) in found.execute("SELECT node FROM exported ORDER BY node")] == names
    found.close()


def test_tables_made_while_another_compile_looks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Overtaken(sqlite3.Connection):
        """A connection before whose second statement another compile makes the tables."""

        asked = 0

        def execute(self, *args: Any) -> sqlite3.Cursor:
            self.asked += 1
            if self.asked == 2:
                monkeypatch.undo()
                StoreFile(str(store)).replace({"n": {}})
            return super().execute(*args)

    store = tmp_path / "s.db"
    store.touch()
    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *a, **k: connect(*a, **k, factory=Overtaken))
    StoreFile(str(store))


def test_orders_of_several_nodes(run: Run, site: Path) -> None:
    text = run("order", site).out
    assert text.startswith("web:\nSchedule[puppet]\n")
    assert "\nlb:\nFile[/lb]\nService[lb]\nFile[/lb/web.cfg]\n" in text
    orders = json.loads(run("order", site, "--format", "json").out)
    assert orders["lb"][:3] == ["File[/lb]", "Service[lb]", "File[/lb/web.cfg]"]
    assert list(orders) == ["web", "lb"]


def test_a_node_without_an_order_hides_no_other(run: Run, site: Path) -> None:
    site.write_text(LOOP)
    done = run("order", site)
    assert done.code == 1
    assert done.out.startswith("web:\n")
    assert "lb:" not in done.out
    assert f"{site} (lb): error: no order" in done.err


def test_why_of_several_nodes(run: Run, site: Path) -> None:
    done = run("why", site, "Service[lb]", "File[/lb/web.cfg]")
    assert done.code == 0
    assert done.out.startswith("lb:\nService[lb] is applied before File[/lb/web.cfg]:\n")
    assert "exported by web" in done.out
    found = json.loads(run("why", site, "Service[lb]", "File[/lb]", "--format", "json").out)
    assert {name: row["verdict"] for name, row in found.items()} == {"lb": "unordered"}
    done = run("why", site, "Service[lb]", "File[/nope]")
    assert (done.code, "no node has both Service[lb] and File[/nope]" in done.err) == (2, True)
