"""References to missing resources: all of them, in the words of Puppet 7.23."""

from __future__ import annotations

from typing import Any

import pytest

import analyzer


def notify(title: str, **fields: Any) -> dict[str, Any]:
    return {"type": "Notify", "title": title, "kind": "compilable_type", **fields}


def messages(*resources: dict[str, Any]) -> list[str]:
    document = {"catalog_format": 2, "resources": list(resources), "edges": []}
    return [m.message for m in analyzer.relate(analyzer.load_catalog(document)).missing()]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (
            {"file": "/s.pp", "line": 3, "parameters": {"require": "Notify[zz]"}},
            "Could not find dependency Notify[zz] for Notify[a] (file: /s.pp, line: 3)",
        ),
        (
            {"line": 3, "parameters": {"before": "notify[zz]"}},
            "Could not find dependent Notify[zz] for Notify[a] (line: 3)",
        ),
        (
            {"file": "/s.pp", "parameters": {"subscribe": ["Foo::Bar[zz]"]}},
            "Could not find dependency Foo::Bar[zz] for Notify[a] (file: /s.pp)",
        ),
        (
            {"file": "/s.pp", "line": 3, "parameters": {"before": "foo"}},
            'Parameter before failed on Notify[a]: No title provided and "foo" is not a valid '
            "resource reference (file: /s.pp, line: 3)",
        ),
        (
            {"parameters": {"notify": 3}},
            "Parameter notify failed on Notify[a]: No title provided and 3 is not a valid "
            "resource reference",
        ),
    ],
)
def test_words(fields: dict[str, Any], message: str) -> None:
    assert messages(notify("a", **fields)) == [message]


def test_all_are_reported() -> None:
    first = notify("a", parameters={"require": ["Notify[x]", "Notify[b]", "Notify[y]"]})
    second = notify("b", parameters={"notify": "Notify[z]"})
    assert messages(first, second) == [
        "Could not find dependency Notify[x] for Notify[a]",
        "Could not find dependency Notify[y] for Notify[a]",
        "Could not find dependent Notify[z] for Notify[b]",
    ]


@pytest.mark.parametrize(
    ("target", "suggestions"),
    [
        ("Notify[websrver]", ("Notify[webserver]",)),
        ("Package[webserver]", ("Notify[webserver]",)),
        ("Notify[Webserver]", ("Notify[webserver]",)),
        ("Notify[nothing like it]", ()),
    ],
)
def test_did_you_mean(target: str, suggestions: tuple[str, ...]) -> None:
    resources = [notify("webserver"), notify("a", parameters={"require": target})]
    document = {"catalog_format": 2, "resources": resources, "edges": []}
    graph = analyzer.relate(analyzer.load_catalog(document))
    assert graph.missing()[0].suggestions == suggestions


@pytest.mark.parametrize(
    ("target", "suggestions"),
    [
        ("Notify[/home/carol/.ssh]", ()),
        ("Notify[/home/alise/.ssh]", ("Notify[/home/alice/.ssh]",)),
        ("Notify[/home/alice/.shh]", ("Notify[/home/alice/.ssh]",)),
        ("Notify[/home/alice/.ssh/]", ("Notify[/home/alice/.ssh]",)),
    ],
)
def test_another_users_folder_is_no_spelling(target: str, suggestions: tuple[str, ...]) -> None:
    resources = [
        notify("/home/alice/.ssh"),
        notify("/home/bob/.ssh"),
        notify("a", parameters={"require": target}),
    ]
    graph = analyzer.relate(
        analyzer.load_catalog({"catalog_format": 2, "resources": resources, "edges": []})
    )
    assert graph.missing()[0].suggestions[:1] == suggestions
