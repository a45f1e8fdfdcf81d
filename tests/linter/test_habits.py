"""Habits of a repository are one finding in a report; each place counts for the baseline."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run, run

pytestmark = pytest.mark.usefixtures("one_world")

__all__ = ["run"]

OPTIONS = ("--no-cache", "--select", "CG101,CG108,CG308,CG312")


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


def test_commands_that_need_one_service_are_one_finding(run: Run, tmp_path: Path) -> None:
    names = ("a", "b", "c")
    code = "".join(f"exec {{ '/usr/bin/mysql -e {one}': }}\n" for one in names)
    site = tmp_path / "site.pp"
    site.write_text(f"service {{ 'mysql': ensure => running }}\n{code}")
    (one,) = json.loads(run("lint", site, *OPTIONS, "--format", "json").out)["findings"]
    assert (one["code"], len(one["also"])) == ("CG312", 2)


def test_many_variables_that_nobody_sets_are_one_finding(run: Run, tmp_path: Path) -> None:
    code = "".join(
        f"class a{number}($near = 1) {{ notify {{ $from_site_{number}: }} }}\n"
        for number in range(6)
    )
    site = tmp_path / "site.pp"
    site.write_text(f"{code}class b($server_name = 1) {{ notify {{ $server_nam: }} }}\n")
    found = json.loads(run("lint", site, "--no-cache", "--select", "CG111", "--format", "json").out)
    assert [len(one["also"]) for one in found["findings"]] == [5, 0]
