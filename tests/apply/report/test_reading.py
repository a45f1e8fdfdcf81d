"""What Puppet stored is read, in every form the same."""

from __future__ import annotations

import dataclasses
import json

import pytest

from analyzer.apply.report import forms, read_json, read_yaml
from analyzer.apply.report.values import RunReport
from analyzer.apply.report.yaml_values import load

from .recorded_reports import YAML, document_of, json_report, text_of, yaml_report

COMMON = ("failed", "failed_to_restart", "changed", "skipped", "out_of_sync", "change_count")


def test_yaml_and_json_are_the_same_report() -> None:
    assert yaml_report("second") == json_report("second")


@pytest.mark.parametrize("name", YAML)
def test_layout_and_yaml_parser_agree(name: str) -> None:
    document, tag = load(text_of(f"{name}.yaml"))
    assert tag == read_yaml.TAG
    assert forms.report(document) == yaml_report(name)


@pytest.mark.parametrize(
    ("name", "version", "format_", "count"),
    [
        ("second", "7.23.0", 12, 46),
        ("second-6.28.0", "6.28.0", 11, 46),
        # Puppet 8 leaves out what did not change.
        ("second-8.10.0", "8.10.0", 12, 30),
    ],
)
def test_versions(name: str, version: str, format_: int, count: int) -> None:
    report = yaml_report(name)
    assert (report.puppet_version, report.report_format) == (version, format_)
    assert len(report.resource_statuses) == count
    assert report.metric("resources")["total"] == 46


def test_format_10_names_the_master() -> None:
    text = text_of("second-6.28.0.yaml").replace("report_format: 11", "report_format: 10")
    report = read_yaml.read(text + "master_used: puppet.example.com:8140\n", "x")
    assert report.report_format == 10
    assert report.server_used == "puppet.example.com:8140"


def test_what_happened_in_the_second_run() -> None:
    report = yaml_report("second")
    by_ref = {one.resource: one for one in report.resource_statuses}
    assert report.corrective_change is True
    conf = by_ref["File[/srv/demo/web.conf]"]
    assert (conf.changed, conf.corrective_change, conf.file, conf.line) == (True, True, "", 10)
    assert by_ref["Exec[reload web]"].restarted
    assert by_ref["Exec[broken restart]"].failed_to_restart
    assert by_ref["Notify[after broken]"].skipped
    assert by_ref["Notify[only said]"].pending
    assert by_ref["Exec[one of]"].events[0].desired_value == ["0", "3"]
    titles = {one.title for one in report.resource_statuses}
    odd = ["yes", "12", "0x1", "~", "1e3", ":word", "- dash", " lead", "a: b", "c #d", "it's"]
    assert titles >= {*odd, '"q"', "tab\there", "2024-01-02", "tröst — 雪 😀"}
    assert titles >= {"two\nlines, and\n\n  more", "  deep\n lines"}


@pytest.mark.parametrize("name", YAML)
def test_secrets_are_not_there(name: str) -> None:
    secret = next(
        one for one in yaml_report(name).resource_statuses if str(one.title).endswith("secret")
    )
    for event in secret.events:
        assert event.redacted
        assert {event.previous_value, event.desired_value} == {"[redacted]"}


def test_values_of_a_redacted_event_are_dropped_wherever_they_come_from() -> None:
    document = document_of("second")
    event = document["resource_statuses"]["File[/srv/demo/secret]"]["events"][0]
    event["desired_value"] = {"__ptype": "Sensitive", "__pvalue": "hunter2"}
    event["previous_value"] = "hunter2"
    assert "hunter2" not in repr(forms.report(json.loads(json.dumps(document))))
    text = text_of("second.yaml").replace('"[redacted]"', "hunter2")
    assert "hunter2" in text
    assert "hunter2" not in repr(read_yaml.read(text, "x"))


def test_command_of_puppetdb() -> None:
    wire = document_of("second.wire")
    same_run(read_json.from_document(wire, "x"))
    command = {"command": "store report", "version": 8, "payload": wire}
    same_run(read_json.from_document(command, "x"))


