"""The index: at every prefix, after every edit, and against the trees of whole files."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

from analyzer.diagnostics import Finding
from analyzer.frontends.puppet.syntax.check import check
from analyzer.frontends.puppet.uses import uses_in
from analyzer.lsp.checks.manifests import diagnostics
from analyzer.lsp.features import document_symbols
from analyzer.lsp.features.table import TABLE
from analyzer.lsp.index.workspace_index import Index, built, facts_of, packed_of
from analyzer.lsp.state.document import OpenDocument
from analyzer.lsp.state.paths import uri_of
from analyzer.lsp.state.snapshot import EditorRequest, Snapshot
from analyzer.lsp.state.workspace import Workspace
from tests.lsp.marked import snapshot_of

AT_START = types.Range(types.Position(0, 0), types.Position(0, 0))

# Features that are asked at each prefix.
OWN = [
    "call_hierarchy",
    "code_actions",
    "code_lens",
    "definition",
    "folding",
    "highlights",
    "implementation",
    "links",
    "references",
    "rename",
    "selection",
    "type_hierarchy",
    "workspace_symbols",
]

SAMPLE = """\
# @summary An app
class app (
  Optional[String] $name2 = 'x\\'y',
  Hash[String, Integer] $ports = lookup('app::ports'),
) inherits app::params {
  include apache, 'profile::web'
  contain ['a', 'b::c']
  class { 'nginx::server': port => $ports['a'], mode => "a${name2}b" }
  file { "/etc/${name2}/motd":
    source  => 'puppet:///modules/app/bar',
    content => @("END"/L),
      Hello ${name2}
      | END
    require => [Package['x'], Class['y::z']];
    default: ensure => file;
  }
  if $name2 =~ /it's/ { notify { 'z': } } # don't
  $ports.each |String $k, $v = 3| { app::port { $k: number => $v } }
  App::Port['t'] -> File <| tag == 'x' |>
}
node 'a.b', /x/ { include app }
type App::Name = Variant[Integer, Pattern[/a/]]
function app::f(Integer $a) >> Integer { $a.app::g }
"""

USED = {"resource type": "type", "data type": "type"}


@pytest.mark.parametrize("end", range(0, len(SAMPLE), 7))
def test_every_prefix_has_an_outline_and_diagnostics(end: int, tmp_path: Path) -> None:
    """Half-written code keeps what stands before the place where it ends."""
    snapshot = snapshot_of({"site.pp": SAMPLE[:end]}, tmp_path)
    path = str(tmp_path / "site.pp")
    facts = snapshot.facts(path)
    document_symbols.answer(snapshot, EditorRequest(path, SAMPLE[:end], facts, 0, end, None))
    diagnostics(snapshot, path)
    whole = facts_of("site.pp", SAMPLE)
    done = SAMPLE.rfind("\n", 0, end)
    missing = {(s.kind, s.name) for s in whole.symbols if s.end < done}
    assert missing - {(s.kind, s.name) for s in facts.symbols} <= {("node", "'a.b', /x/")}


def test_tokens_find_what_the_tree_has() -> None:
    tree = check(SAMPLE).tree
    assert tree is not None
    facts = facts_of("site.pp", SAMPLE)
    found = {("class" if u.kind == "inherits" else u.kind, u.name) for u in facts.uses}
    assert {(USED.get(one.kind, one.kind), one.name) for one in uses_in(tree)} <= found


def test_names_have_their_exact_places() -> None:
    facts = facts_of("site.pp", SAMPLE)
    for symbol in facts.symbols:
        if symbol.kind in ("class", "define", "type", "function"):
            assert SAMPLE[symbol.start : symbol.end].lower() == symbol.name
        if symbol.kind in ("variable", "parameter"):
            assert SAMPLE[symbol.start : symbol.end] == symbol.name
    for use in facts.uses:
        if use.kind in ("class", "function", "type", "variable"):
            assert SAMPLE[use.start : use.end].lower().removeprefix("::") == use.name.lower()


PIECES = ("class b { include a }", "class a {}", "'", "{", "}", "$x = 1\n", "file { 'x': }", "é😀")

Edits = st.lists(
    st.tuples(
        st.sampled_from(("a.pp", "b.pp")),
        st.one_of(
            st.tuples(st.integers(0, 4), st.integers(0, 9), st.integers(0, 4), st.integers(0, 9)),
            st.none(),
        ),
        st.sampled_from(PIECES),
    ),
    max_size=8,
)


@given(Edits)
def test_edits_give_what_a_fresh_server_has(edits: list[Any]) -> None:
    """One changed file is one file's work, and nothing of what was there before stays."""
    workspace = Workspace(("/nowhere",))
    for name in ("a.pp", "b.pp"):
        workspace.put(
            OpenDocument(f"/nowhere/{name}", uri_of(f"/nowhere/{name}"), 1, "class c {\n}\n")
        )
    for version, (name, place, text) in enumerate(edits):
        span = None if place is None else (place[:2], place[2:])
        workspace.edit(f"/nowhere/{name}", version, [(span, text)])
    texts = {path: document.text for path, document in workspace.documents.items()}
    fresh = built((path, packed_of(path, text)) for path, text in texts.items())
    assert as_values(workspace.index) == as_values(fresh)


