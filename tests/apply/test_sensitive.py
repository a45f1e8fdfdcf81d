"""No parameter of any type shows a Sensitive value: not refused, simulated, planned or applied."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import analyzer
from analyzer.apply.engine.generate import with_announced
from analyzer.apply.engine.skipping import RunSettings
from analyzer.apply.engine.transaction import Run
from analyzer.apply.engine.world import Hosted, ObservedHost, PlannedHost, ResourceWorld, Simulation
from analyzer.apply.journals.event_rows import KINDS, row_of
from analyzer.apply.overlay import FileOverlay
from analyzer.apply.providers.machine.local import LocalHost
from analyzer.apply.providers.table import Providers
from analyzer.apply.redaction import secrets_of
from analyzer.apply.report.from_timeline import RunTimes, report_of
from analyzer.apply.report.write import to_json
from analyzer.apply.timeline import Timeline, timeline_of
from analyzer.apply.validation.others import METAPARAMETERS
from analyzer.apply.validation.refused_values import CHECKS, refused
from analyzer.frontends.puppet.compiler.definitions.native import ATTRIBUTES
from analyzer.model.catalog import Catalog
from analyzer.model.resource import Resource

MARK = "s3cret"
# Of other modules, which are applied too.
OTHERS = {
    "Concat_file": "backup ensure ensure_newline force format group mode order owner path replace "
    "selinux_ignore_defaults show_diff tag validate_cmd",
    "Concat_fragment": "content order source tag target",
    "File_line": "after append_on_no_match encoding ensure line match match_for_absence multiple "
    "path replace replace_all_matches_not_matching_line",
    "Ini_setting": "ensure force_new_section_creation indent_char indent_width "
    "key_val_separator path refreshonly section section_prefix section_suffix setting show_diff "
    "value",
}
# The path is the title of the file that it brings: a name is shown, by Puppet too.
NAMES = {("Concat_file", "path")}
META = {*METAPARAMETERS, "alias", "audit", "schedule", "tag"}
# Of each type what makes most of its provider's work happen.
NEEDED: dict[str, dict[str, Any]] = {
    "Concat_fragment": {"target": "/etc/joined"},
    "Cron": {"command": "/bin/x"},
    "Exec": {"path": "/bin"},
    "File": {"path": "/etc/f", "ensure": "file"},
    "File_line": {"path": "/etc/motd", "line": "x"},
    "Host": {"ip": "10.0.0.1"},
    "Ini_setting": {"path": "/etc/f", "setting": "a", "value": "x"},
    "Mount": {"device": "/dev/x", "fstype": "ext4", "ensure": "present"},
    "Ssh_authorized_key": {"user": "ann", "type": "rsa", "key": "A"},
    "Tidy": {"path": "/etc/f"},
}
VALUES: list[Any] = [
    MARK, f"1.2.3.{MARK}", f"/etc/{MARK}", f"{MARK} -x {MARK}", f"a={MARK}", f"/bin/false {MARK}",
    f"{MARK}\nx", f"{MARK}:x,{MARK}", f"x\0{MARK}", f"puppet:///modules/{MARK}/x", f"u={MARK}",
    f'"{MARK}" x', f"http://{MARK}/", f"({MARK}", "", [MARK], [[MARK]], {MARK: MARK}, {"a": [MARK]},
    ["x", {"__ptype": "Sensitive", "__pvalue": MARK}],
    {"a": {"__ptype": "Sensitive", "__pvalue": [MARK, f"/{MARK}"]}},
    {"__ptype": "Sensitive", "__pvalue": f"/etc/{MARK}"},
]  # fmt: skip


def capitalized(words: dict[str, str]) -> Iterator[tuple[str, set[str]]]:
    for kind, names in words.items():
        yield kind.capitalize(), set(names.split())


PARAMETERS = {
    kind: sorted(names | set(CHECKS.get(kind, ())) | META)
    for kind, names in (*capitalized(ATTRIBUTES), *capitalized(OTHERS))
}


def resource_with(kind: str, name: str, value: Any, end: str = "") -> Resource:
    """Return a resource with a secret parameter."""
    nested = isinstance(value, (list, dict)) and "__ptype" in json.dumps(value)
    # A title that a type refuses for another reason than the parameter would hide the message.
    title = {"Cron": "job", "Exec": "/bin/true", "Host": "h"}.get(kind, "/etc/thing")
    given = {**NEEDED.get(kind, {}), name: value}
    return Resource(kind, title + end, given, sensitive=None if nested else [name])


def outputs(timeline: Timeline) -> Iterator[str]:
    """Yield the journal, the log and the reports of a run."""
    yield json.dumps([row_of(e) for e in timeline.events if type(e).__name__ in KINDS])
    yield "\n".join(str(line) for line in timeline.log_of.lines(timeline.events))
    report = report_of(timeline, RunTimes(0.0))
    yield to_json(report)
    yield str(timeline.error)


def worlds(host: LocalHost) -> Iterator[tuple[ResourceWorld, dict[str, Any]]]:
    """Yield all kinds of runs; a real one below a folder that has few programs."""
    find = Providers().find
    yield Simulation(find=find), {}
    yield Simulation(find=find), {"noop": True, "puppet_version": 7}
    yield ObservedHost(find=find, host=FileOverlay(host)), {}
    yield PlannedHost(find=find, host=FileOverlay(host)), {"noop": True}
    yield Hosted(find, host), {"noop": True, "look_only": True}
    yield Hosted(find, host), {}


def machine(root: Path) -> LocalHost:
    """Return a host that has little."""
    (root / "etc").mkdir(parents=True)
    (root / "etc/motd").write_text("one\ntwo\n")
    (root / "etc/passwd").write_text("root:x:0:0::/root:/bin/sh\nann:x:1000:1000::/home/ann:\n")
    return LocalHost(str(root))


@pytest.mark.parametrize("kind", PARAMETERS)
def test_what_types_refuse(kind: str) -> None:
    for name in PARAMETERS[kind]:
        for value in VALUES:
            resource = resource_with(kind, name, value)
            for said in refused([resource]):
                assert MARK not in said.lower(), (name, value)


@pytest.mark.parametrize("kind", PARAMETERS)
def test_what_a_run_shows(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Values that types refuse reach providers too, as they do in catalogs without types."""
    monkeypatch.setattr(Run, "refused", lambda _: iter(()))
    monkeypatch.setattr("os.fsync", lambda _: None)
    find = Providers().find
    for name in PARAMETERS[kind]:
        if (kind, name) in NAMES:
            continue
        host = machine(tmp_path / name)
        resources = [resource_with(kind, name, one, str(i)) for i, one in enumerate(VALUES)]
        for world, settings in worlds(host):
            graph = analyzer.relate(with_announced(Catalog(resources, []), find, host))
            run = timeline_of(graph, world, RunSettings(**settings)).run()
            for text in outputs(run):
                assert MARK not in text.lower(), (name, type(world).__name__)