def same_run(found: RunReport) -> None:
    """Has what PuppetDB keeps of the run that was recorded."""
    wanted = yaml_report("second")
    assert [one.resource for one in found.resource_statuses] == [
        one.resource for one in wanted.resource_statuses
    ]
    for ours, theirs in zip(found.resource_statuses, wanted.resource_statuses, strict=True):
        for name in COMMON:
            assert getattr(ours, name) == getattr(theirs, name), (ours.resource, name)
    assert {m.name: {n: v for n, _, v in m.values} for m in found.metrics} == {
        m.name: {n: v for n, _, v in m.values} for m in wanted.metrics
    }
    assert (found.host, found.status, len(found.logs)) == (
        wanted.host,
        wanted.status,
        len(wanted.logs),
    )
    assert not found.complete


def query_answer() -> dict[str, object]:
    """The recorded run as PuppetDB's query endpoint has it: events of resources, `data` inside."""
    wire = document_of("second.wire")
    events = []
    for row in wire.pop("resources"):
        place = {key: row[key] for key in ("resource_type", "resource_title", "file", "line")}
        place["containment_path"] = row["containment_path"]
        if row["skipped"]:
            events.append({**place, "status": "skipped", "timestamp": row["timestamp"]})
        events += [{**place, **event} for event in row["events"]]
    return {
        **wire,
        "resource_events": {"href": "/pdb/query/v4/reports/x/events", "data": events[::-1]},
        "logs": {"href": "", "data": wire["logs"]},
        "metrics": {"href": "", "data": wire["metrics"]},
    }


def test_answer_of_puppetdb_has_what_something_happened_to() -> None:
    wanted = {
        one.resource: one
        for one in yaml_report("second").resource_statuses
        if one.events or one.skipped
    }
    found = read_json.from_document([query_answer()], "x")
    assert {one.resource for one in found.resource_statuses} == set(wanted)
    for one in found.resource_statuses:
        for name in COMMON:
            assert getattr(one, name) == getattr(wanted[one.resource], name), (one.resource, name)


def test_older_yaml_with_objects_and_symbols() -> None:
    text = """--- !ruby/object:Puppet::Transaction::Report
  metrics:
    resources: !ruby/object:Puppet::Util::Metric
      name: resources
      label: Resources
      values:
        - - total
          - Total
          - 1
  logs:
    - !ruby/object:Puppet::Util::Log
      level: !ruby/sym notice
      tags: !ruby/object:Puppet::Util::TagSet
        hash:
          notice: true
      message: done
      source: Puppet
      time: 2013-01-26 10:46:29.123456 +01:00
  resource_statuses:
    "Notify[a]": !ruby/object:Puppet::Resource::Status
      resource: "Notify[a]"
      file: &id001 /etc/puppet/site.pp
      line: 1
      evaluation_time: 0.5
      events:
        - !ruby/object:Puppet::Transaction::Event
          name: !ruby/sym message_changed
          status: success
          desired_value: !ruby/sym present
          previous_value: *id001
      title: a
      resource_type: Notify
  host: web1.example.com
  report_format: 3
  status: changed
"""
    report = read_yaml.read(text, "x")
    (status,) = report.resource_statuses
    (event,) = status.events
    assert (event.name, event.desired_value, event.previous_value) == (
        "message_changed",
        "present",
        "/etc/puppet/site.pp",
    )
    assert report.logs[0].time == "2013-01-26 10:46:29.123456 +01:00"
    assert (report.logs[0].level, report.logs[0].tags) == ("notice", ("notice",))


def test_all_fields_of_the_values_stand_in_the_tables() -> None:
    for table, value in (
        (forms.EVENT, "RecordedEvent"),
        (forms.STATUS, "RecordedStatus"),
        (forms.LOG, "LogLine"),
    ):
        fields = dataclasses.fields(getattr(forms, value))
        assert [name for name, _ in table] == [field.name for field in fields]
    names = [name for name, _ in forms.HEAD]
    assert names == [field.name for field in dataclasses.fields(RunReport)][: len(names)]
