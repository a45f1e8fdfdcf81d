"""Asks the installed Puppet what it does with cases, and does them ourselves."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import analyzer
from analyzer.apply.engine.generate import with_announced
from analyzer.apply.engine.log import Line
from analyzer.apply.engine.skipping import RunSettings
from analyzer.apply.engine.world import Hosted
from analyzer.apply.host import Host
from analyzer.apply.providers.machine.local import LocalHost
from analyzer.apply.providers.table import Providers
from analyzer.apply.timeline import timeline_of
from analyzer.model.catalog import Catalog

from . import scratch
from .case import SKELETON, Case, Thing, content_text, log_text

# Where the installed modules are, for Puppet; ours only has the names of their types.
MODULES = Path("/usr/share/puppet/modules")
STUBS = (str(Path(__file__).with_name("modules")),)
_SCRIPT = Path(__file__).with_name("puppet.rb")
Seen = list[tuple[str, str]]


def can_ask() -> bool:
    """Tell whether Puppet is here and may be run in an overlay of this machine."""
    if os.geteuid() != 0 or not shutil.which("puppet") or not shutil.which("unshare"):
        return False
    return (
        subprocess.run(["unshare", "-m", "true"], capture_output=True, check=False).returncode == 0
    )


def ask(cases: Iterable[Case]) -> Iterator[Seen]:
    """Yield what Puppet logs and leaves, per case a log and a tree for each run."""
    questions = [json.dumps(_question(case)) for case in cases]
    with TemporaryDirectory() as base:
        words = ["unshare", "-m", "--propagation", "private", "ruby", str(_SCRIPT), base]
        done = subprocess.run(
            words, input="\n".join(questions), capture_output=True, text=True, check=False
        )
    answers = done.stdout.splitlines()
    if len(answers) != len(questions):
        raise RuntimeError(f"Puppet answered {len(answers)} of {len(questions)}: {done.stderr}")
    for line in answers:
        if not line:
            raise RuntimeError(f"Puppet died: {done.stderr[-2000:]}")
        answer = json.loads(line)
        if "error" in answer:
            raise RuntimeError(answer["error"])
        yield [(log_text(run["log"]), _tree(run["tree"])) for run in answer["runs"]]


def _question(case: Case) -> dict[str, Any]:
    return {
        "setup": case.setup,
        "code": case.code,
        "runs": case.runs,
        "noop": case.noop,
        "files": SKELETON,
        "modules": [str(MODULES / name) for name in case.modules],
        "look": case.look,
    }


def _tree(rows: list[dict[str, Any]]) -> str:
    return "\n".join(str(_thing(row)) for row in rows)


def _thing(row: dict[str, Any]) -> Thing:
    what = row["what"]
    if row["kind"] == "file":
        what = content_text(base64.b64decode(what))
    return Thing(row["path"], row["mode"], row["owner"], what)


def ours(case: Case, folder: Path) -> Seen:
    """Return our log, and the files afterwards."""
    root = scratch.make(folder)
    scratch.set_up(root, case.setup)
    catalog = compiled(folder, case.code, STUBS)
    seen = []
    for _ in range(case.runs):
        log = applied(catalog, LocalHost(str(root)), case.noop)
        seen.append((log_text(log), scratch.look(root, case.look)))
    return seen


def applied(catalog: Catalog, host: Host, noop: bool = False) -> list[Line]:
    """Apply a catalog and return what is logged."""
    find = Providers().find
    graph = analyzer.relate(with_announced(catalog, find, host))
    settings = RunSettings(noop=noop, puppet_version=7)
    return timeline_of(graph, Hosted(find, host), settings).run().log()


def compiled(folder: Path, code: str, modulepath: tuple[str, ...]) -> Catalog:
    """Compile a manifest; the places in it are as Puppet has them for a text without a file."""
    file = folder / "site.pp"
    file.write_text(code)
    facts = folder / "facts.json"
    facts.write_text('{"osfamily": "Debian", "clientversion": "7.23.0"}')
    catalog = analyzer.compile(
        file, modulepath=modulepath, facts=(str(facts),), puppet_version=7, node="vm"
    )
    for resource in catalog.resources:
        if resource.file == str(file):
            resource.file = None
    return catalog
