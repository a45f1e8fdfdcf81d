"""Many compiles of one site need no more memory than a few: nothing of a compile stays."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest

from analyzer import limits
from analyzer.compiles.compile import CompileRun
from analyzer.compiles.plan import plan_of
from analyzer.frontends.puppet.compiler.declared.compilation import Compilation
from analyzer.frontends.puppet.node.environment import Settings

# The second error is raised again for each node that asks for the class.
SITE = {
    "environment.conf": "",
    "manifests/site.pp": "".join(f"node 'n{n}' {{ include broken, x }}\n" for n in range(30)),
    "modules/broken/manifests/init.pp": "class broken { file { }\n",
    "modules/x/manifests/init.pp": "class x { notify { 'x': } }\n",
}


@pytest.fixture(name="site")
def _site(tmp_path: Path) -> Iterator[str]:
    """Give the folder of the site, with the garbage collector off as in commands."""
    for name, text in SITE.items():
        place = tmp_path / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    gc.collect()
    gc.disable()
    yield str(tmp_path)
    gc.enable()


def alive() -> int:
    """Return the number of compiles that something holds."""
    return sum(isinstance(one, Compilation) for one in gc.get_objects())


def test_an_error_that_is_raised_again_holds_no_compile(site: str) -> None:
    plan = plan_of(site, Settings())
    errors = [result.error for result in CompileRun(plan).results()]
    assert len(errors) == 30
    assert all(errors)
    gc.collect()
    assert alive() <= 1


def test_compiles_are_collected_though_the_collector_is_off(
    site: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = plan_of(site, Settings())
    monkeypatch.setattr(limits, "MANY_OBJECTS", 1_000)
    counts = [alive() for _ in CompileRun(plan).results()]
    assert len(counts) == 30
    assert max(counts) < 20
