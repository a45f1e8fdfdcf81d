"""Lints small repositories as a stranger's: the messages of their errors."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from contextlib import chdir, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

from analyzer.cli import main


def errors_in(folder: Path, files: Mapping[str, str]) -> list[str]:
    """Return the messages of the errors that `check` finds in a folder with only these files."""
    shutil.rmtree(folder)
    for name, text in files.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    out = StringIO()
    with chdir(folder), redirect_stdout(out), redirect_stderr(StringIO()):
        main(["check", ".", "--format", "json"])
    found = json.loads(out.getvalue())["findings"]
    return [one["message"] for one in found if one["severity"] == "error"]
