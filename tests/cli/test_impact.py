"""`catgraph impact`: a resource that depends on itself."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run

WORDS = "is in a dependency cycle: Puppet applies nothing of this catalog; see 'catgraph cycles'"


@pytest.mark.parametrize(
    ("manifest", "ref", "cyclic"),
    [
        ("notify { 'a': require => Notify['a'] }", "Notify[a]", True),
        ("notify { 'a': before => Notify['b'] } notify { 'b': }", "Notify[a]", False),
        # What depends on a cycle is not in it.
        ("notify { 'a': require => Notify['a'], before => Notify['b'] } notify { 'b': }",
         "Notify[b]", False),
        ("class k { notify { 'a': } } include k Class['k'] -> Notify['b'] -> Class['k'] "
         "notify { 'b': }", "Class[k]", True),
    ],
)  # fmt: skip
def test_a_cycle_is_named(run: Run, tmp_path: Path, manifest: str, ref: str, cyclic: bool) -> None:
    path = tmp_path / "site.pp"
    path.write_text(manifest)
    done = run("impact", path, ref)
    assert (done.code, WORDS in done.out) == (int(cyclic), cyclic)
    document = json.loads(run("impact", path, ref, "--format", "json").out)
    assert document["cycle"] is cyclic
