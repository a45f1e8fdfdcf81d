"""Catalogs with anything in any place, as hypothesis makes them up."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from tests.frontends.test_catalog_json import CATALOG, query_form, stored_form

# Texts of JSON that no value of Python is written as.
LITERALS = {
    "@deep list": "[" * 900 + "]" * 900,
    "@deep object": '{"a":' * 900 + "1" + "}" * 900,
    "@deep enough": "[" * 120 + "]" * 120,
    "@large": "1e999",
    "@digits": "9" * 400,
    "@twice": '{"a": 1, "a": [2]}',
}
ODD: tuple[Any, ...] = (
    None, True, False, 0, -1, 1.5, 10**30, float("nan"), float("inf"), "", " ", "x", "[", "A[",
    "A[]", "[a]", "\ud800", "a\nb\x1b[1m", "undef", "root", "0644", "/x/../y", "Class[Main]",
    "Class[K]", "Notify[a]", "File[/srv/conf]", "Stage[main]", "K", "main", "Stage", "Class",
    "File", "Exec", "User", "k::d", [], {}, [[]], [{}], [None], [1], [[["x"]]], {"a": None},
    {"": []}, ["Notify[a]", "Class[K]", None], {"__ptype": "Sensitive", "__pvalue": "pw"},
    {"__ptype": "Deferred", "name": 1}, {"__ptype": {}}, {"__ptype": None, "__pvalue": []},
    {"type": "File", "title": "/x"}, {"type": 1, "title": None}, {"data": []}, {"data": None},
    *LITERALS,
)  # fmt: skip
REFS = (
    "Stage[main]", "Class[K]", "Class[Main]", "K::D[d]", "Notify[a]", "File[/etc/ntp.conf]",
    "Service[ntp]", "Concat[/c]",
)  # fmt: skip
NAMES = (
    "", "name", "path", "ensure", "require", "before", "notify", "subscribe", "tag", "alias",
    "stage", "noop", "schedule", "loglevel", "audit", "content", "source", "mode", "owner",
    "group", "target", "command", "onlyif", "unless", "creates", "refreshonly", "gid", "groups",
    "provider", "recurse", "type", "title", "kind", "file", "line", "tags", "exported",
    "parameters", "sensitive_parameters", "relationship", "metadata", "recursive_metadata",
)  # fmt: skip


def rich() -> dict[str, Any]:
    """A catalog with something of each kind."""
    found = copy.deepcopy(CATALOG)
    more: list[tuple[str, str, dict[str, Any]]] = [
        ("File", "/srv", {"ensure": "directory", "owner": "u", "group": "g", "mode": "0755"}),
        ("User", "u", {"ensure": "present", "gid": "g", "groups": ["g"], "home": "/srv"}),
        ("Group", "g", {"ensure": "present"}),
        ("Package", "p", {"ensure": "installed", "before": ["File[/srv]", "Service[s]"]}),
        ("Service", "s", {"ensure": "running", "subscribe": "File[conf]"}),
        ("Cron", "c", {"command": "/bin/true", "user": "u", "schedule": "daily", "hour": [1]}),
        ("Exec", "e", {"command": "/bin/false", "path": ["/bin"], "onlyif": [["true"], "id"]}),
        ("K::D", "d", {"x": {"y": [1, None]}, "tag": ["t"], "noop": True}),
        ("Package", "ntp", {"ensure": "present"}),
        ("File", "/etc/ntp.conf", {"ensure": "file", "content": "x"}),
        ("Service", "ntp", {"ensure": "running", "require": "Package[ntp]"}),
        ("Sshkey", "k", {"key": "AAAA", "type": "rsa", "host_aliases": ["h"]}),
        ("Concat", "/c", {"ensure": "present"}),
        ("Concat_file", "/c", {"tag": "c"}),
        ("Concat_fragment", "f", {"target": "/c", "content": "x", "order": "01", "tag": "c"}),
        ("Ini_setting", "i", {"path": "/i", "section": "s", "setting": "a", "value": "b"}),
        ("Host", "h", {"ip": "::1", "host_aliases": ["x"]}),
        ("Mount", "/m", {"device": "d", "fstype": "x", "options": "o"}),
    ]
    for line, (kind, title, parameters) in enumerate(more, 10):
        found["resources"].append({
            "type": kind, "title": title, "tags": [kind.lower(), "k"], "file": "/site.pp",
            "line": line, "exported": False, "parameters": parameters,
            "kind": "defined_type" if "::" in kind or kind == "Concat" else "compilable_type",
        })  # fmt: skip
        found["edges"].append({"source": "Class[K]", "target": f"{kind}[{title}]"})
    return found


def looping() -> dict[str, Any]:
    """The same with a class in what it contains, as `contain` in a define makes it."""
    found = rich()
    found["edges"].append({"source": "K::D[d]", "target": "Class[K]"})
    return found


BASES: tuple[dict[str, Any], ...] = (rich(), looping(), CATALOG, stored_form(), query_form())


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every value inside a document."""
    if path:
        yield path
    found = isinstance(value, dict | list)
    for key in (value if isinstance(value, dict) else range(len(value))) if found else ():
        yield from places(value[key], (*path, key))


WAYS = [list(places(base)) for base in BASES]


def values() -> st.SearchStrategy[Any]:
    """Any value of JSON, mostly one that something could mistake for what it wants."""
    plain = st.sampled_from(ODD) | st.text(max_size=3) | st.integers() | st.floats()
    return st.recursive(
        plain,
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(NAMES) | st.text(max_size=3), inner, max_size=3)
        ),
        max_leaves=4,
    )


@st.composite
def documents(draw: st.DrawFn) -> str:
    """The text of a catalog that was changed in one to four places."""
    base = draw(st.integers(0, len(BASES) - 1))
    document = copy.deepcopy(BASES[base])
    for _ in range(draw(st.sampled_from((1, 1, 1, 2, 4)))):
        change(draw, document, draw(st.sampled_from(WAYS[base])))
    return text_of(document)


def change(draw: st.DrawFn, document: Any, way: tuple[Any, ...]) -> None:
    """Replace, leave out, repeat or join something, where the way still leads somewhere."""
    holder = document
    for key in way[:-1]:
        holder = at(holder, key)
    key = way[-1]
    what = draw(st.integers(0, 10))
    if what == 10 and isinstance(document, dict) and isinstance(document.get("edges"), list):
        ends = st.sampled_from(REFS)
        document["edges"].append({"source": draw(ends), "target": draw(ends)})
        return
    if at(holder, key) is None:
        return
    if what < 6:
        holder[key] = draw(values())
    elif what < 7:
        del holder[key]
    elif isinstance(holder, list):
        holder += [holder[key]] * draw(st.integers(1, 3))
    elif isinstance(holder[key], dict):
        holder[key][draw(st.sampled_from(NAMES))] = draw(values())
    else:
        holder[draw(st.sampled_from(NAMES))] = draw(values())


def at(holder: Any, key: Any) -> Any:
    """What is at a key, None where nothing is any more."""
    if isinstance(holder, dict):
        return holder.get(key)
    if isinstance(holder, list) and isinstance(key, int) and key < len(holder):
        return holder[key]
    return None


def text_of(document: Any) -> str:
    """The JSON of a document, with the literals in their places."""
    text = json.dumps(document)
    for name, literal in LITERALS.items():
        text = text.replace(f'"{name}"', literal)
    return text
