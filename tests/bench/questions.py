"""Queries and differences against reading what they are about."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random

from analyzer.graph.relationship_graph import RelationshipGraph
from analyzer.session.inputs import graph_of, load_catalog

from . import inputs
from .measure import Row, cpu, take_turns

METAPARAMETERS = ("require", "before", "notify", "subscribe")


def read(path: Path) -> RelationshipGraph:
    """The graph of a catalog's file."""
    return graph_of(load_catalog(path))


@cache
def edited(resources: int) -> Path:
    """The mixed catalog after a release: some files are gone, some changed, some ordered anew."""
    document = json.loads(inputs.mixed(resources).read_text())
    rows, rng = document["resources"], Random(1)
    files = [row for row in rows if row["type"] == "File"]
    gone = {f"File[{row['title']}]" for row in rng.sample(files, len(files) // 100)}
    left = [row for row in files if f"File[{row['title']}]" not in gone]
    for row in rng.sample(left, len(left) // 50):
        row["parameters"]["mode"] = "0700"
    for first in rng.sample(range(len(left) - 50), len(left) // 50):
        left[first]["parameters"]["before"] = f"File[{left[first + rng.randrange(1, 50)]['title']}]"
    for row in rows:
        for name in set(METAPARAMETERS) & set(row["parameters"]):
            value = row["parameters"][name]
            listed = value if isinstance(value, list) else [value]
            row["parameters"][name] = [ref for ref in listed if ref not in gone]
    document["resources"] = [r for r in rows if f"{r['type']}[{r['title']}]" not in gone]
    document["edges"] = [edge for edge in document["edges"] if edge["target"] not in gone]
    return inputs.stored(f"edited_{resources}", lambda: document)


def difference() -> Iterator[Row]:
    """Two catalogs of 10,000 resources compared."""
    paths = inputs.mixed(10_000), edited(10_000)
    first, second = map(read, paths)
    mine, theirs = take_turns(
        5, cpu(lambda: first.diff(second)), cpu(lambda: [read(path) for path in paths])
    )
    yield Row("diff, 10,000 resources", mine, "reading both", theirs, 3)


def query() -> Iterator[Row]:
    """What lies between files and services, and is not tagged: of 50,000 resources."""
    path = inputs.mixed(50_000)
    graph = read(path)
    text = "path(type = File, type = Service) and not (tag = ntp or isolated)"
    mine, theirs = take_turns(5, cpu(lambda: graph.query(text)), cpu(lambda: read(path)))
    yield Row("query, 50,000 resources", mine, "reading it", theirs, 1)


ROWS = (query, difference)
