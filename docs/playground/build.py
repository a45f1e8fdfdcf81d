"""Builds the playground: `python -m docs.playground.build` writes build/playground.

The page has all that it needs in files beside it: Python for browsers (Pyodide, from npm) and the
code of catgraph with the two packages that it needs. It works from a disk and from any host.
"""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
import sys
import tarfile
import zipfile
from base64 import b64encode
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from analyzer.cli.play.page import render
from analyzer.reach import user_files
from catgraph.wheel import package_at

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
TARGET = ROOT / "build" / "playground"
# Downloads, which no later build needs again.
CACHE = ROOT / "build" / "npm"
PYODIDE = "314.0.7"
LIBRARY = "python_stdlib.zip"
LOCK = "pyodide-lock.json"
RUNTIME = ("pyodide.js", "pyodide.asm.mjs", "pyodide.asm.wasm", LIBRARY, LOCK)
# Modules of Python that nothing here imports.
UNUSED = ("_pyrepl/", "ensurepip/", "pydoc_data/", "sqlite3/", "unittest/", "venv/", "wsgiref/")
# Packages of the page beside catgraph, as they are installed here.
PACKAGES = ("lark", "yaml")
# Packages of a wheel that no page needs.
LEFT_OUT = ("catgraph/tui/", "catgraph/analyzer/lsp/", "catgraph/analyzer/fleet/")
# The page's own files first, then the worker may start.
OWN = ("worker.js", "boot.py")
# Only its own parts and the worker, which has no address to ask.
SOURCES = (
    "script-src 'self' blob: 'wasm-unsafe-eval'",
    "worker-src blob:",
)
MOST_BYTES = 15_000_000


def main() -> int:
    """Build the page, and print its size."""
    try:
        runtime = fetch_runtime()
    except (OSError, subprocess.SubprocessError) as error:
        print(f"the playground needs npm and node, and Pyodide from npm: {error}", file=sys.stderr)
        return 1
    shutil.rmtree(TARGET, ignore_errors=True)
    (TARGET / "parts").mkdir(parents=True)
    parts = {name: (runtime / name).read_bytes() for name in RUNTIME}
    parts[LIBRARY] = library(parts[LIBRARY])
    parts["catgraph.zip"] = code(runtime)
    parts[LOCK] = json.dumps({**json.loads(parts[LOCK]), "packages": {}}).encode()
    parts |= {name: (HERE / name).read_bytes() for name in OWN}
    rows = [{"name": name, "file": write_part(name, data)} for name, data in parts.items()]
    with user_files():
        page = render({"parts": rows, "server": False}, SOURCES)
    (TARGET / "index.html").write_text(page, "utf-8")
    size = sum(path.stat().st_size for path in TARGET.rglob("*") if path.is_file())
    print(f"{TARGET / 'index.html'}: {size / 1e6:.1f} MB")
    return int(size > MOST_BYTES)


def fetch_runtime() -> Path:
    """Return the folder of Pyodide, which npm fetches the first time.

    Raises:
        OSError: there is no npm. SubprocessError: it cannot fetch the package.
    """
    folder = CACHE / f"pyodide-{PYODIDE}"
    if not (folder / "package" / RUNTIME[0]).is_file():
        CACHE.mkdir(parents=True, exist_ok=True)
        words = ["npm", "pack", "--silent", f"pyodide@{PYODIDE}"]
        subprocess.run(words, cwd=CACHE, check=True, capture_output=True, timeout=300)
        with tarfile.open(CACHE / f"pyodide-{PYODIDE}.tgz") as archive:
            archive.extractall(folder, filter="data")
    return folder / "package"


def library(data: bytes) -> bytes:
    """Return Python's library without what no page needs, for one compression of the whole."""
    with zipfile.ZipFile(BytesIO(data)) as before, zipfile.ZipFile(made := BytesIO(), "w") as after:
        for name in before.namelist():
            if not name.startswith(UNUSED):
                after.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), before.read(name))
    return made.getvalue()


def code(runtime: Path) -> bytes:
    """Return a zip file with the compiled modules of catgraph and of its packages."""
    with TemporaryDirectory() as scratch:
        place = Path(scratch)
        source, target = place / "in.zip", place / "out.zip"
        with zipfile.ZipFile(source, "w") as archive:
            for path, name in sorted(package_at(ROOT, place / "wheel").items()):
                if Path(path).is_file() and not name.startswith(LEFT_OUT):
                    archive.write(path, name)
            for package in PACKAGES:
                folder = folder_of(package)
                for module in sorted(folder.rglob("*.py")):
                    archive.write(module, f"{package}/{module.relative_to(folder).as_posix()}")
        words = ["node", str(HERE / "compile.mjs"), str(runtime), str(source), str(target)]
        subprocess.run(words, check=True, timeout=300)
        return target.read_bytes()


def folder_of(package: str) -> Path:
    """Return the folder of an installed package."""
    spec = find_spec(package)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent


def write_part(name: str, data: bytes) -> str:
    """Write a part of the page as a script, which a page on a disk may load too."""
    text = b64encode(gzip.compress(data, 9, mtime=0)).decode()
    file = f"parts/{name}.js"
    (TARGET / file).write_text(f'(globalThis.parts ??= {{}})["{name}"] = "{text}";\n', "ascii")
    return file


if __name__ == "__main__":
    sys.exit(main())
