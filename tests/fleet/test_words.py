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


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["impact", "Package[nope]"], "catalog; did you mean Package[app]?"),
        (["why", "Package[app]", "File[/nope]"], "File[/nope] is not in the catalog"),
        (["query", "upstream Package[nope]"], "Package[nope] is not in the catalog"),
        (["query", "upstream Package[nope] and line > x"], "1:35: error: '>' needs a number"),
        (["query", "title =~ /(/"], "\n  title =~ /(/\n           ^\n"),
    ],
)
def test_what_no_catalog_has_and_what_no_query_is(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    source = "sample_catalogs/require_loop/catalog.json"
    assert main(["fleet", *words, source, "--no-store"]) == 2
    told = capsys.readouterr()
    assert not told.out
    assert said in told.err


def test_a_resource_in_a_cycle(capsys: pytest.CaptureFixture[str]) -> None:
    source = "sample_catalogs/require_loop/catalog.json"
    assert main(["fleet", "impact", "Package[app]", source, "--no-store"]) == 1
    first = capsys.readouterr().out.splitlines()[0]
    assert "Package[app] is in a dependency cycle: Puppet applies nothing of the catalog" in first


def test_a_store_that_there_is_not(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fleet", "log", "--store", str(tmp_path / "nope.sqlite")]) == 2
    assert "there is no store" in capsys.readouterr().err
    assert not any(tmp_path.iterdir())


def test_a_linked_folder_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sample = Path("sample_catalogs/stages/catalog.json").read_bytes()
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "web1.json").write_bytes(sample)
    (tmp_path / "site" / "more").symlink_to(tmp_path)
    assert main(["fleet", "cycles", str(tmp_path / "site"), "--no-store"]) == 3
    assert "a link to a folder is not followed" in capsys.readouterr().out
