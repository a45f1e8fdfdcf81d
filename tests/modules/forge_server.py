"""A small Forge for tests: the API of version 3, and what can go wrong with it."""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


def archive(members: Mapping[str, object], top: str = "") -> bytes:
    """Return a packed archive of files, or of members as they are."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz", format=tarfile.GNU_FORMAT) as tar:
        for name, content in members.items():
            if isinstance(content, tarfile.TarInfo):
                tar.addfile(content, io.BytesIO(bytes(content.size)))
                continue
            assert isinstance(content, bytes)
            member = tarfile.TarInfo(f"{top}{name}")
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    return stream.getvalue()


def release(full: str, version: str, files: dict[str, Any] | None = None, **more: Any) -> bytes:
    """Return the archive of a module."""
    metadata = {"name": full, "version": version, "dependencies": [], **more}
    name = full.partition("-")[2]
    contents: dict[str, Any] = {
        "metadata.json": json.dumps(metadata).encode(),
        "manifests/init.pp": f"class {name} {{ }}\n".encode(),
        **(files or {}),
    }
    return archive(contents, f"{full}-{version}/")


class Forge:
    """Releases by module and version; `change` is what a test does to a release's description."""

    def __init__(self) -> None:
        self.url = ""
        self.archives: dict[tuple[str, str], bytes] = {}
        self.changes: dict[str, Any] = {}
        self.requests: list[str] = []
        self.failures = 0
        self.redirect = ""
        self.slow = ""

    def add(self, full: str, version: str, data: bytes | None = None, **more: Any) -> None:
        """Publish a release."""
        self.archives[full, version] = data or release(full, version, **more)

    def document(self, path: str) -> Any:
        """Return the answer of the API to a path, None if it has nothing."""
        kind, _, slug = path.removeprefix("/v3/").partition("/")
        if kind == "modules":
            rows = [self.described(*key) for key in self.archives if key[0] == slug]
            return {"slug": slug, "current_release": rows[-1], "releases": rows} if rows else None
        full, _, version = slug.rpartition("-")
        return self.described(full, version) if (full, version) in self.archives else None

    def described(self, full: str, version: str) -> dict[str, Any]:
        """Return a release as the API describes it."""
        data = self.archives[full, version]
        return {
            "uri": f"/v3/releases/{full}-{version}",
            "slug": f"{full}-{version}",
            "version": version,
            "deleted_at": None,
            "file_uri": f"/v3/files/{full}-{version}.tar.gz",
            "file_size": len(data),
            "file_md5": hashlib.md5(data, usedforsecurity=False).hexdigest(),
            "file_sha256": hashlib.sha256(data).hexdigest(),
        } | self.changes

    def answer(self, path: str) -> tuple[int, bytes]:
        """Return status and body for a path."""
        self.requests.append(path)
        if self.failures:
            self.failures -= 1
            return 503, b""
        if self.redirect and path.startswith("/v3/files/"):
            return 302, b""
        if path.startswith("/v3/files/"):
            full, _, version = path.removeprefix("/v3/files/")[: -len(".tar.gz")].rpartition("-")
            data = self.archives.get((full, version))
            return (200, data) if data else (404, b"")
        document = self.document(path)
        return (404, b"{}") if document is None else (200, json.dumps(document).encode())


@contextmanager
def served(forge: Forge) -> Iterator[str]:
    """Serve a Forge on this machine; give its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            # A proxy is asked for whole addresses.
            status, body = forge.answer(self.path.removeprefix("http://forge.example.com"))
            self.send_response(status)
            if status == 302:
                self.send_header("Location", forge.redirect)
            self.send_header("Content-Length", str(len(body)))
            if forge.slow == "head":
                self.drip(b"X-Slow: " + b"x" * 100)
            self.end_headers()
            if forge.slow == "body":
                self.drip(body)
            self.wfile.write(body)

        def drip(self, data: bytes) -> None:
            self.flush_headers()
            try:
                for byte in data:
                    self.wfile.write(bytes([byte]))
                    time.sleep(0.05)
            except OSError:
                return

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        forge.url = f"http://127.0.0.1:{server.server_port}"
        yield forge.url
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
