"""`catgraph diff` names cycles: new, former, and those of both inputs, which are no difference."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run, run

__all__ = ["run"]

RING = """notify { 'a': require => Notify['b'] }
notify { 'b': require => Notify['a'] }
"""
CHAIN = RING.replace(": require => Notify['a']", ":")
CYCLE = "  (Notify[a] => Notify[b] => Notify[a])  {}:1:15"


@pytest.mark.parametrize(
    ("old", "new", "code", "head"),
    [
        (CHAIN, RING, 1, "new"),
        (RING, CHAIN, 1, "former"),
        (RING, RING, 0, "in both"),
        (RING, f"{RING}notify {{ 'c': }}", 1, "in both"),
    ],
    ids=["new", "former", "both", "both, and another difference"],
)
def test_a_cycle_is_named(
    run: Run, tmp_path: Path, old: str, new: str, code: int, head: str
) -> None:
    """Of a manifest, of a folder with only classes, and in every format."""
    first, second = tmp_path / "a.pp", tmp_path / "b.pp"
    first.write_text(old)
    second.write_text(new)
    done = run("diff", first, second)
    place = first if head == "former" else second
    assert f"{head}: 1 dependency cycle\n{CYCLE.format(place)}\n" in f"{done.out}\n"
    assert done.code == code
    assert ("no difference" in done.out) == (code == 0)
    assert "(Notify[a] => Notify[b] => Notify[a])" in run("diff", first, second, "--format",
                                                          "markdown").out  # fmt: skip
    (found,) = json.loads(run("diff", first, second, "--format", "json").out)
    sides = {"new": found["gained"], "former": found["lost"], "in both": found}
    for name, side in sides.items():
        assert len(side["cycles"]) == (name == head)

    for name, text in (("x", old), ("y", new)):
        path = tmp_path / name / "m" / "manifests" / "init.pp"
        path.parent.mkdir(parents=True)
        path.write_text(f"class m {{\n{text}\n}}\n")
    done = run("diff", tmp_path / "x" / "m", tmp_path / "y" / "m")
    assert done.code == code
    assert f"{head}: 1 dependency cycle\n" in done.out


def test_a_cycle_of_a_node_that_only_one_input_has(run: Run, tmp_path: Path) -> None:
    first, second = tmp_path / "a.pp", tmp_path / "b.pp"
    first.write_text("node 'one' { }\n")
    second.write_text(f"node 'one' {{ }}\nnode 'two' {{\n{RING}\n}}\n")
    done = run("diff", first, second)
    assert (done.code, "new: 1 dependency cycle\n" in done.out) == (1, True)
    done = run("diff", second, first)
    assert (done.code, "former: 1 dependency cycle\n" in done.out) == (1, True)


def test_a_cycle_of_a_policy_is_named_in_its_words(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "p.cf"
    path.write_text(
        'bundle agent main { reports: "a" handle => "a", depends_on => { "b" };\n'
        '"b" handle => "b", depends_on => { "a" }; }\n'
    )
    done = run("diff", path, path)
    assert (done.code, "in both: 1 depends_on cycle\n" in done.out) == (0, True)