def as_values(index: Index) -> Any:
    return dict(index.files), dict(index.declared), dict(index.used)


def test_closed_files_are_those_on_disk(tmp_path: Path) -> None:
    file = tmp_path / "a.pp"
    file.write_text("class old { }")
    workspace = Workspace((str(tmp_path),))
    for _ in workspace.indexing():
        pass
    assert [*workspace.index.names("class")] == ["old"]
    workspace.put(OpenDocument(str(file), uri_of(str(file)), 1, "class new { }"))
    assert [*workspace.index.names("class")] == ["new"]
    workspace.close(str(file))
    assert [*workspace.index.names("class")] == ["old"]
    file.unlink()
    workspace.read_again([str(file)])
    assert [*workspace.index.names("class")] == []


def test_links_out_of_the_workspace_are_not_read(tmp_path: Path) -> None:
    (tmp_path / "secret.pp").write_text("class secret { }")
    root = tmp_path / "repo"
    (root / ".git").mkdir(parents=True)
    (root / "link.pp").symlink_to(tmp_path / "secret.pp")
    workspace = Workspace((str(root),))
    for _ in workspace.indexing():
        pass
    assert [*workspace.index.names("class")] == []


def test_snapshots_stay_as_they_are() -> None:
    workspace = Workspace()
    workspace.put(OpenDocument("/a.pp", "file:///a.pp", 1, "class a { }"))
    before: Snapshot = workspace.snapshot
    workspace.edit("/a.pp", 2, [(None, "class b { }")])
    assert before.text("/a.pp") == "class a { }"
    assert [*before.index.names("class")] == ["a"]


def test_an_edit_puts_fixes_out_of_date() -> None:
    workspace = Workspace(["/repo"])
    document = OpenDocument("/repo/a.pp", "file:///repo/a.pp", 1, "$a = 1\n")
    workspace.put(document)
    workspace.set_fixes(document.path, [Finding("CG101", "warning", "reversed")])
    assert workspace.snapshot.fixes[document.path]
    workspace.edit(document.path, 2, [(None, "$b = 1\n")])
    assert not workspace.snapshot.fixes


def test_features_answer_in_half_written_code(tmp_path: Path) -> None:
    rows = [row for row in TABLE if row.method not in (types.TEXT_DOCUMENT_RENAME,)]
    for end in range(1, len(SAMPLE), 13):
        snapshot = snapshot_of({"modules/app/manifests/init.pp": SAMPLE[:end]}, tmp_path)
        path = str(tmp_path / "modules/app/manifests/init.pp")
        params = SimpleNamespace(
            query="app",
            context=types.CodeActionContext([]),
            item=types.CallHierarchyItem("", types.SymbolKind.Class, "file:///", *2 * (AT_START,)),
        )
        for row in rows:
            if row.module in OWN:
                params.context = None if row.module == "references" else types.CodeActionContext([])
                text = snapshot.text(path)
                row.answer(
                    snapshot, EditorRequest(path, text, snapshot.facts(path), end, end, params)
                )


def test_names_of_a_kind_after_edits_are_those_of_a_fresh_index() -> None:
    texts = ["file { 'a': }", "file { 'b': } class c { }", "file { 'a': } $x = 1", ""]
    index = built(
        [("m/a.pp", packed_of("m/a.pp", texts[0])), ("b.pp", packed_of("b.pp", "class c { }"))]
    )
    for text in texts:
        index = index.changed({"m/a.pp": packed_of("m/a.pp", text)})
        fresh = built(index.files.items())
        for kind in ("resource", "class", "variable"):
            assert sorted(index.names(kind)) == sorted(fresh.names(kind))
