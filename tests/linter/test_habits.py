"""Habits of a repository are one finding in a report; each place counts for the baseline."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run, run

pytestmark = pytest.mark.usefixtures("one_world")

__all__ = ["run"]

OPTIONS = ("--no-cache", "--select", "CG101,CG108")


def arrows(first: int, count: int) -> str:
    line = "notify {{ 'a{0}': }} <- notify {{ 'b{0}': }}\n"
    return "".join(line.format(number) for number in range(first, first + count))


@pytest.mark.parametrize(("count", "rows"), [(5, 5), (6, 1)])
def test_many_arrows_to_the_left_are_one_finding(
    run: Run, tmp_path: Path, count: int, rows: int
) -> None:
    (tmp_path / "site.pp").write_text(arrows(0, count))
    found = json.loads(run("lint", tmp_path, *OPTIONS, "--format", "json").out)["findings"]
    assert len(found) == rows
    assert [len(one["also"]) for one in found][:1] == [count - rows]
    assert f"{rows} note" in run("lint", tmp_path, *OPTIONS).out


def test_a_new_place_of_an_accepted_habit_is_new(run: Run, tmp_path: Path) -> None:
    site, known = tmp_path / "site.pp", tmp_path / "known.json"
    site.write_text(arrows(0, 7))
    assert "wrote 7 findings" in run("lint", site, "--write-baseline", known).err
    site.write_text(arrows(0, 8))
    done = run("lint", site, *OPTIONS, "--baseline", known)
    assert f"{site}:8:18: note: the arrow" in done.out
    assert "1 note in 1 manifest and 1 catalog; 7 in the baseline" in done.out


def test_the_parts_of_a_class_are_one_finding(run: Run, tmp_path: Path) -> None:
    parts = ("a", "b", "c")
    classes = "".join(f"class app::{one} {{ notify {{ '{one}': }} }}\n" for one in parts)
    includes = " ".join(f"include app::{one}" for one in parts)
    site = tmp_path / "site.pp"
    site.write_text(
        f"{classes}class app {{ {includes} }}\nnotify {{ 'first': }} -> Class['app']\ninclude app\n"
    )
    (one,) = json.loads(run("lint", site, *OPTIONS, "--format", "json").out)["findings"]
    assert (one["code"], len(one["also"])) == ("CG108", 2)
