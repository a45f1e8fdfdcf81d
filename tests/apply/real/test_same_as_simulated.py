"""A run does what its simulation said; a second one does nothing, and a look changes nothing."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import analyzer
from analyzer.apply.engine.generate import with_announced
from analyzer.apply.engine.skipping import RunSettings
from analyzer.apply.engine.world import Hosted, ObservedHost, ResourceWorld, Simulation
from analyzer.apply.host import EMPTY, Host
from analyzer.apply.overlay import FileOverlay
from analyzer.apply.providers.machine.local import LocalHost
from analyzer.apply.providers.table import Providers
from analyzer.apply.timeline import Timeline, timeline_of
from analyzer.model.catalog import Catalog
from tests.apply.providers import scratch
from tests.apply.providers.generate import random_case
from tests.apply.providers.harness import STUBS, compiled

from .catalogs import random_code

pytestmark = pytest.mark.skipif(
    os.geteuid() != 0 or scratch.CHROOT is None, reason="commands below a root need root"
)
FIND = Providers().find
SEEN = ["/etc", "/srv", "/home", "/var", "/tmp"]
# Crontabs in a folder.
CRONTAB = r"""mkdir -p /var/spool/cron/crontabs
cat > /usr/bin/crontab <<'X'
#!/bin/sh
u=root; [ "$1" = -u ] && { u=$2; shift 2; }
f=/var/spool/cron/crontabs/$u
case "$1" in
-l) [ -e $f ] && cat $f || { echo "no crontab for $u"; exit 1; } ;;
-) cat > $f ;;
-r) rm $f ;;
esac
X
chmod 755 /usr/bin/crontab
"""


def run(catalog: Catalog, world: ResourceWorld, host: Host = EMPTY, **settings: Any) -> Timeline:
    graph = analyzer.relate(with_announced(catalog, FIND, host))
    return timeline_of(graph, world, RunSettings(puppet_version=7, **settings)).run()


def outcome(timeline: Timeline) -> dict[str, Any]:
    """What became of each resource: words, and the names of its events."""
    return {
        str(ref): (status.flags, [(e.property, e.name, e.status, e.message) for e in status.events])
        for ref, status in timeline.resources()
    }


@pytest.mark.parametrize("seed", range(12))
def test_laws(seed: int, tmp_path: Path) -> None:
    root = scratch.make(tmp_path)
    scratch.set_up(root, CRONTAB)
    catalog = compiled(tmp_path, random_code(seed), STUBS)
    host = LocalHost(str(root))
    imagined = run(catalog, Simulation(find=FIND))
    foreseen = run(catalog, ObservedHost(find=FIND, host=host), host)
    before = scratch.look(root, SEEN)
    looked = run(catalog, Hosted(FIND, host), host, noop=True, look_only=True)
    assert scratch.look(root, SEEN) == before
    made = run(catalog, Hosted(FIND, host), host)
    assert made.status == "changed"
    assert outcome(foreseen) == outcome(made)
    assert outcome(imagined) == outcome(made)
    assert [str(ref) for ref in looked.order] == [str(ref) for ref in made.order]
    after = scratch.look(root, SEEN)
    assert run(catalog, Hosted(FIND, host), host).status == "unchanged"
    assert scratch.look(root, SEEN) == after


@pytest.mark.parametrize("seed", range(12))
def test_what_stands_in_each_others_way_is_foreseen_too(seed: int, tmp_path: Path) -> None:
    case = random_case(seed)
    root = scratch.make(tmp_path)
    scratch.set_up(root, case.setup)
    code = "\n".join(line for line in case.code.splitlines() if not line.startswith("exec"))
    catalog = compiled(tmp_path, code, STUBS)
    host = LocalHost(str(root))
    before = scratch.look(root, SEEN)
    overlay = FileOverlay(host)
    foreseen = run(catalog, ObservedHost(find=FIND, host=overlay), host)
    assert scratch.look(root, SEEN) == before
    expected = dict(things(overlay, "/srv"))
    made = run(catalog, Hosted(FIND, host), host)
    assert outcome(foreseen) == outcome(made)
    assert dict(things(host, "/srv")) == expected


def things(host: Host, path: str) -> Iterator[tuple[str, object]]:
    """What is at and below a path, as a host tells it."""
    found = host.stat(path)
    if found is None:
        return
    what: object = None
    if found.kind == "link":
        what = host.link_target(path)
    elif found.kind == "file":
        what = host.read(path)
    yield path, (found.kind, found.mode, found.uid, found.gid, what)
    if found.kind == "directory":
        for name in host.names(path):
            yield from things(host, f"{path}/{name}")
