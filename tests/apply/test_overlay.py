"""An overlay is a host: the same is done to a folder and to an overlay over another one."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from analyzer.apply.host import Host
from analyzer.apply.overlay import FileOverlay
from analyzer.apply.providers.machine.local import LocalHost
from tests.apply.real.test_same_as_simulated import things

PATHS = ("/a", "/b", "/d", "/d/x", "/d/y", "/d/e", "/d/e/f", "/l", "/l/x", "/up", "/up/a", "/new")
TARGETS = ("a", "/d", "none", "../d", "d/e", "/l", "../../../a", "..", ".", "new", "/")


def set_up(root: Path) -> None:
    (root / "d/e").mkdir(parents=True)
    for name in ("a", "d/x", "d/e/f"):
        (root / name).write_text(name)
    (root / "l").symlink_to("d")
    (root / "up").symlink_to("../..")


def step(random: Random) -> Callable[[Host], Any]:
    """Return something to do to a host."""
    path, mode = random.choice(PATHS), random.choice((None, 0o600, 0o755))
    data, target = random.choice((b"", b"x", b"yy")), random.choice(TARGETS)
    recursive = random.random() < 0.5
    return random.choice(
        (
            lambda host: host.write(path, data, mode),
            lambda host: host.make_folder(path, mode),
            lambda host: host.make_link(path, target),
            lambda host: host.remove(path, recursive=recursive),
            lambda host: host.set_mode(path, mode or 0o640),
            lambda host: host.set_owner(path, -1, -1),
            lambda host: host.read(path),
            lambda host: host.names(path),
            lambda host: host.link_target(path),
            lambda host: (host.stat(path) or _NOTHING).kind,
        )
    )


class _Nothing:
    kind = "nothing"


_NOTHING = _Nothing()


def done(act: Callable[[Host], Any], host: Host) -> object:
    """What comes of something, or that it is refused."""
    try:
        return act(host)
    except OSError:
        return "refused"


@pytest.mark.parametrize("seed", range(60))
def test_as_a_folder(seed: int, tmp_path: Path) -> None:
    random = Random(seed)
    for name in ("real", "below"):
        (tmp_path / name).mkdir()
        set_up(tmp_path / name)
    real = LocalHost(str(tmp_path / "real"))
    below = LocalHost(str(tmp_path / "below"))
    before = dict(things(below, "/"))
    overlay = FileOverlay(below)
    for _ in range(random.randint(1, 25)):
        act = step(random)
        assert done(act, overlay) == done(act, real)
        assert dict(things(overlay, "/")) == dict(things(real, "/"))
    assert dict(things(below, "/")) == before


LINKS = {
    "relative": "../a",
    "relative, beyond the top": "../../../a",
    "relative, to a folder": "../d/./e/..",
    "absolute": "/a",
    "absolute, beyond the top": "/../a",
    "to itself": "link",
    "dangling": "../none",
    "dangling, absolute": "/none/none",
    "to the top": "..",
    "to where it is": ".",
}


@pytest.mark.parametrize("kind", LINKS)
@pytest.mark.parametrize("there", [True, False], ids=["there", "made"])
def test_links(kind: str, there: bool, tmp_path: Path) -> None:
    """A path goes over a link, up and down, to where the folder's own links lead."""
    hosts: list[Host] = []
    for name in ("real", "below"):
        root = tmp_path / name
        root.mkdir()
        set_up(root)
        if there:
            (root / "d/link").symlink_to(LINKS[kind])
        hosts.append(LocalHost(str(root)))
    real, overlay = hosts[0], FileOverlay(hosts[1])
    for host in (real, overlay):
        if not there:
            host.make_link("/d/link", LINKS[kind])
    for path in ("/d/link", "/d/link/x", "/d/link/e/f", "/d/link/..", "/d/link/../a", "/d/../a"):
        for act in (
            lambda host, path=path: (host.stat(path) or _NOTHING).kind,
            lambda host, path=path: host.names(path),
            lambda host, path=path: host.read(path),
            lambda host, path=path: host.write(path, b"new"),
        ):
            assert done(act, overlay) == done(act, real), path
    assert dict(things(overlay, "/")) == dict(things(real, "/"))


def test_users_that_would_be_made() -> None:
    overlay = FileOverlay(LocalHost("/"))
    overlay.users["nobody-yet"] = 4711
    assert overlay.user_id("nobody-yet") == 4711
    assert overlay.user_id("0") == 0
    assert overlay.group_id("nobody-yet") is None
    assert overlay.run(["true"]).code == 0
    assert os.path.basename(overlay.which("sh") or "") == "sh"
