"""Asks a Forge for releases of modules, by its API of version 3, and fetches their archives."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, NoReturn
from urllib.parse import urljoin, urlsplit

from analyzer.diagnostics import InputError
from analyzer.frontends.json_document import parse_json
from analyzer.model.versions import SemVer, SemVerRange
from analyzer.pattern import pattern
from analyzer.reading import most_bytes, size_text
from analyzer.session.deadline import Deadline
from analyzer.source import Span

# Bytes of an answer about a module, seconds of a request, and of the waits between attempts.
MOST_ANSWER = 32 << 20
CONNECT_SECONDS, READ_SECONDS, TOTAL_SECONDS = 10, 30, 180
WAITS = (0.5, 2.0)
MOST_REDIRECTS = 3
# What a server says when it may answer later.
BUSY = (429, 500, 502, 503, 504)
OWNER = pattern(r"[A-Za-z0-9]+")
SUMS = {"file_sha256": ("sha256", 64), "file_md5": ("md5", 32)}


@dataclass(frozen=True, slots=True)
class ForgeRelease:
    """A release as the Forge describes it: where its archive is, and what its digest must be.

    `algorithm` is `sha256`, or `md5` where the Forge gives no better one.
    """

    full: str
    version: str
    uri: str
    algorithm: str
    digest: str


class Forge:
    """A Forge; `span` is the place that names its address.

    Raises:
        InputError: httpx is not installed, or the address is none.
    """

    def __init__(self, url: str, span: Span) -> None:
        try:
            import httpx
        except ImportError:
            message = "httpx is not installed; install catgraph[modules]"
            raise InputError(message, span, "no-httpx") from None
        self.url, self.span, self.httpx = url.rstrip("/"), span, httpx
        if not is_address(self.url):
            self.refuse("expected the address of a Forge, such as https://forge.example.com")
        self.tls = httpx.create_ssl_context()

    def find(self, full: str, wanted: str) -> ForgeRelease:
        """Return the release of a module with a version, or the newest in a range.

        Raises:
            InputError: there is none, or the Forge cannot be asked.
        """
        owner, _, name = full.partition("-")
        if not OWNER.fullmatch(owner) or not name.isascii():
            self.refuse(f"'{full}' is no name of a module on a Forge")
        version = wanted if is_version(wanted) else self.newest(full, wanted)
        document = self.document(f"/v3/releases/{full}-{version}", f"{full} {version}")
        if document.get("version") != version:
            self.refuse(f"another release than {full} {version} is described")
        for key, (algorithm, length) in SUMS.items():
            digest = document.get(key)
            if isinstance(digest, str) and len(digest) == length:
                uri = document.get("file_uri")
                return ForgeRelease(full, version, str(uri or ""), algorithm, digest.lower())
        self.refuse(f"no checksum of {full} {version} is given")

    def newest(self, full: str, wanted: str) -> str:
        """Return the newest version of a module in a range; prereleases must be asked for.

        Raises:
            InputError: there is none.
        """
        try:
            versions = SemVerRange.parse(wanted) if wanted not in ("", "latest") else None
        except ValueError:
            self.refuse(f"'{wanted}' is no version and no range of versions of {full}")
        document = self.document(f"/v3/modules/{full}", full)
        rows = document.get("releases")
        offers = [
            SemVer.parse(row["version"])
            for row in (rows if isinstance(rows, list) else ())
            if isinstance(row, dict)
            and not row.get("deleted_at")
            and is_version(row.get("version"))
        ]
        fitting = [v for v in offers if (v in versions if versions else v.stable)]
        if not fitting:
            self.refuse(f"no release of {full} is in '{wanted or 'latest'}'")
        return str(max(fitting))

    def download(self, release: ForgeRelease) -> bytes:
        """Return the archive of a release, whose digest is right.

        Raises:
            InputError: it cannot be fetched, or is another one.
        """
        data = self.get(release.uri, f"{release.full} {release.version}", most_bytes())
        if (
            hashlib.new(release.algorithm, data, usedforsecurity=False).hexdigest()
            != release.digest
        ):
            name = f"{release.full} {release.version}"
            self.refuse(
                f"the archive of {name} does not have the {release.algorithm} that it should"
            )
        return data

    def document(self, path: str, what: str) -> Mapping[str, Any]:
        """Return the object that the Forge answers with.

        Raises:
            InputError: it does not.
        """
        document = parse_json(self.get(path, what, MOST_ANSWER), self.url)
        if not isinstance(document, dict):
            self.refuse(f"expected an object about {what}")
        return document

    def get(self, path: str, what: str, most: int) -> bytes:
        """Return an answer of this server; another attempt follows one that may succeed later.

        Raises:
            InputError: there is none.
        """
        with Deadline(TOTAL_SECONDS) as deadline:
            for wait in (*WAITS, None):
                try:
                    status, body = self.follow(path, what, most, deadline)
                    reason = f"HTTP {status}"
                except (self.httpx.HTTPError, self.httpx.InvalidURL) as error:
                    reason = "; ".join(str(error).split("\n")) or type(error).__name__
                else:
                    if status == 200:
                        return body
                    if status == 404:
                        self.refuse(f"there is no {what}")
                    if status not in BUSY:
                        self.refuse(f"{what} is refused ({reason})")
                if deadline.over:
                    self.refuse(f"{what} takes longer than {TOTAL_SECONDS} seconds")
                if wait is not None:
                    time.sleep(wait)
        self.refuse(f"{what} cannot be fetched: {reason}")

    def follow(self, path: str, what: str, most: int, deadline: Deadline) -> tuple[int, bytes]:
        """Return status and body of an answer, after redirects within the same server."""
        url = self.join(f"{self.url}/", path if "://" in path else path.lstrip("/"), what)
        for _ in range(MOST_REDIRECTS):
            status, body, location = self.send(url, what, most, deadline)
            if not 300 <= status < 400:
                return status, body
            url = self.join(url, location, what)
        self.refuse(f"{what} is redirected too often")

    def join(self, base: str, path: str, what: str) -> str:
        """Return an address of this server.

        Raises:
            InputError: it is of another one.
        """
        try:
            url = urljoin(base, path)
            mine, other = urlsplit(self.url), urlsplit(url)
            same = (mine.scheme, mine.netloc) == (other.scheme, other.netloc)
        except ValueError:
            same = False
        if not same or not path or not path.isprintable():
            self.refuse(f"{what} is elsewhere, which is not followed: {path}")
        return url

    def send(self, url: str, what: str, most: int, deadline: Deadline) -> tuple[int, bytes, str]:
        """Return status, body and the address of a redirect."""
        parts, left = [], most
        # A client of its own for each request: a deadline ends the connection that it knows.
        client = self.httpx.Client(
            verify=self.tls,
            headers={"User-Agent": "catgraph", "Accept-Encoding": "identity"},
            timeout=self.httpx.Timeout(READ_SECONDS, connect=CONNECT_SECONDS),
            follow_redirects=False,
        )
        watch = {"trace": partial(note_socket, deadline)}
        with client, client.stream("GET", url, extensions=watch) as answer:
            for part in answer.iter_raw():
                left -= len(part)
                if deadline.over:
                    raise self.httpx.ReadTimeout("the answer takes too long")
                if left < 0:
                    self.refuse(f"the answer about {what} has more than {size_text(most)}")
                parts.append(part)
            location = answer.headers.get("location", "")
            return answer.status_code, b"".join(parts), location

    def refuse(self, message: str) -> NoReturn:
        """Raise an error about this Forge."""
        raise InputError(f"Forge {self.url}: {message}", self.span, "cannot-fetch")


def note_socket(deadline: Deadline, event: str, info: dict[str, Any]) -> None:
    """Note the socket of a connection as soon as there is one."""
    if event == "connection.connect_tcp.complete":
        deadline.socket = info["return_value"].get_extra_info("socket")
    if deadline.over:
        deadline.end()


def is_address(url: str) -> bool:
    """Return whether a text is the address of a server, without a password."""
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return False
    named = parts.scheme in ("http", "https") and parts.hostname and not parts.username
    return bool(named) and url.isprintable() and not parts.query and not parts.fragment


def is_version(text: object) -> bool:
    """Return whether a text is one version."""
    try:
        return isinstance(text, str) and str(SemVer.parse(text)) == text
    except ValueError:
        return False
