"""Where PuppetDB is and which certificate it wants: client-tools, or the agent's `puppet.conf`.

Formats: https://www.puppet.com/docs/puppetdb/latest/pdb_client_tools.html and puppet.conf(5).
"""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Iterator, Mapping
from configparser import ConfigParser
from configparser import Error as ConfigError
from contextlib import suppress
from dataclasses import dataclass

from analyzer.diagnostics import InputError
from analyzer.model.documents import JsonObject
from analyzer.reading import read_text
from analyzer.source import Span

CLIENT_TOOLS = (
    "~/.puppetlabs/client-tools/puppetdb.conf",
    "/etc/puppetlabs/client-tools/puppetdb.conf",
)
TOKEN = "~/.puppetlabs/token"
# Files of the agent, each with the folder of its certificates by default.
AGENTS = (
    ("~/.puppetlabs/etc/puppet/puppet.conf", "~/.puppetlabs/etc/puppet/ssl"),
    ("/etc/puppetlabs/puppet/puppet.conf", "/etc/puppetlabs/puppet/ssl"),
    ("/etc/puppet/puppet.conf", "/var/lib/puppet/ssl"),
)


ANSWER_SECONDS = 300


@dataclass(frozen=True, slots=True)
class Access:
    """The way to a PuppetDB; only paths of secrets, never secrets themselves.

    `seconds` is how long the whole answer to one query may take.
    """

    url: str
    cert: str = ""
    key: str = ""
    cacert: str = ""
    token_file: str = ""
    seconds: int = ANSWER_SECONDS


def access_to(text: str, given: Mapping[str, str | None], seconds: int = ANSWER_SECONDS) -> Access:
    """Return the access to `puppetdb+https://host:8081`, or to the one of client-tools.

    `given` are `cert`, `key`, `cacert` and `token_file` of the command line, which are used before
    those of the files.

    Raises:
        InputError: no such PuppetDB is known, or a file cannot be read.
    """
    tools = client_tools()
    url = text.removeprefix("puppetdb+") if text != "puppetdb" else str(tools.get("url", ""))
    if not url:
        message = "no server_urls in client-tools/puppetdb.conf; give puppetdb+https://HOST:8081"
        raise InputError(message, Span(text), "no-puppetdb")
    files = {name: value for name, value in given.items() if value}
    if url.startswith("https:") and not {"cert", "key", "cacert"} <= files.keys():
        for source in (tools, agent_files()):
            if source.get("cacert"):
                kept = source if "cert" not in files else {"cacert": source["cacert"]}
                files = {**kept, **files}
                break
    files.pop("url", None)
    token = os.path.expanduser(TOKEN)
    if url.startswith("https:") and "token_file" not in files and os.path.isfile(token):
        files["token_file"] = token
    for name, path in files.items():
        if not os.path.isfile(path):
            raise InputError(f"no such file ({name})", Span(path))
    return Access(url.rstrip("/"), **files, seconds=seconds)


def client_tools() -> dict[str, str]:
    """Return the url and files of client-tools, nothing if it is not configured.

    Raises:
        InputError: the file is malformed.
    """
    for path in map(os.path.expanduser, CLIENT_TOOLS):
        if not os.path.isfile(path):
            continue
        try:
            body: JsonObject = json.loads(read_text(path))["puppetdb"]
            urls = body.get("server_urls", [])
            found = {"url": urls if isinstance(urls, str) else next(iter(urls), "")}
            found |= {name: body[name] for name in ("cert", "key", "cacert") if body.get(name)}
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            raise InputError("expected {'puppetdb': {'server_urls': [...]}}", Span(path)) from None
        return {name: value for name, value in found.items() if isinstance(value, str)}
    return {}


def agent_files() -> dict[str, str]:
    """Return the certificate, key and CA of this machine's agent, those that exist."""
    for file, folder in AGENTS:
        settings = dict(settings_of(os.path.expanduser(file)))
        ssl = os.path.expanduser(settings.get("ssldir", folder))
        name = settings.get("certname", socket.getfqdn()).lower()
        paths = {
            "cert": os.path.join(ssl, "certs", f"{name}.pem"),
            "key": os.path.join(ssl, "private_keys", f"{name}.pem"),
            "cacert": os.path.join(ssl, "certs", "ca.pem"),
        }
        found = {what: path for what, path in paths.items() if os.path.isfile(path)}
        if len(found) == len(paths):
            return found
    return {}


def settings_of(path: str) -> Iterator[tuple[str, str]]:
    """Yield the settings of an agent in a `puppet.conf`: those of [agent] replace [main]."""
    parser = ConfigParser(interpolation=None, strict=False, allow_no_value=True)
    with suppress(OSError, UnicodeDecodeError, ConfigError):
        parser.read_string(read_text(path))
    for section in ("main", "agent"):
        for name, value in parser.items(section) if parser.has_section(section) else ():
            if value:
                yield name, value.strip()
