"""The statements of a catalog's relationships are found in its source, or are not claimed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from analyzer.frontends.puppet.statement_places import StatementPlaces
from analyzer.graph.relationship_graph import relate
from analyzer.model.catalog import Catalog
from analyzer.session.inputs import load_catalog
from analyzer.session.locating import locate
from analyzer.source import Span
from tests.conftest import ROOT

MANIFEST = """\
file { '/a': before => File['/b'] }
file { ['/b', '/c']:
  require => File['/z'],
}
file { '/z': } -> File['/d']
file { '/d': ; '/e': notify => File['/f']; '/f': }
File['/d'] -> File['/e'] -> File['/f']
File['/g'] <~ File['/f']
file { '/g': tag => 'x' }
$one = '/h'
file { $one: }
File <| tag == 'x' |> -> File[$one]
"""

SAMPLES = sorted((ROOT / "sample_catalogs").glob("*/manifests/site.pp"))


def places(catalog: Catalog) -> dict[tuple[str, str, str], tuple[str, str]]:
    """Return for each entry where the compiler says it is, and where it is found."""
    found, finder = {}, StatementPlaces(catalog)
    for one in catalog.resources:
        for form in {"before", "notify", "require", "subscribe"} & one.parameters.keys():
            value = one.parameters[form]
            for position, other in enumerate(value if isinstance(value, list) else [value]):
                known = (one.written or {}).get(form, {})
                said = known.get(position) or known.get(-1)
                seen = finder.place(one, form, position) or finder.place(one, form, -1)
                found[str(one), form, str(other)] = absolute(said), absolute(seen)
    return found


def absolute(span: Span | None) -> str:
    return os.path.abspath(str(span)) if span else ""


def compiled(path: Path) -> Catalog:
    catalog = load_catalog(str(path))
    catalog.path = str(path)
    return catalog


def test_each_way_to_write_a_relationship(tmp_path: Path) -> None:
    (manifest := tmp_path / "site.pp").write_text(MANIFEST)
    found = places(compiled(manifest))
    assert len(found) == 9
    assert {key: pair for key, pair in found.items() if pair[0] != pair[1]} == {}


@pytest.mark.parametrize("manifest", SAMPLES, ids=lambda path: path.parent.parent.name)
def test_no_place_differs_from_the_compilers(manifest: Path) -> None:
    found = places(compiled(manifest))
    assert [pair for pair in found.values() if pair[0] != pair[1] and pair[1]] == []


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("File[$a] -> File[$b]\nFile[$b] -> File[$a]\n", id="two arrows may be meant"),
        pytest.param("File[$a] -> File[$b]\nFile { before => $b }\n", id="a default may be meant"),
        pytest.param("File['/y'] -> File['/x']\n", id="the other way round"),
        pytest.param("File['/x'] ~> File['/y']\n", id="another form"),
        pytest.param("File['/x'] -> File['/y'", id="a broken file"),
    ],
)
def test_what_is_not_certain_has_no_place(tmp_path: Path, text: str) -> None:
    file = tmp_path / "site.pp"
    file.write_text("file { '/x': }\nfile { '/y': }\n" + text)
    assert entry(tmp_path, file) == f"declared at {file}:1"


def test_a_file_outside_of_the_checkout_is_not_read(tmp_path: Path) -> None:
    (outside := tmp_path / "site.pp").write_text("file { '/x': }\nFile['/x'] -> File['/y']\n")
    (inside := tmp_path / "repo").mkdir()
    (inside / ".git").mkdir()
    assert entry(inside, outside) == f"declared at {outside}:1"
    assert entry(tmp_path, outside) == f"{outside}:2:12"


def entry(folder: Path, file: Path) -> str:
    """Return the place of the relationship of a catalog in a folder, about a file."""
    from analyzer.model.resource import Resource

    before: dict[str, object] = {"before": "File[/y]"}
    first = Resource("File", "/x", before, str(file), 1)
    catalog = Catalog([first, Resource("File", "/y", {}, str(file), 2)], [])
    catalog.path = str(folder / "catalog.json")
    graph = relate(catalog)
    locate(graph)
    (made,) = graph.provenance.explicit()
    return made.origin.place
