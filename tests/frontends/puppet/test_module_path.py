"""`get_module_path` gives an absolute path, which `loadyaml` needs."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.compiles.outcomes import compile_path
from analyzer.diagnostics import CompileError
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


# What Puppet 7.23 says of this file in a module path of any name, in its order.
STRAY = 'class mod1 { }\nclass zz { }\n$q = 1\nnotify { "x": }\n'
REFUSED = [
    (3, "This '=' expression is unacceptable as a top level construct in this location"),
    (4, "This Resource Statement is unacceptable as a top level construct in this location"),
    (2, "Unacceptable location. The name 'zz' is unacceptable in file '{file}'"),
]


@pytest.mark.parametrize("folder", ["modules", "dist", "site-modules/own"])
def test_a_file_of_a_module_defines_what_it_is_looked_for(tmp_path: Path, folder: str) -> None:
    init = tmp_path / folder / "mod1" / "manifests" / "init.pp"
    init.parent.mkdir(parents=True)
    init.write_text(STRAY)
    site = tmp_path / "site.pp"
    site.write_text("include mod1\n")
    settings = Settings(modulepath=(str(tmp_path / folder),))
    with pytest.raises(CompileError) as raised:
        compile_path(str(site), settings).all()
    found = [raised.value, *raised.value.others]
    assert [(one.span.line, one.message) for one in found] == [
        (line, text.format(file=init)) for line, text in REFUSED
    ]
