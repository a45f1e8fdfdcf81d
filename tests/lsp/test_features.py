"""Every feature's cases: a folder named as its module, a file for each case."""

from pathlib import Path

import pytest

from analyzer.lsp.features.table import TABLE
from tests.lsp.marked import answer_of, case_of

HERE = Path(__file__).parent
CASES = [(row, file) for row in TABLE for file in sorted((HERE / row.module).glob("*.txt"))]


@pytest.mark.parametrize(("row", "file"), CASES, ids=lambda one: getattr(one, "stem", ""))
def test_case(row: object, file: Path, tmp_path: Path, update: bool) -> None:
    from analyzer.lsp.features.table import Feature

    assert isinstance(row, Feature)
    case = case_of(file)
    if "function" in case.params and case.params["function"] != row.function:
        pytest.skip("a case of another function of the feature")
    found = answer_of(row, case, tmp_path.resolve())
    if update:
        file.write_text(f"{case.head}\n----\n{found}")
    assert found == case.expected or update


def test_every_feature_has_cases() -> None:
    assert [row.module for row in TABLE if not [*(HERE / row.module).glob("*.txt")]] == []
