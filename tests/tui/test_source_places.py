"""Which line is about which resource, and where a manifest is found."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer import compile as compile_manifest
from analyzer.frontends.source_texts import NoSource, SourceText, Texts, find_source
from analyzer.graph.relationship_graph import RelationshipGraph, relate
from analyzer.session.inputs import load_catalog
from tui.present.missing_manifest import missing_lines
from tui.present.pieces import plain
from tui.present.snippet import Snippets
from tui.present.source_index import SourceIndex, bodies_of
from tui.present.source_page import Page
from tui.present.syntax import Coloured

SITE = """\
# A comment.
package { 'web': ensure => installed }
file {
  '/etc/web':
    ensure => directory;
  '/etc/web/web.conf':
    content => "a = ${facts['x']}",
    require => Package['web'];
}
['one', 'two'].each |$name| {
  notify { "is ${name}":
    message => @("END")
      line of ${name}
      | END
  }
}
File['/etc/web/web.conf'] ~> service { 'web':
  ensure => running,
}
"""


@pytest.fixture
def site(tmp_path: Path) -> tuple[Path, RelationshipGraph]:
    manifest = tmp_path / "site.pp"
    manifest.write_text(SITE)
    return manifest, relate(compile_manifest(manifest))


def page_of(manifest: Path, graph: RelationshipGraph) -> Page:
    coloured = Snippets(Texts(str(manifest))).of(str(manifest))
    assert isinstance(coloured, Coloured)
    index = SourceIndex(graph)
    return Page(str(manifest), coloured, index, bodies_of(str(manifest), SITE))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (1, []),
        (2, ["Package[web]"]),
        (5, ["File[/etc/web]"]),
        (7, ["File[/etc/web/web.conf]"]),
        (8, ["File[/etc/web/web.conf]"]),
        (12, ["Notify[is one]", "Notify[is two]"]),
        (16, []),
        (18, ["Service[web]"]),
    ],
)
def test_a_line_is_about_what_its_statement_declares(
    site: tuple[Path, RelationshipGraph], line: int, expected: list[str]
) -> None:
    page = page_of(*site)
    assert [str(site[1].provenance.refs[v]) for v in page.resources(line - 1)] == expected


def test_the_place_of_a_resource_leads_back_to_it(site: tuple[Path, RelationshipGraph]) -> None:
    page, graph = page_of(*site), site[1]
    for vertex, resource in enumerate(graph.resources):
        place = page.places.place(vertex)
        if resource.line:
            assert place == (resource.file, resource.line)
            assert vertex in page.resources(resource.line - 1)


def test_lines_that_relate_are_marked(site: tuple[Path, RelationshipGraph]) -> None:
    page = page_of(*site)
    signs = {n + 1: plain(page.gutter(n))[2] for n in range(len(page))}
    assert {n: sign for n, sign in signs.items() if sign != " "} == {8: "←", 17: "⇒"}


def test_colours_keep_the_text_as_it_is(site: tuple[Path, RelationshipGraph]) -> None:
    coloured = Coloured(SITE, "site.pp")
    shown = "\n".join(plain(coloured.line(n + 1)) for n in range(len(coloured.lines)))
    assert shown + "\n" == SITE
    styles = {text.strip(): style for n in (1, 2, 13) for text, style in coloured.line(n)}
    assert styles["# A comment."] == "dim"
    assert styles["'web'"] == "string"
    assert styles["line of ${"] == "string"
    assert styles["name"] == "accent"


@pytest.mark.parametrize(
    "text",
    [
        "file { 'a': content => \"open\n",
        "$x = @(END)\nnever ends\n",
        "",
        "\t'\x1b[31m'\r\n",
        "é: 雪",
    ],
)
def test_damaged_manifests_are_shown_all_the_same(text: str) -> None:
    coloured = Coloured(text, "a.pp")
    lines = [plain(coloured.line(n + 1)) for n in range(len(coloured.lines))]
    assert len(lines) == max(1, text.count("\n"))
    assert all(line.isprintable() for line in lines)


def test_policies_are_coloured_by_their_own_lexer() -> None:
    coloured = Coloured('bundle agent main\n{\n  any::\n    "x" -> "y"; # note\n}\n', "a.cf")
    assert ("bundle", "strong") in coloured.line(1)
    assert ("any::", "key") in coloured.line(3)
    assert ('"x"', "string") in coloured.line(4)
    assert ("# note", "dim") in coloured.line(4)


def test_a_manifest_is_found_beside_the_catalog(tmp_path: Path) -> None:
    named = "/etc/puppetlabs/code/environments/production/modules/ntp/manifests/init.pp"
    there = tmp_path / "repo" / "modules" / "ntp" / "manifests" / "init.pp"
    there.parent.mkdir(parents=True)
    there.write_text("class ntp {}\n")
    (tmp_path / "repo" / "catalogs").mkdir()
    found = find_source(named, str(tmp_path / "repo" / "catalogs" / "node.json"))
    assert isinstance(found, SourceText)
    assert (found.path, found.text) == (str(there), "class ntp {}\n")
    assert found.elsewhere


def test_the_name_of_a_file_alone_is_not_enough(tmp_path: Path) -> None:
    (tmp_path / "init.pp").write_text("class other {}\n")
    found = find_source("/code/modules/ntp/manifests/init.pp", str(tmp_path / "node.json"))
    assert isinstance(found, NoSource)
    told = missing_lines(found)
    assert told[0] == "/code/modules/ntp/manifests/init.pp: the manifest is not on this host."
    assert f"  {tmp_path}/manifests/init.pp" in told


def test_a_file_that_is_no_text_says_so(tmp_path: Path) -> None:
    (tmp_path / "a.pp").write_bytes(b"\xff\xfe")
    found = find_source(str(tmp_path / "a.pp"), str(tmp_path))
    assert isinstance(found, NoSource)
    assert found.why == "the file is not UTF-8"


def test_a_container_is_shown_where_its_contents_are() -> None:
    path = Path(__file__).parents[2] / "sample_catalogs" / "healthy_web_stack" / "catalog.json"
    graph = relate(load_catalog(path))
    index = SourceIndex(graph)
    found = graph.id_of("Class[Shop::Accounts]")
    assert found is not None
    assert index.place(found) == ("modules/shop/manifests/accounts.pp", 3)
