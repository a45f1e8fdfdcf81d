"""The real PuppetDB: `make test-puppetdb` starts one, or `CATGRAPH_PUPPETDB` names one.

`CATGRAPH_PUPPETDB_TLS` is its address with TLS, `CATGRAPH_PUPPETDB_CERTS` a folder of certificates
(see `tests/puppetdb/server.sh`).
"""

from __future__ import annotations

import json
import os
import time
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from analyzer.diagnostics import InputError
from analyzer.fleet.causes import ClusteredCause
from analyzer.fleet.questions.cycles import Cycles
from analyzer.fleet.questions.runs import FLAPPING, Runs
from analyzer.fleet.run import Fleet, FleetProgress
from analyzer.fleet.sources import puppetdb
from analyzer.fleet.sources.folder import Folder
from analyzer.fleet.sources.puppetdb import PuppetDB
from analyzer.fleet.sources.puppetdb_client import client_of
from analyzer.fleet.sources.puppetdb_config import Access
from analyzer.fleet.sources.puppetdb_facts import write_facts
from analyzer.fleet.store import ResultStore
from analyzer.fleet.values import CatalogSource, IndexedNode
from analyzer.model.catalog import Catalog
from tests.conftest import ROOT
from tests.fleet.generator import nodes
from tests.fleet.test_exports import RECORDED
from tests.fleet.test_runs import FILE, METRICS, TIMES
from tests.fleet.test_store import Here

URL = os.environ.get("CATGRAPH_PUPPETDB", "")
pytestmark = pytest.mark.skipif(not URL, reason="CATGRAPH_PUPPETDB names no PuppetDB")

TLS = os.environ.get("CATGRAPH_PUPPETDB_TLS", "")
CERTS = Path(os.environ.get("CATGRAPH_PUPPETDB_CERTS", ""))
SAMPLES = sorted((ROOT / "sample_catalogs").glob("*/catalog.json"))

# Names of this run only: other nodes may be there.
SITE = f"t{uuid.uuid4().hex[:8]}.example.com"
COUNT = 200
QUERY = f'nodes[certname] {{ certname ~ "{SITE}$" }}'
LABELS = {
    "before": ("before", True),
    "notify": ("notifies", True),
    "require": ("required-by", False),
    "subscribe": ("subscription-of", False),
}


def split(ref: str) -> dict[str, str]:
    kind, _, title = ref.partition("[")
    return {"type": kind, "title": title[:-1]}


def named(rows: list[dict[str, Any]]) -> dict[str, str]:
    """Return the references of resources by their aliases and names, as the terminus has them."""
    found: dict[str, str] = {}
    for row in rows:
        parameters, ref = row["parameters"], f"{row['type']}[{row['title']}]"
        alias = parameters.get("alias", [])
        names = [*(alias if isinstance(alias, list) else [alias]), parameters.get("name")]
        names += [str(parameters.get("path", row["title"])).rstrip("/")] * (row["type"] == "File")
        found |= {f"{row['type']}[{name}]": ref for name in names if name}
    return found


def edges_of(row: dict[str, Any], names: dict[str, str]) -> list[dict[str, Any]]:
    """Return the edges that the terminus makes of relationship parameters."""
    own, found = {"type": row["type"], "title": row["title"]}, []
    for name, (label, outward) in LABELS.items():
        value = row.get("parameters", {}).get(name, [])
        for spelled in value if isinstance(value, list) else [value]:
            ref = str(names.get(spelled, spelled))
            source, target = (own, split(ref)) if outward else (split(ref), own)
            found.append({"source": source, "target": target, "relationship": label})
    return found


def containment(edge: dict[str, str]) -> dict[str, Any]:
    """Return an edge of a catalog as the terminus sends it."""
    ends = {end: split(edge[end]) for end in ("source", "target")}
    return {**ends, "relationship": "contains"}


def submit(body: dict[str, Any]) -> None:
    """Send a catalog as Puppet's terminus does (wire format 9)."""
    rows = [
        {"parameters": {}, "exported": False, **row, "tags": ["test"]} for row in body["resources"]
    ]
    left_out = ("kind", "sensitive_parameters")
    rows = [{k: v for k, v in row.items() if k not in left_out} for row in rows]
    payload = {
        "certname": body["name"],
        "version": str(body["version"]),
        "environment": body["environment"],
        "transaction_uuid": str(uuid.uuid4()),
        "catalog_uuid": str(uuid.uuid4()),
        "producer_timestamp": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "producer": "test",
        "code_id": None,
        "job_id": None,
        "resources": rows,
        "edges": [
            *map(containment, body.get("edges", ())),
            *(e for row in rows for e in edges_of(row, named(rows))),
        ],
    }
    send("replace_catalog", "9", payload)


