"""Words of the command line of `catgraph fleet` that mean nothing."""

from pathlib import Path

import pytest

from analyzer.cli import main


@pytest.mark.parametrize(
    "words", [["why", "Packag", "Service[a]"], ["why", "Package[a]", "x"], ["impact", "Pack"]]
)
def test_what_is_not_a_reference(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fleet", *words, "sample_catalogs/stages", "--no-store"]) == 2
    assert "is not a reference, such as Package[nginx]" in capsys.readouterr().err


def test_a_linked_folder_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sample = Path("sample_catalogs/stages/catalog.json").read_bytes()
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "web1.json").write_bytes(sample)
    (tmp_path / "site" / "more").symlink_to(tmp_path)
    assert main(["fleet", "cycles", str(tmp_path / "site"), "--no-store"]) == 3
    assert "a link to a folder is not followed" in capsys.readouterr().out
