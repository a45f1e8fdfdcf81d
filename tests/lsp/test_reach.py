"""Which classes are compiled for a file: its own, and those above that no other one uses."""

from pathlib import Path

import pytest

from analyzer.lsp.checks.reach import job_for
from tests.lsp.marked import snapshot_of

# The bodies of classes of a module, the class of the file, and what is compiled for it.
SHAPES = {
    "a diamond has one top": (
        {"c": "", "left": "include m::c", "right": "include m::c",
         "top": "include m::left include m::right"},
        ("m::c", "m::top"),
    ),
    "a circle has none: it is compiled with the class": (
        {"c": "include m::a", "a": "include m::b", "b": "include m::c"},
        ("m::c",),
    ),
    "a circle above the class": (
        {"c": "", "a": "include m::b include m::c", "b": "include m::a"},
        ("m::c", "m::b"),
    ),
    "a class that includes itself": ({"c": "", "a": "include m::a include m::c"}, ("m::c", "m::a")),
}  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
def test_what_is_compiled(shape: str, tmp_path: Path) -> None:
    bodies, classes = SHAPES[shape]
    files = {
        f"modules/m/manifests/{name}.pp": f"class m::{name} {{ {body} }}\n"
        for name, body in bodies.items()
    }
    root = tmp_path.resolve()
    job = job_for(snapshot_of(files, root), str(root / "modules/m/manifests/c.pp"))
    assert job is not None
    assert [name for _, names in job.classes for name in names] == [*classes]
