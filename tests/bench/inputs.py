"""The catalogs that are measured, written once into build/bench."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from sample_catalogs.large import large_catalog

FOLDER = Path(__file__).parents[2] / "build" / "bench"

Document = dict[str, Any]


def stored(name: str, make: Callable[[], Document]) -> Path:
    """Write a catalog as Puppet writes it: without spaces."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = FOLDER / f"{name}.json"
    path.write_text(json.dumps(make(), separators=(",", ":")))
    return path


@cache
def mixed(resources: int) -> Path:
    """A catalog of all the usual types, half of it files with owners; without a cycle."""
    return stored(f"mixed_{resources}", lambda: large_catalog(resources))


def small() -> Path:
    """A catalog of a usual size."""
    return mixed(1000)


@cache
def notify_only(resources: int) -> Path:
    """A catalog without any type that has automatic relationships."""
    return stored(f"notify_{resources}", lambda: large_catalog(resources, notify_only=True))


def notifies(parameters: dict[str, dict[str, Any]]) -> Document:
    """A catalog of notify resources, by title."""
    resources = [
        {
            "type": "Notify",
            "title": title,
            "kind": "compilable_type",
            "file": "manifests/site.pp",
            "line": line,
            "parameters": given,
        }
        for line, (title, given) in enumerate(parameters.items(), 1)
    ]
    return {"name": "node", "environment": "production", "resources": resources, "edges": []}


def layers(count: int, width: int) -> Document:
    """Layers of resources, all of one before all of the next, and one edge back."""
    titles = [[f"layer {n} step {m}" for m in range(width)] for n in range(count)]
    after = [[f"Notify[{title}]" for title in layer] for layer in titles[1:]]
    parameters: dict[str, dict[str, Any]] = {
        title: {"before": ahead}
        for layer, ahead in zip(titles, [*after, []], strict=True)
        for title in layer
    }
    parameters[titles[-1][0]] = {"before": [f"Notify[{titles[0][0]}]"]}
    return notifies(parameters)


@cache
def layered() -> Path:
    """Seven layers of twenty: Puppet's search for one path takes seconds and a gigabyte."""
    return stored("layers_20x7", lambda: layers(7, 20))


def collector_chain(width: int) -> Document:
    """What `Notify <| tag == a |> -> Notify <| tag == b |>` becomes."""
    return layers(2, width)
