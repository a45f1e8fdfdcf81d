"""Completion, signatures and hovers of half-written code: at every prefix, and in every row."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from analyzer.frontends.puppet.compiler.definitions.native import ATTRIBUTES, VENDORED
from analyzer.lsp.features import completion, hover, inlay_hints, semantic_tokens, signature_help
from analyzer.lsp.features.table import CommandOptions
from analyzer.lsp.index.tokens import whole_tokens
from analyzer.lsp.index.workspace_index import built, packed_of
from analyzer.lsp.reference import functions, puppet_types, vendored_types
from analyzer.lsp.reference.attributes import own_attributes
from analyzer.lsp.reference.cursor import before
from analyzer.lsp.state.document import OpenDocument
from analyzer.lsp.state.snapshot import EditorRequest, Snapshot
from tests.amount import ALL
from tests.lsp.test_index import SAMPLE

BEGINS = ("CLASS", "DEFINE", "FUNCTION", "NODE")

# Characters from one prefix to the next.
STEP = 1 if ALL else 3

DATA = "---\napp::ports: 1\n'app::"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "text"), [("/w/m/manifests/a.pp", SAMPLE), ("/w/a.epp", SAMPLE), ("/w/a.yaml", DATA)]
)
def test_every_prefix_is_answered(path: str, text: str) -> None:
    for end in range(0, len(text) + 1, STEP):
        part = text[:end]
        index = built([(path, packed_of(path, part))])
        snapshot = Snapshot(index, {path: OpenDocument(path, f"file://{path}", 1, part)}, ("/w",))
        for feature in (completion, hover, inlay_hints, semantic_tokens, signature_help):
            feature.answer(snapshot, EditorRequest(path, part, index.facts(path), end, end, None))


def test_tokens_before_a_place_are_those_of_the_part_before_it() -> None:
    for end in range(len(SAMPLE)):
        part = whole_tokens(SAMPLE[:end])
        inside = any(one[2] < end < one[2] + one[3] for one in whole_tokens(SAMPLE) or ())
        if part is not None and not inside:
            found = before(SAMPLE, end, epp=False)
            begun = max((n for n, one in enumerate(part) if one[0] in BEGINS), default=0)
            begun = begun if found and part[begun][2] == found[0][2] else 0
            assert list(found) == part[begun:], end


def test_the_tables_have_the_attributes_of_puppets_types() -> None:
    own = {name: {one.name for one in own_attributes(name)} for name in puppet_types.TABLES}
    assert own == {name: set(ATTRIBUTES[name].split()) for name in own}
    assert own.keys() == ATTRIBUTES.keys() - {"whit"}


def test_the_values_are_those_that_puppet_lists() -> None:
    """Yes and no are other spellings of true and false; a target may be any path."""
    recorded = (Path(__file__).parent / "puppet_type_values.txt").read_text().split("\n")[1:-1]
    for line in recorded:
        name, _, values = line.partition(": ")
        kind, attribute = name.split()
        found = next(one for one in own_attributes(kind) if one.name == attribute)
        missing = {*values.split()} - {*found.values} - {"notlink"}
        assert missing <= ({"yes", "no"} if "true" in found.values else set()), name


def test_the_tables_of_vendored_types_can_be_read() -> None:
    for name, table in vendored_types.TABLES.items():
        assert len(own_attributes(name)) == len(table.strip().split("\n"))
        assert name in VENDORED


def test_every_function_has_signatures() -> None:
    assert all(
        (found := functions.own_function(name)) and found.heads for name in functions.names()
    )


def test_an_item_with_foreign_data_is_handed_back() -> None:
    asked = EditorRequest("", "", Snapshot().facts(""), 0, 0, SimpleNamespace(data={"other": 1}))
    assert completion.resolve(Snapshot(), asked) is asked.params


def test_the_command_takes_any_arguments() -> None:
    assert inlay_hints.command(Snapshot(), []) == CommandOptions({"node": "", "facts": ""})
    assert inlay_hints.command(Snapshot(), ["web", None, 3]).options["node"] == "web"
