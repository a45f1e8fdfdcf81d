"""Data that nobody sees are unknown; data that were all seen and have no value are an error."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.compiles.outcomes import Outcome, compile_path
from analyzer.diagnostics import CompileError
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.model.catalog import Catalog

from .cases import write

LOOKED_UP = "notify { lookup('key'): }"
NEEDED = "class own($needed) { notify { $needed: } }\ninclude own"
LEVEL = """\
version: 5
hierarchy:
  - name: common
    path: common.yaml
    datadir: %s
"""


def outcome(folder: Path, files: dict[str, str], *, strict: bool = False) -> Outcome:
    write(folder, files)
    return compile_path(str(folder), Settings(fact_values={}, strict=strict))


def catalog(folder: Path, files: dict[str, str]) -> Catalog:
    return outcome(folder, files).all()[0]


def titles(made: Catalog) -> list[str]:
    return [one.title for one in made.resources if one.type == "Notify"]


@pytest.mark.parametrize("code", [LOOKED_UP, "notify { hiera('key'): }", NEEDED])
def test_without_a_configuration_data_are_unknown(tmp_path: Path, code: str) -> None:
    (gap,) = catalog(tmp_path, {"manifests/site.pp": code}).gaps
    assert gap.name == "title"
    assert "the environment has no hiera.yaml" in gap.reason
    assert gap.hint == "--hiera-config FILE"
    assert gap.hides
    with pytest.raises(CompileError):
        outcome(tmp_path, {}, strict=True).all()


@pytest.mark.parametrize("code", [LOOKED_UP, NEEDED])
def test_what_was_seen_whole_and_has_no_value_is_an_error(tmp_path: Path, code: str) -> None:
    files = {"manifests/site.pp": code, "hiera.yaml": LEVEL % "data", "data/other.yaml": "a: 1\n"}
    with pytest.raises(CompileError):
        catalog(tmp_path, files)


def test_a_deployed_datadir_is_that_of_the_checkout(tmp_path: Path) -> None:
    files = {"manifests/site.pp": LOOKED_UP, "hieradata/common.yaml": "key: found\n"}
    for place in ("%{environment}", "production"):
        config = LEVEL % f"/etc/puppetlabs/code/environments/{place}/hieradata"
        assert titles(catalog(tmp_path, {**files, "hiera.yaml": config})) == ["found"]
    config = LEVEL % "/etc/puppetlabs/code/environments/other/hieradata"
    made = catalog(tmp_path, {**files, "hiera.yaml": config})
    assert titles(made) == []
    assert made.gaps


def test_a_default_that_a_data_file_mentions_is_unknown(tmp_path: Path) -> None:
    code = "class own($one = 'a', $two = 'b') { notify { [$one, $two]: } }\ninclude own"
    files = {"manifests/site.pp": code, "data/nodes/x.yaml": "own::one: c\n"}
    assert titles(catalog(tmp_path, files)) == ["b"]


def test_a_default_that_does_not_fit_stands_for_data(tmp_path: Path) -> None:
    code = "class own(String $one = undef) { notify { $one: } }\ninclude own"
    assert titles(catalog(tmp_path, {"manifests/site.pp": code})) == []


def test_an_error_in_a_class_leaves_the_rest(tmp_path: Path) -> None:
    code = """\
class bad { notify { 'before': } fail('no') notify { 'after': } }
class good { notify { 'good': require => File['/of/bad'] } }
include bad, good
Notify['before'] -> Notify['good']
"""
    found = outcome(tmp_path, {"manifests/site.pp": code})
    (made,) = found.catalogs
    assert titles(made) == ["before", "good"]
    assert found.error is not None
    assert found.error.message == "no"
    assert found.error.others == ()
    assert any(gap.kind == "error" and gap.hides for gap in made.gaps)
    with pytest.raises(CompileError):
        found.all()
    assert outcome(tmp_path, {}, strict=True).catalogs == []


def test_an_error_of_the_site_leaves_nothing(tmp_path: Path) -> None:
    assert outcome(tmp_path, {"manifests/site.pp": "include nothing"}).catalogs == []
