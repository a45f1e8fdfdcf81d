"""Words of the command line of `catgraph fleet` that mean nothing."""

import pytest

from analyzer.cli import main


@pytest.mark.parametrize(
    "words", [["why", "Packag", "Service[a]"], ["why", "Package[a]", "x"], ["impact", "Pack"]]
)
def test_what_is_not_a_reference(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fleet", *words, "sample_catalogs/stages", "--no-store"]) == 2
    assert "is not a reference, such as Package[nginx]" in capsys.readouterr().err
