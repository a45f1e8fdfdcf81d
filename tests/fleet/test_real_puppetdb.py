"""The real PuppetDB, where `CATGRAPH_PUPPETDB` names one without TLS: `make test-puppetdb`."""

from __future__ import annotations

import json
import os
import time
import uuid
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from analyzer.fleet.causes import Cause
from analyzer.fleet.questions.cycles import Cycles
from analyzer.fleet.run import Fleet, Progress
from analyzer.fleet.sources import puppetdb
from analyzer.fleet.sources.folder import Folder
from analyzer.fleet.sources.puppetdb import PuppetDB
from analyzer.fleet.sources.puppetdb_client import client_of
from analyzer.fleet.sources.puppetdb_config import Access
from analyzer.fleet.store import Store
from analyzer.fleet.values import Source
from tests.fleet.generator import nodes
from tests.fleet.test_store import Here

URL = os.environ.get("CATGRAPH_PUPPETDB", "")
pytestmark = pytest.mark.skipif(not URL, reason="CATGRAPH_PUPPETDB names no PuppetDB")

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


def edges_of(row: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the edges that the terminus makes of relationship parameters."""
    own, found = {"type": row["type"], "title": row["title"]}, []
    for name, (label, outward) in LABELS.items():
        value = row.get("parameters", {}).get(name, [])
        for ref in value if isinstance(value, list) else [value]:
            source, target = (own, split(ref)) if outward else (split(ref), own)
            found.append({"source": source, "target": target, "relationship": label})
    return found


def submit(body: dict[str, Any]) -> None:
    """Send a catalog as Puppet's terminus does (wire format 9)."""
    import httpx

    rows = [{**row, "tags": [row["type"].lower()]} for row in body["resources"]]
    rows = [{k: v for k, v in row.items() if k != "kind"} for row in rows]
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
        "edges": [edge for row in rows for edge in edges_of(row)],
    }
    words = {"certname": body["name"], "command": "replace_catalog", "version": "9"}
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


def ask(source: Source, store: str) -> tuple[list[Cause], Progress]:
    fleet = Fleet(source, Cycles(), Store(store), Here())
    causes, progress = fleet.run()
    fleet.store.close()
    assert not [*causes.failed()]
    return causes.causes(), progress


def test_causes_equal_those_of_files(bodies: list[dict[str, Any]], tmp_path: Path) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    for body in bodies:
        (folder / f"{body['name']}.json").write_text(json.dumps(body))
    stored, _ = ask(PuppetDB(Access(URL), QUERY), ":memory:")
    files, _ = ask(Folder(str(folder)), ":memory:")
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
    submit({**bodies[0], "resources": [*bodies[0]["resources"], more]})
    assert ask(source, store)[1].reused == COUNT - 1


def test_a_connection_that_was_idle_is_opened_again(bodies: list[dict[str, Any]]) -> None:
    source = PuppetDB(Access(URL), QUERY)
    first = len([*source.index()])
    # PuppetDB closes idle connections after 30 s.
    time.sleep(35)
    assert len([*source.index()]) == first
    client_of(source.access).http.close()
    client_of.cache_clear()