def test_a_message_about_the_secret_of_another_resource(tmp_path: Path) -> None:
    host = machine(tmp_path)
    source = {"target": "/etc/x", "source": f"puppet:///modules/{MARK}/x"}
    whole = Resource("Concat_file", "/etc/x", {})
    part = Resource("Concat_fragment", "a", source, sensitive=["source"])
    schedule = Resource("Schedule", "s", {"range": f"{MARK} - 3"}, sensitive=["range"])
    file = Resource("File", "/etc/y", {"ensure": "file", "schedule": "s"})
    for resources in ([whole, part], [schedule, file]):
        for world, settings in worlds(host):
            run = timeline_of(
                analyzer.relate(Catalog(resources, [])), world, RunSettings(**settings)
            ).run()
            assert run.status == "failed" or type(world) is Simulation
            for text in outputs(run):
                assert MARK not in text.lower(), type(world).__name__


def test_other_messages_are_as_they_were() -> None:
    secrets = secrets_of(
        Resource("File", "/f", {"content": f"No such file {MARK}\n" * 9}, sensitive=["content"])
    )
    assert secrets
    for text in ("No such file or directory @ dir_s_mkdir - /x/y", "Could not find user 1"):
        assert secrets.message(text) == text
    assert MARK not in secrets.message(f"diff: +No such file {MARK}")
