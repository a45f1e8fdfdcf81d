"""Asks PuppetDB over HTTP: bounded answers, one retry of a dropped connection, clear errors."""

from __future__ import annotations

import json
import ssl
from functools import lru_cache, partial
from typing import Any, NoReturn
from urllib.parse import urlsplit

from analyzer.diagnostics import InputError
from analyzer.fleet.sources.puppetdb_config import Access
from analyzer.frontends.json_document import parse_json
from analyzer.reading import most_bytes, read_text, size_text
from analyzer.session.deadline import Deadline
from analyzer.source import Span

QUERY = "/pdb/query/v4"
CONNECT_SECONDS, READ_SECONDS = 10, 120
# Characters of PuppetDB's own words that an error shows.
SHOWN = 300

# What to do about an answer that is none.
ADVICE = {
    400: "PuppetDB refuses the query",
    401: "you are not logged in; give a valid token with --token-file",
    403: "access denied; the certificate's name must be in PuppetDB's certificate-allowlist",
    404: "there is no PuppetDB at this address",
}


class Client:
    """A connection to one PuppetDB."""

    def __init__(self, access: Access) -> None:
        try:
            import httpx
        except ImportError:
            message = "httpx is not installed; install catgraph[puppetdb]"
            raise InputError(message, Span(access.url), "no-httpx") from None
        self.access = access
        self.errors = httpx
        self.dropped = httpx.RemoteProtocolError, httpx.ReadError, httpx.WriteError
        self.socket: Any = None
        parts = urlsplit(access.url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.username:
            self.refuse("expected puppetdb+https://HOST:8081 or puppetdb+http://localhost:8080")
        headers = {"Accept": "application/json"}
        if access.token_file:
            if parts.scheme != "https":
                self.refuse("a token is not sent without TLS; use https")
            headers["X-Authentication"] = read_text(access.token_file).strip()
        verify: Any = self.tls() if parts.scheme == "https" else False
        # No proxies, and no passwords of ~/.netrc; a redirect may lead to another host.
        self.http = httpx.Client(
            base_url=access.url,
            verify=verify,
            headers=headers,
            timeout=httpx.Timeout(READ_SECONDS, connect=CONNECT_SECONDS),
            follow_redirects=False,
            trust_env=False,
        )

    def tls(self) -> ssl.SSLContext:
        """Return the certificates to show and to trust.

        Raises:
            InputError: a file is no certificate or key, or they do not belong together.
        """
        access = self.access
        try:
            context = ssl.create_default_context(cafile=access.cacert or None)
            if access.cert:
                # Without a passphrase: OpenSSL would ask for it on the terminal.
                context.load_cert_chain(access.cert, access.key or None, password="")
        except (ssl.SSLError, OSError, ValueError) as error:
            files = ", ".join(filter(None, (access.cert, access.key, access.cacert)))
            self.refuse(f"the certificate, key and CA cannot be used: {files} ({reason(error)})")
        return context

    def query(self, query: object) -> list[Any]:
        """Return the rows that answer a query, in PQL (text) or AST.

        Raises:
            InputError: there is no answer, or it is none of PuppetDB.
        """
        try:
            status, headers, body = self.asked(query)
        except self.errors.TransportError as error:
            self.refuse(self.words_about(error))
        if status != 200:
            self.refuse(words_for(status, headers, body))
        rows = parse_json(body, self.access.url)
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            self.refuse("expected a list of objects from PuppetDB")
        return rows

    def asked(self, query: object) -> tuple[int, Any, bytes]:
        """Send a query; a connection that was dropped while it was idle is opened again once."""
        seconds = self.access.seconds
        with Deadline(seconds) as deadline:
            for again in (True, False):
                try:
                    return self.sent(query, deadline)
                except self.errors.TransportError as error:
                    if deadline.over:
                        message = f"an answer takes longer than {seconds} seconds"
                        self.refuse(f"{message} (--answer-limit N)")
                    if not (again and isinstance(error, self.dropped)):
                        raise
        raise AssertionError

    def sent(self, query: object, deadline: Deadline) -> tuple[int, object, bytes]:
        """Send a query; return status, headers and the unpacked body."""
        parts, left = [], most_bytes()
        watch = {"trace": partial(self.note_socket, deadline)}
        with self.http.stream("POST", QUERY, json={"query": query}, extensions=watch) as answer:
            for part in answer.iter_bytes():
                left -= len(part)
                if left < 0:
                    size = size_text(most_bytes())
                    self.refuse(f"an answer has more than {size} (--max-input SIZE)")
                parts.append(part)
            return answer.status_code, answer.headers, b"".join(parts)

    def note_socket(self, deadline: Deadline, event: str, info: dict[str, Any]) -> None:
        """Note the socket of a connection when it is there; a later query may use it, too."""
        if event == "connection.connect_tcp.complete":
            self.socket = info["return_value"].get_extra_info("socket")
        deadline.socket = self.socket

    def words_about(self, error: Exception) -> str:
        """Return the problem of a connection."""
        words = reason(error)
        if "SSL" in words or "TLS" in words or "certificate" in words.lower():
            cacert = self.access.cacert or "that of the system"
            shown = self.access.cert or "none"
            return f"TLS failed: {words}; client certificate: {shown}, CA: {cacert}"
        kind = type(error).__name__
        if isinstance(error, self.errors.TimeoutException):
            return f"PuppetDB does not answer in time ({kind})"
        return f"cannot be reached: {words or kind}"

    def refuse(self, message: str) -> NoReturn:
        """Raise an error about this PuppetDB."""
        raise InputError(message, Span(self.access.url), "puppetdb")


def reason(error: BaseException) -> str:
    """Return the words of an error, in one line."""
    return " ".join(str(getattr(error, "strerror", None) or error).split())


def words_for(status: int, headers: Any, body: bytes) -> str:
    """Return the meaning of an answer without rows."""
    said = " ".join(body[:SHOWN].decode("utf-8", "replace").split())
    if 300 <= status < 400:
        host = urlsplit(headers.get("location", "")).netloc
        return f"redirects to {host or 'another address'}, which is not followed"
    advice = ADVICE.get(status, "PuppetDB failed")
    return f"{advice} (HTTP {status}){f': {said}' if said else ''}"


@lru_cache(maxsize=4)
def client_of(access: Access) -> Client:
    """Return the client of this process for a PuppetDB."""
    return Client(access)


def ast_of(text: str) -> object:
    """Return a query of the user as AST, or None if it is PQL.

    Raises:
        InputError: it begins like AST and is none.
    """
    if not text.lstrip().startswith("["):
        return None
    try:
        return json.loads(text)
    except ValueError as error:
        raise InputError(f"not an AST query: {error}", Span("--query"), "bad-query") from None
