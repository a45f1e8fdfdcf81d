"""Whatever a file holds, it is a report or one clear error, soon and in little memory."""

from __future__ import annotations

import json
import string
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.apply.report import runs
from analyzer.diagnostics import InputError
from tests.amount import examples

from .recorded_reports import document_of, short_text, text_of

TAG = "--- !ruby/object:Puppet::Transaction::Report\n"
SECOND = text_of("second.yaml")


def laughs() -> str:
    """A hash of lists of nine aliases of the one before each."""
    lines = [f"a: &a [{','.join('x' * 9)}]"]
    for before, name in zip(string.ascii_lowercase, string.ascii_lowercase[1:13], strict=False):
        lines.append(f"{name}: &{name} [{','.join([f'*{before}'] * 9)}]")
    return TAG + "\n".join(lines) + "\nresource_statuses: {}\n"


def refused(data: str | bytes) -> str:
    """The one error that reading gives."""
    raw = data if isinstance(data, bytes) else data.encode()
    with pytest.raises(InputError) as caught:
        runs.load(raw, "run")
    assert "\n" not in caught.value.message
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        pytest.param(SECOND[: len(SECOND) // 2], "ends too early", id="half"),
        pytest.param(SECOND[:300], "ends too early", id="head"),
        pytest.param(SECOND[: SECOND.rindex("corrective_change")], "ends too early", id="last key"),
        pytest.param(SECOND[: SECOND.index("resource_type:") + 10], "run:", id="within a key"),
        pytest.param("--- !ruby/object:Puppet::Node::Facts\na: 1\n", "Puppet::Node::Facts", id="o"),
        pytest.param("---\na: 1\n", "not the report of a run", id="other YAML"),
        pytest.param("hello\n", "neither JSON nor", id="text"),
        pytest.param(TAG + "resource_statuses:\n- 1\n", "is a list", id="list"),
        pytest.param(TAG + "resource_statuses: 1\n", "is a number", id="number"),
        pytest.param(TAG + "resource_statuses:\n  a: b\n", "a text, not an object", id="status"),
        pytest.param(laughs(), "too many values", id="laughs"),
        pytest.param(TAG + "resource_statuses: {}\na: &a [*a]\n", "nothing before it", id="self"),
        pytest.param(TAG + "resource_statuses: " + "[" * 200_000, "too deeply", id="deep"),
        pytest.param(TAG + "resource_statuses:\n  a: \0\n", "control characters", id="nul"),
        pytest.param(TAG + "resource_statuses:\n  ? [a]\n  : b\n", "key is not text", id="key"),
        pytest.param(b"---\nresource_statuses: \xff\n", "not UTF-8", id="bytes"),
        pytest.param("[]", "holds 0 reports", id="no report"),
        pytest.param('{"a": 1}', "not the report of a run", id="other JSON"),
        pytest.param('{"resource_statuses": {"a":', "not JSON", id="half JSON"),
        pytest.param('{"resource_statuses": ' + "[" * 100_000, "too deeply", id="deep JSON"),
        pytest.param('{"order": [1], "resources": {}}', "not a list of references", id="order"),
        pytest.param('{"order": ["a"], "resources": {"a": 1}}', "known form", id="outcome"),
        pytest.param('{"certname": "a", "start_time": ""}', "neither 'resources'", id="wire"),
    ],
)
def test_one_error(text: str | bytes, says: str) -> None:
    assert says in refused(text)


CHANGES: dict[str, Callable[[Any], Any]] = {
    "'resource_statuses' is null": lambda d: d.update(resource_statuses=None),
    "A[b]: a text, not an object": lambda d: d["resource_statuses"].update({"A[b]": "x"}),
    "Exec[broken]: 'events'": lambda d: broken(d).update(events={"a": 1}),
    "Exec[broken]: 'line': a list": lambda d: broken(d).update(line=[1]),
    "Exec[broken]: 'failed': a text": lambda d: broken(d).update(failed="no"),
    "'metrics' is a list": lambda d: d.update(metrics=[1]),
    "the metric 'time'": lambda d: d["metrics"]["time"].update(values=[["a", "A", "x"]]),
    "a text where a list": lambda d: d.update(logs="x"),
    "'host': an object": lambda d: d.update(host={}),
}


def broken(document: Any) -> Any:
    return document["resource_statuses"]["Exec[broken]"]


@pytest.mark.parametrize(
    ("name", "literal", "says"),
    [
        ("previous_value", "[" * 900 + "]" * 900, "data nested more than 100 deep"),
        ("desired_value", '{"a":' * 200 + "1" + "}" * 200, "data nested more than 100 deep"),
        ("desired_value", "NaN", "NaN and infinite numbers are not JSON"),
        ("desired_value", "-1e999", "NaN and infinite numbers are not JSON"),
    ],
)
def test_values_that_nothing_can_show(name: str, literal: str, says: str) -> None:
    document = document_of("second")
    events = next(row["events"] for row in document["resource_statuses"].values() if row["events"])
    events[0][name] = "@"
    assert says in refused(json.dumps(document).replace('"@"', literal))


def test_seconds_that_no_float_has() -> None:
    document = document_of("second")
    next(iter(document["resource_statuses"].values()))["evaluation_time"] = 10**400
    assert "a number was expected" in refused(json.dumps(document))


@pytest.mark.parametrize("says", CHANGES)
def test_wrong_values_are_told_by_name(says: str) -> None:
    document = document_of("second")
    CHANGES[says](document)
    assert says in refused(json.dumps(document))


# What a text begins with, what it repeats how often, and what it ends with.
LONG = {
    "scalar": ("x: '", "a", 40_000_000, "'\nresource_statuses:\n"),
    "logs": ("logs:\n", "- a\n", 10_000_000, "resource_statuses:\n"),
    "lines": ("resource_statuses:\n  a:\n    title:", "\n     \n", 6_000_000, ""),
    "records": ("resource_statuses:\n", "  a: b\n", 6_000_000, ""),
}


@pytest.mark.parametrize("name", LONG)
def test_forty_megabytes_of_something_else_are_refused_at_once(name: str) -> None:
    head, part, count, tail = LONG[name]
    refused(TAG + head + part * count + tail)


LINES = short_text().splitlines(keepends=True)


@pytest.mark.slow
@given(st.data())
@settings(max_examples=examples(150))
def test_damaged_lines_never_give_another_error(data: st.DataObject) -> None:
    lines = LINES[:]
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(lines) - 1))
        lines[place] = data.draw(
            st.sampled_from(["", lines[place][1:], " " + lines[place], lines[place] * 2, "  - x\n"])
            | st.text(max_size=20)
        )
    with suppress(InputError):
        runs.load("".join(lines).encode("utf-8", "surrogatepass"), "run")
