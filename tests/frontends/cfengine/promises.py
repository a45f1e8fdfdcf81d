"""What the installed cf-promises makes of a policy: its tree, or its errors."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ERROR = re.compile(r"^(.*?):(\d+):(\d+): error: (.*)$", re.M)
COMMAND = ("cf-promises", "--eval-functions=no", "-p", "json")
FATAL = re.compile(r"^ *error: Fatal CFEngine error: (.*)$", re.M)
NOISE = "syntax error"


@dataclass(frozen=True, slots=True)
class Said:
    """The tree, or None and the errors as (line, words)."""

    tree: dict[str, Any] | None
    errors: list[tuple[int, str]]


def installed() -> bool:
    return shutil.which("cf-promises") is not None


def ask(path: Path, work: Path, bundlesequence: str = "") -> Said:
    """Let cf-promises read one file; no function of the policy is run."""
    os.chmod(path, 0o600)
    options = ["-b", bundlesequence] if bundlesequence else []
    run = subprocess.run(
        [*COMMAND, "-w", str(work), "-f", str(path), *options],
        capture_output=True,
        check=False,
        timeout=60,
        env=dict(os.environ, CFENGINE_TEST_OVERRIDE_WORKDIR=str(work), LC_ALL="C"),
    )
    out = run.stdout.decode("utf-8", "surrogateescape")
    errors = run.stderr.decode("utf-8", "surrogateescape")
    if run.returncode == 0:
        return Said(json.loads(out[out.index("{") :]), [])
    fatal = [(0, text) for text in FATAL.findall(errors + out)]
    return Said(None, [(int(line), text) for _, line, _, text in ERROR.findall(errors)] + fatal)


def first_error(said: Said) -> tuple[int, str] | None:
    """The first error, without the words `syntax error` before those that say more."""
    for position, (line, text) in enumerate(said.errors):
        more = position + 1 < len(said.errors)
        if text != NOISE or not more:
            return line, text
    return None


def comparable(value: Any) -> Any:
    """A tree without its paths, and numbers as CFEngine prints them."""
    if isinstance(value, dict):
        return {key: comparable(v) for key, v in value.items() if key != "sourcePath"}
    if isinstance(value, list):
        return [comparable(item) for item in value]
    return f"{value:.4f}" if isinstance(value, float) else value