def send(command: str, version: str, payload: dict[str, Any]) -> None:
    """Send a command, and wait until it is done."""
    import httpx

    words = {"certname": payload["certname"], "command": command, "version": version}
    answer = httpx.post(
        f"{URL}/pdb/cmd/v1",
        params={**words, "secondsToWaitForCompletion": "30"},
        json=payload,
        timeout=60,
        trust_env=False,
    )
    assert answer.status_code == 200, answer.text
    assert answer.json().get("processed"), answer.text


@pytest.fixture(scope="module")
def bodies() -> list[dict[str, Any]]:
    """Submit a fleet once; the terminus refuses catalogs with missing targets."""
    text = (json.dumps(body).replace("example.com", SITE) for body, causes in nodes(500)
            if causes and "missing" not in causes)  # fmt: skip
    found = [json.loads(one) for one in text][:COUNT]
    assert len(found) == COUNT
    for body in found:
        submit(body)
    return found


def close(*more: Access) -> None:
    for access in (Access(URL), *more):
        client_of(access).http.close()
    client_of.cache_clear()


@pytest.fixture(scope="module", autouse=True)
def closed() -> Iterator[None]:
    yield
    close()


def ask(source: CatalogSource, store: str) -> tuple[list[ClusteredCause], FleetProgress]:
    fleet = Fleet(source, Cycles(), ResultStore(store), Here())
    causes, progress = fleet.run()
    fleet.store.close()
    assert not [*causes.failed()]
    return causes.causes(), progress


def test_causes_equal_those_of_files(bodies: list[dict[str, Any]], tmp_path: Path) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    for body in bodies:
        (folder / f"{body['name']}.json").write_text(json.dumps(body))
    stored, _ = ask(PuppetDB(Access(URL), QUERY), "")
    files, _ = ask(Folder(str(folder)), "")
    assert stored == files
    assert len(files) == 11


