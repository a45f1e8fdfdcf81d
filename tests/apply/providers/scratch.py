"""A folder that is taken for a machine: accounts, a shell and some tools, copied from this one."""

from __future__ import annotations

import atexit
import os
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from .case import SKELETON, Thing, content_text

_TOOLS = """sh cat chmod chown cp cut date dirname echo env expr false grep head id ln ls mkdir mv
    printf pwd readlink rm rmdir sed sleep sort stat tail tee test touch tr true wc whoami
    useradd userdel usermod groupadd groupdel groupmod chage chpasswd kill ps"""
_PACKAGING = "dpkg dpkg-deb dpkg-query dpkg-split dpkg-divert tar gzip find diff"
_PATH = f"{os.environ.get('PATH')}:/usr/sbin:/sbin"
CHROOT = shutil.which("chroot", path=_PATH)


@cache
def _base() -> Path:
    """Make the tools once; the roots of the tests link to them."""
    root = Path(mkdtemp(prefix="catgraph-root-"))
    atexit.register(shutil.rmtree, root, ignore_errors=True)
    root.chmod(0o755)
    for folder in ("bin", "dev", "etc", "etc/default", "home", "srv", "tmp", "usr", "var"):
        (root / folder).mkdir()
    for folder in ("bin", "sbin", "lib"):
        (root / "usr" / folder).symlink_to(f"../{'bin' if folder != 'lib' else 'lib'}")
    (root / "sbin").symlink_to("bin")
    (root / "lib64").symlink_to("lib")
    (root / "lib").mkdir()
    for tool in f"{_TOOLS} {_PACKAGING}".split():
        found = shutil.which(tool, path=_PATH)
        if found:
            _copy(root, Path(found))
    for name in ("ldconfig", "start-stop-daemon"):
        (root / "bin" / name).write_text("#!/bin/sh\n")
        (root / "bin" / name).chmod(0o755)
    for library in Path("/").glob("lib/*/libnss_*.so*"):
        _copy_library(root, library)
    return root


def _copy(root: Path, program: Path) -> None:
    shutil.copy(program, root / "bin" / program.name)
    listed = subprocess.run(["ldd", str(program)], capture_output=True, text=True, check=False)
    for path in re.findall(r"(/\S+)", listed.stdout):
        _copy_library(root, Path(path))


def _copy_library(root: Path, library: Path) -> None:
    target = root / str(library).lstrip("/")
    parent = (root / "lib") if library.parent.name in {"lib", "lib64"} else target.parent
    parts = [part for part in library.parent.parts if part not in {"/", "usr", "lib", "lib64"}]
    parent = (root / "lib").joinpath(*parts)
    parent.mkdir(parents=True, exist_ok=True)
    if not (parent / library.name).exists():
        shutil.copy(library, parent / library.name)


def make(folder: Path) -> Path:
    """Make a root in a folder."""
    root = folder / "root"
    subprocess.run(["cp", "-al", str(_base()), str(root)], check=True)
    (root / "srv").chmod(0o1777)
    for path, text in SKELETON.items():
        (root / path.lstrip("/")).write_text(text)
    for path in ("etc/shadow", "etc/gshadow"):
        (root / path).chmod(0o640)
    (root / "dev" / "null").touch()
    (root / "home" / "ann").mkdir()
    os.chown(root / "home" / "ann", 1000, 1000)
    return root


def set_up(root: Path, script: str) -> None:
    """Run a script in the root."""
    if script:
        # The chroot of coreutils, with which the code under test has nothing to do.
        environment = {"PATH": "/bin", "LC_ALL": "C"}
        words = [CHROOT or "chroot", str(root), "/bin/sh", "-ec", script]
        subprocess.run(words, check=True, env=environment, capture_output=True)


def look(root: Path, paths: list[str]) -> str:
    """Return the entries at and below paths, as they are recorded."""
    return "\n".join(str(thing) for path in paths for thing in _things(root, path))


def _things(root: Path, path: str) -> list[Thing]:
    full = root / path.lstrip("/")
    if not os.path.lexists(full):
        return []
    found = full.lstat()
    link = full.is_symlink()
    what = "directory"
    if link:
        what = f"-> {os.readlink(full)}"
    elif full.is_file():
        what = content_text(full.read_bytes())
    mode = "link" if link else f"{found.st_mode & 0o7777:04o}"
    made = [Thing(path, mode, f"{found.st_uid}:{found.st_gid}", what)]
    if full.is_dir() and not link:
        for name in sorted(os.listdir(full)):
            made += _things(root, f"{path.rstrip('/')}/{name}")
    return made
