"""Going through a run by itself in both directions, breakpoints as people write them, forks."""

from collections.abc import Callable

import pytest

from analyzer.apply.breakpoints import Breakpoints, parse
from analyzer.apply.engine.commands import (
    Back,
    Command,
    CommandError,
    Continue,
    FinishContainer,
    GoTo,
    Inject,
    RunTo,
    Step,
)
from analyzer.apply.engine.events import Outcome
from analyzer.apply.engine.pages import Pages
from analyzer.apply.timeline import Timeline, timeline_of
from analyzer.session.inputs import graph_of, load_catalog

Document = dict[str, object]


def resource(ref: str, line: int = 1, **parameters: object) -> Document:
    kind, _, title = ref.partition("[")
    found: Document = {"type": kind, "title": title[:-1], "file": "/site/site.pp", "line": line}
    found["kind"] = "class" if kind == "Class" else "compilable_type"
    return {**found, "tags": [kind.lower()], "parameters": parameters}


def made() -> Timeline:
    """Two classes: a holds n1 and n2, b holds n3 (which n2 notifies) and n4, an exec."""
    resources = [
        resource("Stage[main]"),
        resource("Class[A]"),
        resource("Notify[n1]", 3),
        resource("Notify[n2]", 4, notify="Exec[n3]"),
        resource("Class[B]"),
        resource("Exec[n3]", 7, command="/bin/true", refreshonly=True),
        resource("Notify[n4]", 8, require="Exec[n3]"),
    ]
    edges = [
        ("Stage[main]", "Class[A]"),
        ("Class[A]", "Notify[n1]"),
        ("Class[A]", "Notify[n2]"),
        ("Stage[main]", "Class[B]"),
        ("Class[B]", "Exec[n3]"),
        ("Class[B]", "Notify[n4]"),
    ]
    document = {
        "name": "web1",
        "catalog_format": 2,
        "resources": resources,
        "edges": [{"source": s, "target": t} for s, t in edges],
    }
    return timeline_of(graph_of(load_catalog(document)))


def done(line: Timeline) -> list[str]:
    return [str(ref) for ref in line.order]


def stopped(line: Timeline, *texts: str) -> Timeline:
    line.breakpoints = Breakpoints(rows=tuple(parse(text, line.graph) for text in texts))
    return line


OWN = ["Notify[n1]", "Notify[n2]", "Exec[n3]", "Notify[n4]"]


@pytest.mark.parametrize(
    ("command", "left"),
    [
        (Back(Continue()), []),
        (Back(RunTo("Exec[n3]")), OWN[:2]),
        (Back(FinishContainer("Class[A]")), []),
        (Back(RunTo("Class[B]")), OWN[:3]),
    ],
)
def test_back_goes_to_where_the_way_on_would_stop(command: Command, left: list[str]) -> None:
    line = made().run()
    line.do(command)
    assert done(line) == left


def test_what_is_gone_back_is_not_undone() -> None:
    line = made().run()
    known, whole = len(line), done(line)
    line.do(Back(Continue()))
    assert len(line) == known
    assert done(line.run()) == whole


@pytest.mark.parametrize(
    ("text", "behind"),
    [
        ("Exec[n3]", OWN[:2]),
        ("Class[B]", OWN[:2]),
        ("type notify", []),
        ("type notify if step > 1", OWN[:3]),
        ("tag exec", OWN[:2]),
        ("site.pp:8", OWN[:3]),
        ("/site/site.pp:4", OWN[:1]),
        ("change", OWN[:1]),
        ("refresh", OWN[:3]),
        ("change if changed >= 2", OWN[:2]),
        ("type exec if events = 1", OWN[:2]),
    ],
)
def test_breakpoints_as_people_write_them(text: str, behind: list[str]) -> None:
    line = stopped(made(), text)
    if text == "type notify":
        assert line.breakpoints.stops(line.moment)
        return
    line.do(Continue())
    assert done(line) == behind


def test_only_the_first_failure_stops() -> None:
    line = stopped(made(), "first failure")
    for ref in ("Notify[n1]", "Notify[n2]"):
        line.do(Inject(ref, Outcome("fail")))
    line.do(Continue())
    assert done(line) == OWN[:1]
    line.do(Continue())
    assert line.state.phase == "ended"
    line.do(Back(Continue()))
    assert done(line) == OWN[:1]


def test_skips_and_noop_stop() -> None:
    line = stopped(made(), "skip")
    line.do(Inject("Notify[n2]", Outcome("fail")))
    line.do(Continue())
    assert done(line) == OWN[:3]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Notify[nine]", "Notify[nine]"),
        ("type Package", "no resource of the catalog has type Package"),
        ("tag nowhere", "no resource of the catalog has tag nowhere"),
        ("site.pp:99", "no resource of the catalog has site.pp:99"),
        ("sometimes", "a breakpoint is"),
        ("failure if luck > 3", "a condition is like"),
        ("failure if failed", "a condition is like"),
        ("", "a breakpoint is"),
    ],
)
def test_a_breakpoint_that_means_nothing(text: str, said: str) -> None:
    with pytest.raises(CommandError, match=said.replace("[", r"\[")):
        parse(text, made().graph)


def test_a_breakpoint_that_is_off_stops_nothing() -> None:
    from dataclasses import replace

    line = made()
    row = replace(parse("Exec[n3]", line.graph), enabled=False)
    line.breakpoints = Breakpoints(rows=(row,))
    line.do(Continue())
    assert line.state.phase == "ended"


def test_a_fork_goes_its_own_way() -> None:
    line = made()
    line.do(Step(2))
    other = line.fork()
    other.do(Inject("Exec[n3]", Outcome("", "fail")))
    assert other.run().status == "failed"
    assert line.run().status == "changed"
    assert done(line) == done(other)


@pytest.mark.parametrize("steps", [0, 1, 63, 64, 65, 130])
def test_a_fork_of_a_long_run_has_the_same_states(steps: int) -> None:
    resources = [resource(f"Notify[{n}]") for n in range(200)]
    document = {"name": "x", "resources": resources, "edges": []}
    line = timeline_of(graph_of(load_catalog(document))).run()
    whole = line.state
    line.do(GoTo(steps))
    other = line.fork()
    assert other.state == line.state
    assert other.run().state == whole
    assert line.position == steps


@pytest.mark.parametrize(("position", "there"), [(2, 2), (-4, 0), (900, 11)])
def test_go_to_keeps_to_what_is_known(position: int, there: int) -> None:
    line = made().run()
    line.do(GoTo(position))
    assert line.position == there


def same(one: Pages[int], other: Pages[int]) -> set[int]:
    return set(one.changed(other))


@pytest.mark.parametrize(
    ("change", "places"),
    [
        (lambda pages: pages, set()),
        (lambda pages: pages.put(3, 9), {3}),
        (lambda pages: pages.put(3, 9).put(400, 9), {3, 400}),
        (lambda pages: pages.extended(502, 0), {500, 501}),
    ],
)
def test_pages_know_where_they_differ(
    change: Callable[[Pages[int]], Pages[int]], places: set[int]
) -> None:
    pages = Pages([1000 + n for n in range(500)])
    other = change(pages)
    assert same(pages, other) == same(other, pages) == places
