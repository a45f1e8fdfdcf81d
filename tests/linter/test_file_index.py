"""A file is read again if it may have changed, whatever its size and times are made to be."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from analyzer.frontends.cache import Cache
from analyzer.reading import noting, set_most, state_of
from analyzer.session import file_index
from analyzer.session.file_index import FileIndex

# Longer than a tick of the clock of file systems.
TICK = 0.03


@pytest.fixture(name="file")
def _file(tmp_path: Path) -> Path:
    """Return a file that is reached by links."""
    (tmp_path / "real").mkdir()
    (tmp_path / "real/file").write_text("one")
    (tmp_path / "real/other").write_text("two")
    (tmp_path / "folder").symlink_to("real")
    (tmp_path / "real/link").symlink_to("file")
    return tmp_path / "folder/link"


def index_in(folder: Path) -> FileIndex:
    return FileIndex(Cache(str(folder / "cache")), "key")


def recorded(file: Path, monkeypatch: pytest.MonkeyPatch) -> FileIndex:
    """Return the index of a later process, in which a file is recorded."""
    time.sleep(TICK)
    monkeypatch.setattr(file_index, "START", time.time_ns())
    index = index_in(file.parents[1])
    index.state(str(file))
    index.save()
    return index_in(file.parents[1])


def same_size(file: Path) -> None:
    file.write_text("two")


def same_times(file: Path) -> None:
    before = os.stat(file)
    file.write_text("two")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


def replaced(file: Path) -> None:
    other = file.resolve().with_name("other")
    before = os.stat(file)
    os.utime(other, ns=(before.st_atime_ns, before.st_mtime_ns))
    other.replace(file.resolve())


def other_link(file: Path) -> None:
    file.unlink()
    file.symlink_to("other")


def other_folder(file: Path) -> None:
    (file.parents[1] / "new").mkdir()
    (file.parents[1] / "new/link").write_text("two")
    file.parent.unlink()
    file.parent.symlink_to("new")


def folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


def gone(file: Path) -> None:
    file.resolve().unlink()


EDITS = (same_size, same_times, replaced, other_link, other_folder, folder, gone)


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.__name__)
def test_any_edit_is_noticed(
    edit: Callable[[Path], None], file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = recorded(file, monkeypatch)
    before = state_of(str(file))
    assert (index.state(str(file)), [*index.used]) == (before, [str(file)])
    edit(file)
    assert index.state(str(file)) == state_of(str(file)) != before


def test_a_new_file_is_not_recorded(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Within a tick of the clock, an edit might change no time."""
    time.sleep(TICK)
    monkeypatch.setattr(file_index, "START", os.stat(file).st_ctime_ns)
    index = index_in(file.parents[1])
    index.state(str(file))
    index.save()
    assert index_in(file.parents[1]).before == {}


def test_a_recorded_file_counts_as_read(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    index = recorded(file, monkeypatch)
    with noting() as read:
        index.state(str(file))
    assert read == {str(file): state_of(str(file))}
    assert index.used
    set_most(2)
    try:
        assert index.state(str(file)).startswith("it has more than 2 bytes")
    finally:
        set_most(None)
