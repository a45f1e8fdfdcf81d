"""What resources bring: users that are purged, what cannot be listed, fragments that do not fit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import analyzer
from analyzer.apply.engine.generate import with_announced
from analyzer.apply.engine.skipping import RunSettings
from analyzer.apply.engine.world import Hosted
from analyzer.apply.providers.machine.local import LocalHost
from analyzer.apply.providers.table import Providers
from analyzer.apply.timeline import Timeline, timeline_of
from analyzer.model.catalog import Catalog
from analyzer.model.resource import Resource
from analyzer.model.values import Unknown

from .case import SKELETON

FIND = Providers().find


@pytest.fixture
def host(tmp_path: Path) -> LocalHost:
    for path, text in SKELETON.items():
        place = tmp_path / path.lstrip("/")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    return LocalHost(str(tmp_path))


def catalog(*resources: Resource) -> Catalog:
    return Catalog(list(resources), [])


def brought(host: LocalHost, *resources: Resource) -> list[str]:
    return [str(one) for one in with_announced(catalog(*resources), FIND, host).resources]


def run(host: LocalHost, *resources: Resource) -> Timeline:
    failed: list[tuple[str, str]] = []
    whole = with_announced(
        catalog(*resources), FIND, host, lambda ref, why: failed.append((ref, why))
    )
    settings = RunSettings(unannounced=tuple(failed))
    return timeline_of(analyzer.relate(whole), Hosted(FIND, host), settings).run()


@pytest.mark.parametrize(
    ("parameters", "gone"),
    [
        ({}, {"ann", "nobody"} - {"nobody"}),
        ({"unless_system_user": "8"}, {"ann"}),
        ({"unless_system_user": 7}, {"ann", "mail"}),
        ({"unless_system_user": 7, "unless_uid": [8, "1000"]}, set()),
        ({"unless_system_user": False}, {"root", "daemon", "mail", "ann", "nobody"}),
        ({"purge": False}, set()),
    ],
)
def test_users(parameters: dict[str, Any], gone: set[str], host: LocalHost) -> None:
    purge = Resource("Resources", "user", {"purge": True, **parameters})
    found = brought(host, purge)
    assert found[1:] == [f"User[{name}]" for name in ("root", "daemon", "mail", "ann", "nobody")
                         if name in gone]  # fmt: skip


def test_metaparameters_are_handed_on(host: LocalHost) -> None:
    purge = Resource("Resources", "group", {"purge": True, "noop": True, "alias": "x"}, tags=["t"])
    one = with_announced(catalog(purge), FIND, host).resources[1]
    assert one.parameters == {"ensure": "absent", "noop": True}
    assert one.tags == ["t"]


def test_what_cannot_be_listed_fails_the_run(host: LocalHost) -> None:
    timeline = run(host, Resource("Resources", "cron", {"purge": True}))
    assert timeline.status == "failed"
    assert timeline.log()[0].message == (
        "Failed to generate additional resources using 'generate': Parameter purge failed on "
        "Resources[cron]: resources of type cron are not listed here, only host, mount, group, user"
    )


def test_no_file_without_its_fragments(host: LocalHost) -> None:
    target = Resource("Concat_file", "/etc/all", {"tag": "t"})
    unknown = {"tag": "t", "content": Unknown("no facts are given")}
    timeline = run(host, target, Resource("Concat_fragment", "one", unknown))
    assert timeline.status == "failed"
    assert [line.message for line in timeline.log() if line.level == "err"] == [
        "Failed to generate additional resources using 'eval_generate': Parameter content of "
        "Concat_fragment[one] is unknown: no facts are given",
        "Could not evaluate: Parameter content of File[/etc/all] is unknown: its fragments "
        "could not be put together",
        "Could not evaluate: Parameter content of Concat_fragment[one] is unknown: no facts "
        "are given",
    ]
    assert host.stat("/etc/all") is None
