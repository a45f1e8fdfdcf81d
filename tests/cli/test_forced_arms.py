"""Cycles behind tests whose values nobody can guess: with the arms that they need."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analyzer.frontends.puppet.worlds.outcomes import Place
from analyzer.session.worlds.forced import TRIES, ForcedArms
from tests.cli.conftest import Run

CYCLE = "notify { 'a': require => Notify['b'] } notify { 'b': require => Notify['a'] }"
ORDERED = "notify { ['f', 'g']: }"


def conditions(run: Run, folder: Path, code: str, *words: str) -> list[list[tuple[str, object]]]:
    """Return the conditions of the cycles of a class, `$x` of which is unknown: place and value."""
    for name, text in {
        "manifests/site.pp": "node 'n' { include app }\n",
        "modules/app/manifests/init.pp": f"class app {{\n$x = $facts['mine'][1]\n{code}\n}}\n",
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    document = json.loads(run("lint", folder, "--format", "json", "--no-cache", *words).out)
    rows = [row["condition"] for row in document["findings"] if row["code"] == "CG301"]
    return [[(part["input"].rpartition(":")[2], part["value"]) for part in row] for row in rows]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (f"if $x['y'] {{ {CYCLE} }}", [[("3", True)]]),
        (f"if $x['y'] {{ }} else {{ {CYCLE} }}", [[("3", False)]]),
        (f"unless $x['y'] {{ {CYCLE} }}", [[("3", False)]]),
        (f"if $x['y'] {{\nif $x['z'] {{ }} else {{ {CYCLE} }} }}", [[("3", True), ("4", False)]]),
        (f"if $x['y'] {{ }} elsif $x['z'] {{ {CYCLE} }}", [[("3", False), ("3", True)]]),
        (f"case $x['y'] {{ 'o': {{ }} 'p': {{ {CYCLE} }} }}", [[("3", "option 2")]]),
        (f"case $x['y'] {{ 'o': {{ }} default: {{ {CYCLE} }} }}", [[("3", "option 2")]]),
        # Two constructs apart may contradict each other, and each alone has no cycle.
        (
            f"{ORDERED} if $x['y'] {{ Notify['f'] -> Notify['g'] }}\n"
            "if $x['z'] { Notify['g'] -> Notify['f'] }",
            [],
        ),
        # An arm that is needed beside code that is always there.
        (f"{ORDERED} Notify['f'] -> Notify['g'] if $x['y'] {{ Notify['g'] -> Notify['f'] }}",
         [[("3", True)]]),
        # No arm of what is known is taken against what is known.
        (f"if false {{ {CYCLE} }}", []),
        # The program refuses to go on there.
        (f"if $x['y'] {{ {CYCLE} fail('no') }}", []),
        # Another guess ends each world in which the arm is taken.
        (f"if $facts['b'] == 'q' {{ {CYCLE} }}\nInteger[1, $facts['n']].each |$i| {{ }}",
         [[("3", True)]]),
    ],
)  # fmt: skip
def test_arms(code: str, expected: object, run: Run, tmp_path: Path) -> None:
    assert conditions(run, tmp_path, code) == expected


def test_facts_that_are_given_decide(run: Run, tmp_path: Path) -> None:
    facts = tmp_path / "facts.json"
    code = f"if $x == 1 {{ {CYCLE} }}"
    facts.write_text(json.dumps({"mine": [0, 2]}))
    assert conditions(run, tmp_path, code, "--facts", str(facts)) == []
    assert conditions(run, tmp_path, code) == [[("3", True)]]


def test_words(run: Run, tmp_path: Path) -> None:
    conditions(run, tmp_path, f"case $x {{ 1: {{ {CYCLE} }} default: {{ }} }}")
    done = run("lint", tmp_path)
    assert done.code == 1
    assert "(if the case at " in done.out
    assert "modules/app/manifests/init.pp:3 takes option 1)" in done.out


def test_more_cycles_than_are_tried_are_told(run: Run, tmp_path: Path) -> None:
    own = "if $x['k{0}'] {{ notify {{ 'n{0}': require => Notify['n{0}'] }} }}\n"
    count = TRIES + 4
    assert len(conditions(run, tmp_path, "".join(map(own.format, range(count))))) == TRIES
    # The node, and its class by itself.
    assert "not explored: 2 nodes or classes" in run("lint", tmp_path).out


def test_twice_the_conditions_take_twice_the_steps(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = []
    end_of = ForcedArms.end_of

    def counted(self: ForcedArms, place: Place) -> int:
        steps.append(place)
        return end_of(self, place)

    monkeypatch.setattr(ForcedArms, "end_of", counted)
    counts = []
    for number in (50, 100):
        steps.clear()
        code = (f"if $x['k{one}'] {{ notify {{ 'n{one}': }} }}\n" for one in range(number))
        assert conditions(run, tmp_path / str(number), "".join(code)) == []
        counts.append(len(steps))
    assert 0 < counts[0] < counts[1] < 3 * counts[0]
