"""What is no file, or has no end, is refused at the door; sizes are bounded."""

from __future__ import annotations

import gzip
import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from analyzer import reading
from tests.cli.conftest import Run

EMPTY = b'{"resources": [], "edges": []}'


@pytest.fixture(autouse=True)
def default_size() -> Iterator[None]:
    yield
    reading.set_most(None)


@pytest.fixture
def odd(tmp_path: Path) -> dict[str, str]:
    """Things that are no files, by what they are."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("pipe")
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(tmp_path / "socket"))
    found = {name: str(tmp_path / name) for name in ("pipe", "link", "socket")}
    return {**found, "device": "/dev/zero"}


@pytest.fixture
def healthy(tmp_path: Path) -> Path:
    path = tmp_path / "healthy.json"
    path.write_bytes(EMPTY)
    return path


ROLES = {
    "a catalog": "cycles @",
    "a catalog of lint": "lint @",
    "a run": "order @",
    "the other catalog": "diff & @",
    "times": "order & --times @",
    "configuration": "cycles & --config @",
    "baseline": "lint & --baseline @",
    "outcome": "apply & --outcome @",
    "state": "apply & --state @",
    "facts": "compile % --facts @",
    "manifest": "parse @",
}


@pytest.mark.parametrize("role", ROLES)
def test_only_files_are_opened(
    run: Run, odd: dict[str, str], healthy: Path, tmp_path: Path, role: str
) -> None:
    manifest = tmp_path / "x.pp"
    manifest.write_text("notify { x: }")
    for thing in odd.values():
        stands = {"@": thing, "&": str(healthy), "%": str(manifest)}
        done = run(*(stands.get(word, word) for word in ROLES[role].split()))
        assert done.code == 2
        said = done.err or done.out
        assert "not a regular file" in said
        assert said.count("error:") == 1


def test_resources_beside_a_graph_are_a_file(run: Run, tmp_path: Path) -> None:
    (tmp_path / "relationships.dot").write_text('digraph Relationships { "A[b]" -> "A[c]" }')
    (tmp_path / "resources.dot").symlink_to("/dev/zero")
    # What is no file beside it is not taken for one: the containment is not known.
    assert run("cycles", tmp_path / "relationships.dot").code == 3


@pytest.mark.parametrize("form", ["plain", "gzip", "gzip of many parts", "standard input"])
def test_sizes_are_bounded(run: Run, tmp_path: Path, form: str) -> None:
    text = EMPTY + b" " * (3 << 20)
    path = tmp_path / "catalog.json"
    if form == "gzip":
        path.write_bytes(gzip.compress(text))
    elif form == "gzip of many parts":
        path.write_bytes(gzip.compress(EMPTY) + gzip.compress(b" " * 1024) * 3072)
    else:
        path.write_bytes(text)
    stdin = text if form == "standard input" else b""
    name = "-" if stdin else str(path)
    done = run("cycles", name, "--max-input", "2M", stdin=stdin)
    assert (done.code, done.out) == (2, "")
    assert "it has more than 2 MB (--max-input SIZE) (bad-catalog)" in done.err
    assert run("cycles", name, "--max-input", "4M", stdin=stdin).code == 0
    # The next command has the default again.
    assert run("cycles", name, stdin=stdin).code == 0


def test_a_bomb_is_not_unpacked(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "catalog.json"
    with gzip.open(path, "wb", compresslevel=1) as file:
        for _ in range(64):
            file.write(b" " * (1 << 20))
    assert path.stat().st_size < 1 << 20
    done = run("cycles", path, "--max-input", "1M")
    assert "unpacked, it has more than 1 MB" in done.err


def test_manifests_have_a_bound(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "x.pp"
    path.write_text("notify { x: }" + " " * 2048)
    done = run("cycles", path, "--max-input", "1k")
    assert done.code in (2, 3)
    assert "it has more than 1 KB (--max-input SIZE)" in done.err


def test_files_of_the_kernel_have_a_bound() -> None:
    reading.set_most(1 << 20)
    with pytest.raises(OSError, match="more than 1 MB"):
        reading.read_bytes("/proc/self/pagemap")
    assert reading.read_text("/proc/self/comm")


@pytest.mark.parametrize(
    ("word", "size"),
    [("1", 1), ("100k", 102_400), ("2G", 2 << 30), ("512M", 512 << 20), ("1.5kb", 1536)],
)
def test_sizes(word: str, size: int) -> None:
    assert reading.size_of(word) == size


@pytest.mark.parametrize("word", ["", "x", "0", "-1", "nan", "inf", "1e99", "M"])
def test_no_sizes(run: Run, word: str, healthy: Path) -> None:
    done = run("cycles", healthy, f"--max-input={word}")
    assert done.code == 2
    assert "invalid size value" in done.err