def test_pages_have_every_node_once(
    bodies: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    for size in (7, 100, 200, 500):
        monkeypatch.setattr(puppetdb, "PAGE", size)
        found = [node.key for node in PuppetDB(Access(URL), QUERY).index()]
        assert sorted(found) == sorted(body["name"] for body in bodies)


def test_only_a_replaced_node_is_done_again(bodies: list[dict[str, Any]], tmp_path: Path) -> None:
    source, store = PuppetDB(Access(URL), QUERY), str(tmp_path / "fleet.sqlite")
    ask(source, store)
    assert ask(source, store)[1].reused == COUNT
    more = {"type": "Notify", "title": "new", "exported": False, "tags": [], "parameters": {}}
    edges = [*bodies[0]["edges"], {"source": "Class[main]", "target": "Notify[new]"}]
    submit({**bodies[0], "resources": [*bodies[0]["resources"], more], "edges": edges})
    assert ask(source, store)[1].reused == COUNT - 1


def test_a_connection_that_was_idle_is_opened_again(bodies: list[dict[str, Any]]) -> None:
    source = PuppetDB(Access(URL), QUERY)
    first = len([*source.index()])
    # PuppetDB closes idle connections after 30 s.
    time.sleep(35)
    assert len([*source.index()]) == first


def test_cycles_of_all_samples_are_those_of_the_original_catalogs(tmp_path: Path) -> None:
    for path in SAMPLES:
        body = {**json.loads(path.read_text()), "name": f"{path.parent.name}.{SITE}.samples"}
        submit(body)
        (tmp_path / f"{path.parent.name}.json").write_text(json.dumps(body))
    query = f'nodes[certname] {{ certname ~ "{SITE}.samples$" }}'
    stored, progress = ask(PuppetDB(Access(URL), query), "")
    files, _ = ask(Folder(str(tmp_path)), "")
    assert progress.total == len(SAMPLES)
    assert stored == files
    cyclic = len({node for cause in files for node in cause.nodes if cause.code == "CG301"})
    assert cyclic >= len(SAMPLES) // 2


def test_exports_that_a_node_does_not_collect_are_left_out() -> None:
    name = f"node.{SITE}.exports"
    stamp = datetime.now(UTC).isoformat(timespec="milliseconds")
    rows = [{**row, "tags": ["test"]} for row in RECORDED["resources"]]
    rows = [{k: v for k, v in row.items() if k != "kind"} for row in rows]
    ids = {key: str(uuid.uuid4()) for key in ("transaction_uuid", "catalog_uuid")}
    more = {"producer_timestamp": stamp, "producer": "test", "code_id": None, "job_id": None}
    payload = {**RECORDED, **ids, **more, "certname": name, "resources": rows}
    del payload["applied"]
    send("replace_catalog", "9", payload)
    ((_, found),) = PuppetDB(Access(URL)).fetch((IndexedNode(name, ""),))
    assert isinstance(found, Catalog)
    refs = {f"{one.type}[{one.title}]".replace("[Main]", "[main]") for one in found.resources}
    assert refs == set(RECORDED["applied"]) - {"Schedule[taken]"}


def test_facts_are_those_that_were_sent(tmp_path: Path) -> None:
    name, values = f"web1.{SITE}.facts", {"os": {"family": "Debian"}, "n": [1, 2.5, "x"], "b": True}
    head = {"certname": name, "environment": "production", "producer": None}
    stamp = datetime.now(UTC).isoformat(timespec="milliseconds")
    send("replace_facts", "5", {**head, "producer_timestamp": stamp, "values": values})
    query = f'nodes[certname] {{ certname ~ "{SITE}.facts$" }}'
    assert write_facts(Access(URL), query, str(tmp_path)) == 1
    assert json.loads((tmp_path / f"{name}.json").read_text()) == values


@pytest.mark.skipif(not TLS, reason="CATGRAPH_PUPPETDB_TLS names no PuppetDB with TLS")
@pytest.mark.parametrize(
    ("cert", "ca", "words"),
    [
        ("client", "ca", ""),
        ("other", "ca", "certificate-allowlist"),
        ("foreign", "ca", "TLS failed|cannot be reached|certificate-allowlist"),
        ("", "ca", "certificate-allowlist|TLS failed"),
        ("client", "stranger", "TLS failed: .*CERTIFICATE_VERIFY_FAILED.*stranger.pem"),
        ("client", "", "TLS failed: .*CERTIFICATE_VERIFY_FAILED"),
    ],
)
def test_certificates(bodies: list[dict[str, Any]], cert: str, ca: str, words: str) -> None:
    pair = (str(CERTS / f"{cert}.pem"), str(CERTS / f"{cert}.key")) if cert else ("", "")
    access = Access(TLS, *pair, str(CERTS / f"{ca}.pem") if ca else "")
    try:
        if not words:
            assert len([*PuppetDB(access, QUERY).index()]) == COUNT
            return
        with pytest.raises(InputError, match=words):
            [*PuppetDB(access, QUERY).index()]
    finally:
        close(access)


def test_runs_are_those_that_were_reported() -> None:
    name, start = f"node.{SITE}.runs", "2026-11-23T00:56:2"
    rows = [
        {"type": ref.split("[")[0], "title": ref.split("[")[1][:-1], "parameters": {}, "line": n,
         "file": FILE, "exported": False}
        for n, ref in enumerate(TIMES, 1)
    ]  # fmt: skip
    for before, row in zip([*TIMES], rows[1:], strict=False):
        row["parameters"] = {"require": before}
    submit({"name": name, "version": 1, "environment": "production", "resources": rows})
    none = dict.fromkeys(("containment_path", "producer", "code_id", "job_id", "catalog_uuid"))
    resources = [
        {
            **{"skipped": False, "timestamp": f"{start[:-1]}{when}Z", "corrective_change": False},
            **{"resource_type": row["type"], "resource_title": row["title"], "file": FILE},
            **{"line": row["line"], "containment_path": ["Stage[main]"], "events": [
                {"status": "success", "timestamp": f"{start[:-1]}{when}Z", "property": None,
                 "name": event, "new_value": None, "old_value": None, "message": "done",
                 "corrective_change": False}]},
        }
        for row, (when, event, _) in zip(rows, TIMES.values(), strict=True)
    ]  # fmt: skip
    for number in range(FLAPPING):
        payload = {
            **none,
            **{
                "certname": name,
                "puppet_version": "7.23.0",
                "report_format": 12,
                "status": "changed",
            },
            **{"configuration_version": str(number), "environment": "production", "noop": False},
            **{"noop_pending": False, "corrective_change": False, "cached_catalog_status": None},
            **{"start_time": f"{start}4.9Z", "end_time": f"{start}8.944594610Z", "type": "agent"},
            "producer_timestamp": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "transaction_uuid": str(uuid.uuid4()),
            "resources": resources,
            "metrics": [{"category": "time", "name": k, "value": v} for k, v in METRICS.items()],
            "logs": [],
        }
        del payload["containment_path"]
        send("store_report", "8", payload)
    source = PuppetDB(Access(URL), f'nodes[certname] {{ certname = "{name}" }}')
    causes, _ = Fleet(source, Runs(Access(URL)), ResultStore(""), Here()).run()
    assert not causes.failed()
    found = {cause.code: cause for cause in causes.causes() if cause.code in ("time", "chain")}
    assert found["chain"].path == ("Exec[a]", "Exec[b]", "Exec[c]")
    assert abs(found["chain"].seconds - 3.84) < 0.01
    assert len([one for one in causes.causes() if one.code == "flapping"]) == len(TIMES)
