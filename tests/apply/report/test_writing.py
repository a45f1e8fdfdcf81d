"""What is written is what was read, and figures are Puppet's."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.apply.report import forms, metrics, read_json, read_yaml, write
from analyzer.apply.report.values import LogLine, RecordedEvent, RecordedStatus, RunReport
from analyzer.apply.report.yaml_values import load
from tests.amount import examples

from .recorded_reports import YAML, document_of, text_of, yaml_report
from .strategies import DATA, SECONDS, TEXTS

OF_RUN = ("config_retrieval", "transaction_evaluation", "catalog_application", "total")

FLAGS = st.none() | st.booleans()
EVENTS = st.builds(
    RecordedEvent,
    property=st.none() | TEXTS,
    previous_value=DATA,
    desired_value=DATA,
    message=TEXTS,
    name=TEXTS,
    status=st.sampled_from(["success", "failure", "noop", "audit"]),
    time=TEXTS,
    redacted=st.just(False),
)
STATUSES = st.builds(
    RecordedStatus,
    title=TEXTS,
    file=st.none() | TEXTS,
    line=st.none() | st.integers(0),
    resource=TEXTS,
    resource_type=TEXTS,
    provider_used=st.none() | TEXTS,
    containment_path=st.lists(TEXTS, max_size=3).map(tuple),
    evaluation_time=SECONDS,
    tags=st.lists(TEXTS, max_size=3).map(tuple),
    time=TEXTS,
    failed=FLAGS,
    events=st.lists(EVENTS, max_size=2).map(tuple),
)
LOGS = st.builds(LogLine, TEXTS, TEXTS, TEXTS, st.lists(TEXTS, max_size=2).map(tuple), TEXTS)
REPORTS = st.builds(
    RunReport,
    host=TEXTS,
    time=TEXTS,
    status=TEXTS,
    logs=st.lists(LOGS, max_size=2).map(tuple),
    resource_statuses=st.lists(STATUSES, max_size=4, unique_by=lambda one: one.resource).map(tuple),
)


@pytest.mark.parametrize("name", YAML)
def test_round_trip_of_recorded_reports(name: str) -> None:
    report = yaml_report(name)
    assert read_yaml.read(write.to_yaml(report), "x") == report
    assert read_json.from_document(json.loads(write.to_json(report)), "x") == report


@pytest.mark.parametrize("name", ["first", "second", "noop", "second-6.28.0", "second-8.10.0"])
def test_reports_of_puppet_are_written_byte_for_byte(name: str) -> None:
    assert write.to_yaml(yaml_report(name)) == text_of(f"{name}.yaml")


@given(REPORTS)
@settings(max_examples=examples(300))
def test_round_trip_of_any_report(report: RunReport) -> None:
    text = write.to_yaml(report)
    assert read_yaml.read(text, "x") == report
    # By the YAML parser alone, which does not know Psych's layout.
    assert forms.report(load(text)[0]) == report
    assert read_json.from_document(json.loads(write.to_json(report)), "x") == report


class Plain(yaml.SafeLoader):
    """PyYAML by itself, tags of Ruby's objects left aside."""


def plain_mapping(loader: Any, suffix: str, node: Any) -> Any:
    return loader.construct_mapping(node, deep=True)


Plain.add_multi_constructor("!ruby/object:", plain_mapping)


def test_other_readers_of_yaml_read_it() -> None:
    document = yaml.load(write.to_yaml(yaml_report("second")), Plain)
    assert document["resource_statuses"] == document_of("second")["resource_statuses"]


@pytest.mark.parametrize("name", ["first", "second", "noop", "second-6.28.0"])
def test_figures_are_those_of_puppet(name: str) -> None:
    report = yaml_report(name)
    bare = dataclasses.replace(
        report, metrics=(), status=None, noop_pending=None, corrective_change=None
    )
    times = {key: value for key, _, value in report.metric("time").values if key in OF_RUN}
    completed = bool(report.transaction_completed)
    assert metrics.finished(bare, times, completed=completed) == report


@pytest.mark.parametrize("name", ["first", "second", "noop"])
def test_figures_are_those_of_the_summary_that_puppet_writes(name: str) -> None:
    summary = yaml.safe_load(text_of(f"{name}.summary.yaml"))
    statuses = yaml_report(name).resource_statuses
    assert metrics.resource_figures(statuses) == summary["resources"]
    assert metrics.event_figures(statuses).items() <= summary["events"].items()
    figures = metrics.time_figures(statuses, {})
    assert {key: summary["time"][key] for key in figures} == pytest.approx(figures)
