"""Refusals of a catalog's values, in Puppet's words; the first of them stops a run."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping

from analyzer.apply.redaction import redact, sensitive_names, texts_of
from analyzer.apply.validation.accounts import GROUP, SERVICE, USER
from analyzer.apply.validation.checks import Checks
from analyzer.apply.validation.exec import EXEC, unqualified
from analyzer.apply.validation.file import FILE, wrong_checksum
from analyzer.apply.validation.modules import AUTHORIZED_KEY, CRON, HOST, MAILALIAS, MOUNT
from analyzer.apply.validation.others import (
    FILEBUCKET,
    METAPARAMETERS,
    NOTIFY,
    PACKAGE,
    SCHEDULE,
    TIDY,
)
from analyzer.apply.validation.ruby import WholeMessage
from analyzer.graph.queries import error_location
from analyzer.model.resource import Resource

CHECKS: Mapping[str, Checks] = {
    "Cron": CRON,
    "Exec": EXEC,
    "File": FILE,
    "Filebucket": FILEBUCKET,
    "Group": GROUP,
    "Host": HOST,
    "Mailalias": MAILALIAS,
    "Mount": MOUNT,
    "Notify": NOTIFY,
    "Package": PACKAGE,
    "Schedule": SCHEDULE,
    "Service": SERVICE,
    "Ssh_authorized_key": AUTHORIZED_KEY,
    "Tidy": TIDY,
    "User": USER,
}

# Said of every Sensitive value: most messages of types show the value, or a part of it.
SECRET = "its value is not valid, and not shown because it is Sensitive"

# Types whose resources are lines of a file (ParsedFile), and what they do not write there.
RECORDS = frozenset(("Cron", "Host", "Mailalias", "Mount", "Ssh_authorized_key", "Sshkey"))
RELATED = frozenset(("alias", "audit", "before", "notify", "require", "subscribe", "tag"))
LINE_END = re.compile(r"[\n\r]")
WRITTEN = ", which would add another line to the file"

# The parameters that a title stands for, where a check looks at them.
NAMEVARS = {"File": "path", "Host": "name"}


def refused(resources: Iterable[Resource]) -> Iterator[str]:
    """Yield which values types do not take, in the order in which Puppet finds them."""
    for resource in resources:
        checks = CHECKS.get(resource.type)
        if checks is not None:
            yield from refusals(resource, checks)


def refusals(resource: Resource, checks: Checks) -> Iterator[str]:
    """Yield the refusals of one resource's values."""
    given = resource.parameters
    secret = sensitive_names(resource)
    namevar = NAMEVARS.get(resource.type)
    if namevar is not None and namevar not in given:
        given = {namevar: resource.title, **given}
    place = error_location(resource)
    for table in (checks, METAPARAMETERS):
        for name in [one for one in table if one in given]:
            value = given[name]
            if value is None or not is_plain(value):
                continue
            why = table[name](name, value, resource)
            if why and name in secret:
                yield f"Parameter {name} failed on {resource}: {SECRET}{place}"
            elif isinstance(why, WholeMessage):
                yield f"{why}{place}"
            elif why:
                yield f"Parameter {name} failed on {resource}: {why}{place}"
    for name, why in record_problems(resource, secret):
        yield f"Parameter {name} failed on {resource}: {why}{place}"
    why = together(resource)
    if why:
        yield f"Validation of {resource} failed: {redact(resource, why)}{place}"


def record_problems(resource: Resource, secret: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield the texts with a line end that would become further lines of a file.

    Puppet writes most of them, so that a comment may hold a job of cron or a key: nobody means it.
    """
    if resource.type not in RECORDS:
        return
    fields = {"name": resource.title, **resource.parameters}
    for name, value in fields.items():
        if name not in RELATED and any(LINE_END.search(one.strip()) for one in texts_of(value)):
            yield name, SECRET if name in secret else f"it must not contain a line end{WRITTEN}"


def together(resource: Resource) -> str:
    """Return why a resource is refused for values that do not go together."""
    given = resource.parameters
    if resource.type == "Exec":
        command = given.get("command", resource.title)
        return unqualified(command, resource) if is_plain(command) else ""
    if resource.type == "File" and given.get("recurse") == "remote" and not given.get("source"):
        return "You cannot specify a remote recursion without a source"
    if resource.type == "File" and is_plain(given.get("checksum_value")):
        return wrong_checksum(given.get("checksum_value"), given.get("checksum", "sha256"))
    if resource.type == "Ssh_authorized_key" and given.get("user") is given.get("target") is None:
        return "Attribute 'user' or 'target' is mandatory"
    return ""


def is_plain(value: object) -> bool:
    """Return whether a value is known: hashes of rich data stand for others."""
    if isinstance(value, dict):
        plain = not any(str(key).startswith("__") for key in value)
        return plain and all(map(is_plain, value.values()))
    if isinstance(value, list):
        return all(map(is_plain, value))
    return value is None or isinstance(value, (str, bool, int, float))
