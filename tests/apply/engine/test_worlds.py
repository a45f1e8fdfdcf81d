"""Worlds with a host: looked at only, or changed; providers that fail or do not work yet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from analyzer.apply.engine.world import Find, Hosted, ObservedHost
from analyzer.apply.host import Host
from analyzer.apply.provider import (
    ABSENT,
    Note,
    PlannedChanges,
    PropertyChange,
    Provider,
    ProviderError,
    State,
    UnsuitableError,
)
from analyzer.apply.timeline import Timeline, timeline_of
from analyzer.model.resource import Resource
from analyzer.session.inputs import graph_of, load_catalog


class Files:
    """A host of a few files, and a provider that knows them."""

    refreshable = True
    self_refresh = False

    def __init__(self, **there: str) -> None:
        self.there: dict[str, str] = there
        self.needs: dict[str, str] = {}
        self.refreshed: list[str] = []

    def retrieve(self, resource: Resource, host: Host) -> State:
        needed = self.needs.get(resource.title)
        if needed is not None and needed not in self.there:
            raise UnsuitableError("later")
        return {"content": self.there.get(resource.title, ABSENT)}

    def plan(self, resource: Resource, state: State) -> PlannedChanges:
        wanted = resource.parameters["content"]
        if state["content"] == wanted:
            return PlannedChanges()
        change = PropertyChange("content", "content_changed", "written", state["content"], wanted)
        return PlannedChanges((change,), (Note("warning", "about to write"),))

    def apply(self, resource: Resource, change: PropertyChange, host: Host) -> Sequence[Note]:
        if change.new == "bad":
            raise ProviderError("disk full", [Note("info", "trying")])
        self.there[resource.title] = str(change.new)
        return (Note("info", "writing", "content"),)

    def refresh(self, resource: Resource, host: Host) -> Sequence[Note]:
        self.refreshed.append(resource.title)
        return ()

    def find(self, kind: str) -> Provider | None:
        return cast(Provider, self) if kind == "Service" else None


HOST = cast(Host, object())


def run(world: Any, *titles: str, **contents: str) -> Timeline:
    """A run of services, which refresh; each notifies the next."""
    rows = [
        {
            "type": "Service",
            "title": title,
            "kind": "compilable_type",
            "parameters": {"content": contents.get(title, title)}
            | ({"notify": f"Service[{after}]"} if after else {}),
        }
        for title, after in zip(titles, [*titles[1:], ""], strict=True)
    ]
    document = {"name": "n", "catalog_format": 2, "resources": rows, "edges": []}
    return timeline_of(graph_of(load_catalog(document)), world).run()


def test_a_host_is_changed() -> None:
    files = Files(b="b")
    timeline = run(Hosted(files.find, HOST), "a", "b")
    assert (files.there, files.refreshed) == ({"a": "a", "b": "b"}, ["b"])
    assert [tuple(line) for line in timeline.log()] == [
        ("warning", "/Service[a]", "about to write"),
        ("info", "/Service[a]/content", "writing"),
        ("notice", "/Service[a]/content", "written"),
        ("info", "/Service[a]", "Scheduling refresh of Service[b]"),
        ("notice", "/Service[b]", "Triggered 'refresh' from 1 event"),
    ]
    assert run(Hosted(files.find, HOST), "a", "b").status == "unchanged"


def test_a_host_is_looked_at() -> None:
    files = Files(b="b")
    first = run(ObservedHost({}, {}, files.find, HOST), "a", "b")
    assert (first.status, files.there, files.refreshed) == ("changed", {"b": "b"}, [])
    second = run(ObservedHost(first.values(), {}, files.find, HOST), "a", "b")
    assert second.status == "unchanged"


def test_what_fails_is_told() -> None:
    files = Files()
    timeline = run(Hosted(files.find, HOST), "a", "b", a="bad")
    assert [line.message for line in timeline.log()[:4]] == [
        "about to write",
        "trying",
        "disk full",
        "change from 'absent' to 'bad' failed: disk full",
    ]
    assert [status.flags for _, status in timeline.resources()][:2] == [
        ["failed", "out_of_sync"],
        ["skipped"],
    ]


def test_a_provider_that_works_later() -> None:
    files = Files()
    files.needs["a"] = "c"
    rows = {"a": "a", "c": "c"}
    timeline = run_apart(files, rows)
    assert files.there == rows
    assert [str(ref) for ref in timeline.order][:2] == ["Service[a]", "Service[c]"]
    files = Files()
    files.needs["a"] = "nothing"
    timeline = run_apart(files, rows)
    assert timeline.status == "failed"
    assert timeline.log()[-1].message == "Could not find a suitable provider for service"


def run_apart(files: Files, rows: dict[str, str]) -> Timeline:
    """A run of services that do not know each other."""
    resources = [
        {"type": "Service", "title": title, "parameters": {"content": content}}
        for title, content in rows.items()
    ]
    document = {"name": "n", "resources": resources, "edges": []}
    find: Find = files.find
    return timeline_of(graph_of(load_catalog(document)), Hosted(find, HOST)).run()


def test_a_type_without_provider_fails() -> None:
    document = {"name": "n", "resources": [{"type": "Corp", "title": "x"}], "edges": []}
    world = Hosted(Files().find, HOST)
    timeline = timeline_of(graph_of(load_catalog(document)), world).run()
    assert timeline.log()[-1].message == "Could not find a suitable provider for corp"
