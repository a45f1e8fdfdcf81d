"""Every feature's cases: a folder named as its module, a file for each case."""

from pathlib import Path

import pytest

from analyzer.lsp.features.table import TABLE, Feature
from tests.lsp.marked import answer_of, case_of

HERE = Path(__file__).parent
CASES = [
    (row, file)
    for row in TABLE
    for file in sorted((HERE / row.module).glob("*.txt"))
    if case_of(file).params.get("function", "answer") == row.function
]


@pytest.mark.parametrize(
    ("row", "file"), CASES, ids=lambda one: getattr(one, "stem", "") or one.module
)
def test_case(row: Feature, file: Path, tmp_path: Path, update: bool) -> None:
    case = case_of(file)
    found = answer_of(row, case, tmp_path.resolve())
    if update:
        file.write_text(f"{case.head}\n----\n{found}")
    assert found == case.expected or update


def test_every_feature_has_cases() -> None:
    assert {row.method for row in TABLE} == {row.method for row, _ in CASES}
