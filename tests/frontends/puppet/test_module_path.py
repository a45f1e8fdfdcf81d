"""`get_module_path` gives an absolute path, which `loadyaml` needs."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.frontends.puppet.compile import compile_path
from analyzer.frontends.puppet.node.environment import Settings


def test_data_beside_a_module_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for folder in ("manifests", "modules/n/manifests", "modules/n/data"):
        Path(folder).mkdir(parents=True)
    Path("modules/n/data/d.yaml").write_text("title: from data\n")
    Path("modules/n/manifests/init.pp").write_text(
        "class n { $d = loadyaml(\"${get_module_path('n')}/data/d.yaml\") notify { $d['title']: } }"
    )
    Path("manifests/site.pp").write_text("include n")
    (catalog,) = compile_path(".", Settings(facts=("@debian-12",))).all()
    assert "Notify[from data]" in {str(one.ref) for one in catalog.resources}
