"""A small PuppetDB for tests: the two queries of the fleet over HTTP, and what can go wrong."""

from __future__ import annotations

import gzip
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Row = dict[str, Any]
TIME = "producer_timestamp"
FACTS = {"href": "/facts", "data": [{"name": "role", "value": {"is": "web"}}]}


def stored(body: Row, digest: str) -> Row:
    """Return a catalog as PuppetDB has it: no kinds, no classes, resources by type and title."""
    rows = [
        {key: value for key, value in row.items() if key != "kind"} for row in body["resources"]
    ]
    rows.sort(key=lambda row: (row["type"], row["title"]))
    edges = [
        {
            "source_type": edge["source"].partition("[")[0],
            "source_title": edge["source"].partition("[")[2][:-1],
            "target_type": edge["target"].partition("[")[0],
            "target_title": edge["target"].partition("[")[2][:-1],
            "relationship": "contains",
        }
        for edge in body["edges"]
    ]
    return {
        "certname": body["name"],
        "hash": digest,
        "environment": body["environment"],
        "producer_timestamp": "2026-01-02T03:04:05.678Z",
        "version": str(body["version"]),
        "resources": {"href": "/pdb/query/v4/resources", "data": rows},
        "edges": {"href": "/pdb/query/v4/edges", "data": edges},
    }


class State:
    """What a server has, and how it misbehaves."""

    def __init__(self, catalogs: list[Row]) -> None:
        self.catalogs = {row["certname"]: row for row in catalogs}
        self.queries: list[Any] = []
        self.drop = 0
        self.status = 200
        self.body: bytes | None = None
        self.headers: dict[str, str] = {}
        self.seen: list[str] = []

    def answer(self, query: Any) -> list[Row]:
        """Return the rows of a query: a page of the index, or catalogs by name."""
        if isinstance(query, str):
            return self.page(query.split('"')[1], [], int(query.split("limit ")[1].split()[0]))
        if query[2][0] == "extract":
            fields, wanted = query[2][1:]
            wanted = wanted[1] if wanted[0] == "and" else wanted
            seen = wanted[2][2][1][2][1] if wanted[0] == "or" else []
            last = wanted[1][2] if wanted[0] == "or" else wanted[2]
            assert fields[:2] == ["certname", "hash"]
            return self.page(last, seen, query[4][1])
        rows = [self.catalogs[name] for name in query[2][2][1] if name in self.catalogs]
        return [{**row, "facts": FACTS} for row in rows] if query[1] == "factsets" else rows

    def page(self, last: str, seen: list[str], limit: int) -> list[Row]:
        """Return a page of the index."""
        rows = sorted(self.catalogs.values(), key=lambda row: (row[TIME], row["certname"]))
        found = [
            r for r in rows if r[TIME] > last or (r[TIME] == last and r["certname"] not in seen)
        ]
        keys = ("certname", "hash", "environment", TIME)
        return [{key: row[key] for key in keys} for row in found[:limit]]


@contextmanager
def serving(state: State) -> Iterator[str]:
    """Run a server; give its address."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            data = self.rfile.read(int(self.headers["Content-Length"]))
            state.seen.append(self.path)
            if state.drop:
                state.drop -= 1
                self.close_connection = True
                return
            state.queries.append(json.loads(data)["query"])
            body = state.body
            if body is None:
                body = json.dumps(state.answer(state.queries[-1])).encode()
            packed = gzip.compress(body)
            self.send_response(state.status)
            for name, value in state.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Encoding", "gzip")
            self.send_header("Content-Length", str(len(packed)))
            self.end_headers()
            self.wfile.write(packed)

        def log_message(self, *args: object) -> None:
            """Be silent."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
