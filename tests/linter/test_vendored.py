"""Modules that the repository does not own are compiled, but not reported on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analyzer.linter.choice import Choice
from analyzer.session.lint.check import check_inputs
from analyzer.session.lint.request import Request
from analyzer.session.lint.results import fix

# What is found at once, where it is reported on.
LEFT = "class {name} {{\n  package {{ 'a': }}\n  Service['b'] <- Package['a']\n}}\n"


def write(folder: Path, files: dict[str, str]) -> None:
    """Write the files of a repository."""
    for name, text in files.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")


def found_in(folder: Path, *paths: str, every: bool = False) -> list[str]:
    """Return the files that findings are in, relative to the repository."""
    named = tuple(str(folder / path) for path in paths or (".",))
    request = Request(named, Choice(("CG101",)), include_vendored=every)
    files = {one.finding.span.file for one in check_inputs(request).found if one.finding.span}
    return sorted(str(Path(file).relative_to(folder)) for file in files)


def module(place: str) -> dict[str, str]:
    """Return a module with something to find, by its folder."""
    return {f"{place}/manifests/init.pp": LEFT.format(name=Path(place).name)}


@pytest.mark.parametrize(
    ("place", "files"),
    [
        ("modules/ntp", {"Puppetfile": "mod 'acme/ntp', '1.0.0'\n"}),
        ("modules/ntp", {"Puppetfile": "mod 'ntp', :git => 'https://example.com/ntp'\n"}),
        ("external/ntp", {"Puppetfile": "moduledir 'external'\n"}),
        ("dist/ntp", {"Puppetfile": "mod 'acme/ntp', '1.0.0', install_path: 'dist'\n"}),
        ("vendor/ntp", {}),
        ("vendor-modules/ntp", {}),
        ("spec/fixtures/modules/ntp", {}),
        ("modules/ntp", {"modules/ntp/checksums.json": "{}"}),
        (
            "modules/ntp",
            {
                "modules/ntp/metadata.json": json.dumps(
                    {"name": "acme-ntp", "source": "UNKNOWN", "checksums": {"README": "0"}}
                )
            },
        ),
        (
            "modules/ntp",
            {
                "modules/ntp/metadata.json": json.dumps(
                    {"name": "acme-ntp", "source": "https://example.com/acme/acme-ntp.git"}
                )
            },
        ),
    ],
)
def test_a_vendored_module_is_not_reported_on(
    place: str, files: dict[str, str], tmp_path: Path
) -> None:
    write(tmp_path, {"environment.conf": "", **module(place), **module("site/own"), **files})
    assert found_in(tmp_path) == ["site/own/manifests/init.pp"]
    assert found_in(tmp_path, place) == [f"{place}/manifests/init.pp"]


def test_the_repositorys_own_modules_are(tmp_path: Path) -> None:
    source = {"name": "acme-web", "source": "https://example.com/acme/control-repo"}
    write(
        tmp_path,
        {
            "Puppetfile": "mod 'own', local: true\nmod 'acme/web', '1.0.0', install_path: 'else'\n",
            **module("modules/own"),
            **module("modules/web"),
            "modules/web/metadata.json": json.dumps(source),
        },
    )
    own = ["modules/own/manifests/init.pp", "modules/web/manifests/init.pp"]
    assert found_in(tmp_path) == own
    assert found_in(tmp_path, "modules") == own


@pytest.mark.parametrize("owner", ["acme", "other"])
def test_a_copy_of_a_declared_module_in_another_folder_is_not(owner: str, tmp_path: Path) -> None:
    """The file of modules fetches that of its owner; a fork is the repository's own."""
    source = {"name": f"{owner}-ntp", "source": f"https://example.com/{owner}/puppet-ntp"}
    write(tmp_path, {"Puppetfile": "mod 'acme/ntp', '1.0.0'\n", **module("site/ntp")})
    write(tmp_path, {"site/ntp/metadata.json": json.dumps(source)})
    assert found_in(tmp_path) == ([] if owner == "acme" else ["site/ntp/manifests/init.pp"])


def test_all_are_if_they_are_wanted(tmp_path: Path) -> None:
    write(tmp_path, {"Puppetfile": "mod 'acme/ntp', '1'\n", **module("modules/ntp")})
    write(tmp_path, module("modules/own"))
    assert len(found_in(tmp_path)) == 1
    assert len(found_in(tmp_path, every=True)) == 2


def test_the_summary_counts_them(tmp_path: Path) -> None:
    write(tmp_path, {"Puppetfile": "mod 'acme/ntp', '1'\n", **module("modules/ntp")})
    write(tmp_path, {"manifests/site.pp": "include ntp\n"})
    lint = check_inputs(Request((str(tmp_path),)))
    assert "1 vendored module not reported on (--include-vendored)" in fix(lint).results.summary
    assert lint.compiled.catalogs


@pytest.mark.parametrize(
    ("place", "puppetfile", "own"),
    [("site/role", True, True), ("site/role", False, False), ("modules/role", True, False)],
)
def test_what_is_beside_the_folder_of_a_puppetfile_is_the_repositorys_own(
    place: str, puppetfile: bool, own: bool, tmp_path: Path
) -> None:
    """A module of the site may have metadata of the repository that it once had."""
    source = {"name": "acme-role", "source": "https://example.com/acme/acme-role.git"}
    files = {"environment.conf": "modulepath = site:modules\n", **module(place)}
    files[f"{place}/metadata.json"] = json.dumps(source)
    if puppetfile:
        files["Puppetfile"] = "mod 'acme/ntp', '1.0.0'\n"
    write(tmp_path, files)
    assert found_in(tmp_path) == [f"{place}/manifests/init.pp"] * own
