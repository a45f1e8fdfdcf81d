"""Manifests of a folder that all have code for any node are applied apart from each other."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.cli import main

pytestmark = pytest.mark.usefixtures("one_world")


ANY_NODE = "node default {{ notify {{ '{}': }} }}\n"


@pytest.mark.parametrize(
    ("count", "readme", "are_apart"),
    [
        pytest.param(3, "", True, id="a server would compile none of them"),
        pytest.param(2, "run `puppet apply --noop manifests/m0.pp`", False, id="one is applied"),
        pytest.param(
            2, "puppet apply m0.pp\nsudo puppet apply /etc/p/m1.pp -v\n", True, id="each is applied"
        ),
        pytest.param(2, "", False, id="a second one by mistake"),
    ],
)
def test_manifests_for_any_node(
    count: int, readme: str, are_apart: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "manifests").mkdir()
    (tmp_path / "environment.conf").write_text("manifest = manifests\n")
    (tmp_path / "README.md").write_text(readme)
    for number in range(count):
        (tmp_path / f"manifests/m{number}.pp").write_text(ANY_NODE.format(number))
    code = main(["lint", str(tmp_path)])
    printed = capsys.readouterr().out
    if are_apart:
        assert (code, printed) == (0, f"no findings in {count} manifests and {count} catalogs\n")
    else:
        assert "Node 'default' is already defined" in printed
