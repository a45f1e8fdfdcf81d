"""Archives that were made to write elsewhere, or to use up time, memory and disk."""

from __future__ import annotations

import gzip
import io
import os
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from analyzer.diagnostics import InputError
from analyzer.reading import MOST
from analyzer.session.repository.install.archives import read_archive
from analyzer.session.repository.install.content import (
    LINK,
    PLAIN,
    File,
    WrongFiles,
    check_files,
    place_files,
)
from analyzer.source import Span
from tests.modules.conftest import Install
from tests.modules.forge_server import Forge, archive, release

TOP = "acme-a-1.0.0/"


def member(name: str, kind: bytes, target: str = "", size: int = 0) -> tarfile.TarInfo:
    """Return a member of any kind."""
    found = tarfile.TarInfo(name)
    found.type, found.linkname, found.size = kind, target, size
    return found


HOSTILE: dict[str, tuple[tarfile.TarInfo, str]] = {
    "absolute": (member("/tmp/evil", tarfile.REGTYPE), "is an absolute name"),
    "upwards": (member(f"{TOP}../../evil", tarfile.REGTYPE), "leads out"),
    "inside, by way of the outside": (member(f"{TOP}a/../b", tarfile.REGTYPE), "leads out"),
    "a link out": (member(f"{TOP}evil", tarfile.SYMTYPE, "../../.."), "leads out"),
    "an absolute link": (member(f"{TOP}evil", tarfile.SYMTYPE, "/etc/passwd"), "leads out"),
    "a hard link": (member(f"{TOP}evil", tarfile.LNKTYPE, "/etc/passwd"), "is a hard link"),
    "a device": (member(f"{TOP}evil", tarfile.CHRTYPE), "is no file, folder or link"),
    "a disk": (member(f"{TOP}evil", tarfile.BLKTYPE), "is no file, folder or link"),
    "a pipe": (member(f"{TOP}evil", tarfile.FIFOTYPE), "is no file, folder or link"),
    "control characters": (member(f"{TOP}a\x1b[31m", tarfile.REGTYPE), "has control characters"),
    "a line": (member(f"{TOP}a\n::error::", tarfile.REGTYPE), "has control characters"),
    "git's own": (member(f"{TOP}.git/config", tarfile.REGTYPE), "would be read by git"),
    "git's own in capitals": (member(f"{TOP}x/.GIT/hooks/a", tarfile.REGTYPE), "read by git"),
    "case": (member(f"{TOP}Metadata.json", tarfile.REGTYPE), "differ by case only"),
    "twice": (member(f"{TOP}metadata.json", tarfile.REGTYPE), "is there twice"),
    "a file as a folder": (member(f"{TOP}metadata.json/x", tarfile.REGTYPE), "file and a folder"),
    "another folder": (member("other/x", tarfile.REGTYPE), "more than one folder"),
    "no folder": (member("acme-a-1.0.0", tarfile.REGTYPE), "is not in the module's folder"),
    "a long name": (member(f"{TOP}{'x' * 300}", tarfile.REGTYPE), "too long a name"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_archives(install: Install, forge: Forge, repo: Path, name: str) -> None:
    hostile, words = HOSTILE[name]
    files = {f"{TOP}metadata.json": b'{"name": "acme-a", "version": "1.0.0"}', "x": hostile}
    forge.add("acme-a", "1.0.0", archive(files))
    before = sorted(os.listdir(repo.parent))
    code, printed = install("mod 'acme-a', '1.0.0'\n")
    assert code == 2
    assert words in printed
    assert "\x1b[31m" not in printed
    assert not os.path.exists(repo / "modules") or os.listdir(repo / "modules") == []
    assert sorted({*os.listdir(repo.parent)} - {"cache"}) == [x for x in before if x != "cache"]


def test_links_through_links_do_not_lead_out(tmp_path: Path) -> None:
    files = [
        File("x/y/file", PLAIN, b""),
        File("x/y/up", LINK, b".."),
        File("out", LINK, b"x/y/up/../.."),
    ]
    with pytest.raises(InputError, match="the link out leads out"):
        place_files(files, str(tmp_path / "m/a"), replace=False, span=Span("p"))
    assert os.listdir(tmp_path / "m") == []
    place_files(files[:2], str(tmp_path / "m/a"), replace=False, span=Span("p"))
    assert os.path.realpath(tmp_path / "m/a/x/y/up") == str(tmp_path / "m/a/x")


def test_no_file_is_written_through_a_link(tmp_path: Path) -> None:
    files = [File("a", LINK, str(tmp_path).encode()), File("a/evil", PLAIN, b"x")]
    with pytest.raises(WrongFiles, match="a is a file and a folder"):
        check_files(files)


def test_what_is_there_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "own").write_text("own")
    files = [File("new", PLAIN, b"")]
    with pytest.raises(InputError, match="cannot be written"):
        place_files(files, str(tmp_path / "a"), replace=False, span=Span("p"))
    assert os.listdir(tmp_path) == ["a"]
    assert os.listdir(tmp_path / "a") == ["own"]


def headers(count: int) -> bytes:
    """Return an archive of many empty files."""
    one = tarfile.TarInfo(f"{TOP}0000000")
    block = one.tobuf(tarfile.USTAR_FORMAT)
    return block * count


BOMBS: dict[str, Callable[[], bytes]] = {
    "zeros": lambda: gzip.compress(bytes(1 << 24)),
    "members": lambda: gzip.compress(headers(1_001)),
    "a sparse file": lambda: archive({"x": member(f"{TOP}s", tarfile.GNUTYPE_SPARSE)}),
    "a size of more than there is": lambda: gzip.compress(
        member(f"{TOP}s", tarfile.REGTYPE, size=1 << 33).tobuf()
    ),
    "a negative size": lambda: gzip.compress(
        member(f"{TOP}s", tarfile.REGTYPE, size=-512).tobuf(tarfile.GNU_FORMAT)
    ),
    "not packed": lambda: b"x" * 100,
    "cut off": lambda: release("acme-a", "1.0.0")[:-30],
    "nothing": lambda: b"",
    "no member": lambda: archive({}),
}


@pytest.mark.parametrize("name", BOMBS)
def test_bombs(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("analyzer.session.repository.install.archives.MOST_FILES", 1_000)
    data = BOMBS[name]()
    assert len(data) < 1 << 17
    token = MOST.set(1 << 23 if name == "zeros" else 1 << 26)
    try:
        with pytest.raises(WrongFiles, match="1,000 members" if name == "members" else None):
            check_files(read_archive(data))
    finally:
        MOST.reset(token)


def test_a_usual_archive() -> None:
    link = member(f"{TOP}README", tarfile.SYMTYPE, "docs/README.md")
    files = {f"{TOP}docs/README.md": b"x", "d": member(f"{TOP}docs", tarfile.DIRTYPE), "l": link}
    data = archive(files)
    assert io.BytesIO(data).read(2) == b"\x1f\x8b"
    assert read_archive(data) == [
        File("docs/README.md", PLAIN, b"x"),
        File("README", LINK, b"docs/README.md"),
    ]


def test_an_answer_that_does_not_end(
    install: Install, forge: Forge, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = gzip.compress(os.urandom(1 << 16))
    forge.add("acme-a", "1.0.0", data)
    code, printed = install("mod 'acme-a', '1.0.0'\n", "--max-input", "40k")
    assert code == 2
    assert "has more than 40 KB" in printed
