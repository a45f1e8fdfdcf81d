"""Data that nobody sees are unknown; data that were all seen and have no value are an error."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.compiles.outcomes import PathOutcome, compile_path
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


def outcome(folder: Path, files: dict[str, str], *, strict: bool = False) -> PathOutcome:
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


def test_an_error_of_the_site_leaves_the_rest(tmp_path: Path) -> None:
    site = "include nothing\nnotify { 'x': }\n"
    (made,) = outcome(tmp_path, {"manifests/site.pp": site}).catalogs
    assert {"Class[Nothing]", "Notify[x]"} <= {str(one.ref) for one in made.resources}
    assert [gap.kind for gap in made.gaps] == ["error"]


@pytest.mark.parametrize(
    "place", ["/etc/puppet/code/hieradata", "/etc/puppet/hieradata", "/var/lib/puppet/hieradata"]
)
def test_a_datadir_of_a_server_is_that_of_the_checkout(tmp_path: Path, place: str) -> None:
    files = {"manifests/site.pp": LOOKED_UP, "hieradata/common.yaml": "key: found\n"}
    assert titles(catalog(tmp_path, {**files, "hiera.yaml": LEVEL % place})) == ["found"]


@pytest.mark.parametrize(
    "config",
    [
        "modulepath = /etc/puppetlabs/code/environments/production/site:$basemodulepath",
        "modulepath = $codedir/environments/production/site",
        "modulepath = $codedir/site\nmanifest = $codedir/environments/production/manifests",
        "modulepath = site\nmanifest = /etc/puppet/manifests/site.pp",
    ],
)
def test_paths_of_a_server_are_those_of_the_checkout(tmp_path: Path, config: str) -> None:
    files = {
        "environment.conf": config,
        "manifests/site.pp": "include own",
        "site/own/manifests/init.pp": "class own { notify { 'found': } }",
    }
    assert titles(catalog(tmp_path, files)) == ["found"]


SECRET = """\
version: 5
hierarchy:
  - name: role
    path: "roles/%{trusted.extensions.pp_role}.yaml"
  - name: vault
    lookup_key: hiera_vault
  - name: common
    path: common.yaml
"""


def test_a_level_that_nobody_sees_hides_nothing_that_others_have(tmp_path: Path) -> None:
    code = (
        "class own($one, $two = 'default', Array $three = undef, $four) {\n"
        "  notify { [$one, $two]: }\n"
        "  if $three { notify { 'x': } }\n  if $four { notify { 'y': } }\n}\n"
        "lookup('classes', Array, 'unique').include\n"
    )
    files = {
        "manifests/site.pp": code,
        "hiera.yaml": SECRET,
        "data/common.yaml": "classes: [own]\nown::one: common\n",
        "data/roles/web.yaml": "classes: [web]\n",
    }
    made = catalog(tmp_path, files)
    assert titles(made) == ["common", "default"]
    assumed = [gap for gap in made.gaps if gap.kind == "assumption"]
    assert [gap.name for gap in assumed] == ["Hiera's level 'role'", "Hiera's level 'vault'"]
    assert all(
        gap.hides and gap.reason.startswith("was assumed to have no value") for gap in assumed
    )
    # What only such a level may have is unknown.
    assert [gap.name for gap in made.gaps if gap.kind == "undecided"] == ["condition"] * 2


def test_a_level_whose_files_have_no_such_key_hides_nothing(tmp_path: Path) -> None:
    files = {
        "manifests/site.pp": "notify { lookup('key'): }",
        "hiera.yaml": SECRET.replace("lookup_key: hiera_vault", "path: other.yaml"),
        "data/common.yaml": "key: found\n",
        "data/roles/web.yaml": "other: 1\n",
    }
    made = catalog(tmp_path, files)
    assert titles(made) == ["found"]
    assert made.gaps == []


def test_the_levels_of_one_folder_are_one_gap(tmp_path: Path) -> None:
    levels = "".join(
        f"  - {{ name: {name}, datadir: {datadir}, path: {path} }}\n"
        for name, datadir, path in (
            ("a", "/etc/secret", "one.yaml"),
            ("b", "/etc/secret/below", "two.yaml"),
            ("c", "/etc/other", "three.yaml"),
            ("d", "/etc/secret", "four.yaml"),
        )
    )
    code = "notify { lookup('key', default_value => 'x'): }"
    files = {"manifests/site.pp": code, "hiera.yaml": f"version: 5\nhierarchy:\n{levels}"}
    unread = [gap for gap in catalog(tmp_path, files).gaps if gap.kind == "file"]
    assert [(gap.name, gap.reason.partition(": ")[0]) for gap in unread] == [
        ("Hiera's levels 'a', 'b' and 'd'", "/etc/secret"),
        ("Hiera's level 'c'", "/etc/other/three.yaml"),
    ]
