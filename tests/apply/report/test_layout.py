"""Reading by the layout gives what the YAML parser gives, or leaves it to that."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.apply.report import forms, layout
from analyzer.apply.report.psych_scalars import IrregularError, data_of, of_text
from analyzer.apply.report.yaml_values import YamlFault, load
from tests.amount import examples

from .recorded_reports import short_text, text_of

SECOND = text_of("second.yaml")
LINES = short_text().splitlines(keepends=True)
PIECES = [
    "a",
    "1",
    ".",
    " ",
    "'",
    '"',
    ":",
    "#",
    "\n     ",
    "\n\n      ",
    "-",
    "[",
    "]",
    "\\",
    "&a",
]


@given(st.lists(st.sampled_from(PIECES), max_size=9).map("".join))
@settings(max_examples=examples(2000))
def test_a_scalar_is_what_the_parser_makes_of_it(raw: str) -> None:
    try:
        found = of_text(" " + raw)
    except IrregularError:
        return
    assert found == load(f"    v: {raw}\n")[0]["v"]


@pytest.mark.parametrize(
    "raw",
    [
        " |-\n      a\n       b",
        " |2-\n        a\n      b",
        ' "a\\tb"',
        "\n    - a\n    - 'b c'",
        "\n    - |-\n      a\n\n      b\n    - c",
        "\n      a: 1\n      b: []",
        " ''",
        " 'it''s'",
        " 7.23.0",
        " 1.5e-05",
        " 2026-11-20",
    ],
)
def test_other_values(raw: str) -> None:
    assert data_of(raw, 4) == load(f"    v:{raw}\n")[0]["v"]


def test_nearly_all_records_have_the_layout(monkeypatch: pytest.MonkeyPatch) -> None:
    left = []
    plain = layout.RecordSection.slowly

    def slowly(self: layout.RecordSection, chunk: str) -> list[object]:
        left.append(chunk)
        return plain(self, chunk)

    monkeypatch.setattr(layout.RecordSection, "slowly", slowly)
    _, sections = layout.cut(SECOND)
    assert len(sections["resource_statuses"]) == 46
    # Keys that are not on one line.
    assert [chunk[:4] for chunk in left] == ["  ? ", "  ? ", "  ? "]


def test_an_anchor_in_one_record_and_its_alias_in_another() -> None:
    text = SECOND.replace("file: ''", "file: &f /srv/site.pp", 1).replace("file: ''", "file: *f")
    with pytest.raises(IrregularError):
        layout.cut(text)
    found = forms.report(load(text)[0])
    assert {one.file for one in found.resource_statuses} == {"/srv/site.pp", None}


@given(st.data())
@settings(max_examples=examples(200))
def test_of_damaged_files_too(data: st.DataObject) -> None:
    lines = LINES[:]
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(1, len(lines) - 1))
        lines[place] = data.draw(
            st.sampled_from(
                [
                    "",
                    lines[place][2:],
                    "  " + lines[place],
                    lines[place] * 2,
                    lines[place - 1],
                    "\n",
                ]
            )
        )
    text = "".join(lines)
    try:
        head, sections = layout.cut(text)
        found = forms.report({**load(head)[0], **sections})
    except (IrregularError, YamlFault, forms.FormError, KeyError, TypeError):
        return
    assert found == forms.report(load(text)[0])
