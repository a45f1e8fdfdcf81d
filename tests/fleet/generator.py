"""Makes a fleet of catalogs with 12 known causes, and tells which nodes have which.

python -m tests.fleet.generator FOLDER NODES RESOURCES
"""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from sample_catalogs.large import large_catalog

Row = dict[str, Any]
ROOT = "/etc/puppetlabs/code/environments"

# name of a cause: resources as (type, title, line, parameters); {n} is the node's name, {h} its
# first label, {x} a word that differs in every node.
CAUSES: dict[str, list[tuple[str, str, int, Row]]] = {
    "require loop": [
        ("Package", "app", 3, {"require": "File[/etc/app.conf]"}),
        ("File", "/etc/app.conf", 7, {"require": "Package[app]"}),
    ],
    "name in titles": [
        ("File", "/srv/{n}", 3, {"require": "Exec[make {h}]"}),
        ("Exec", "make {h}", 9, {"command": "/bin/true", "require": "File[/srv/{n}]"}),
    ],
    "other titles": [
        ("File", "/data/{x}", 3, {"before": "Exec[scan {x}]"}),
        ("Exec", "scan {x}", 8, {"command": "/bin/true", "before": "File[/data/{x}]"}),
    ],
    "three resources": [
        ("Package", "three", 2, {"require": "Service[three]"}),
        ("File", "/etc/three", 5, {"require": "Package[three]"}),
        ("Service", "three", 9, {"require": "File[/etc/three]"}),
    ],
    "events": [
        ("File", "/etc/loop", 4, {"notify": "Service[loop]"}),
        ("Service", "loop", 8, {"notify": "File[/etc/loop]"}),
    ],
    "subscribe": [
        ("Service", "sub", 4, {"subscribe": "Exec[sub]"}),
        ("Exec", "sub", 8, {"command": "/bin/true", "subscribe": "Service[sub]"}),
    ],
    "automatic": [
        ("User", "auto", 4, {"require": "File[/home/auto/x]"}),
        ("File", "/home/auto/x", 8, {"owner": "auto"}),
        ("Exec", "auto", 9, {"command": "/bin/true", "before": "User[auto]"}),
        ("Group", "auto", 10, {"require": "User[auto]", "before": "Exec[auto]"}),
    ],
    "itself": [("Exec", "itself", 6, {"command": "/bin/true", "require": "Exec[itself]"})],
    "collector": [
        ("Exec", "update", 5, {"command": "/bin/true", "before": ["{packages}"]}),
        ("File", "/etc/list", 9, {"before": "Exec[update]", "require": "Package[many 3]"}),
        *[("Package", f"many {n}", 12, {}) for n in range(9)],
    ],
    "same file, other line": [
        ("Notify", "one", 20, {"require": "Notify[two]"}),
        ("Notify", "two", 21, {"require": "Notify[one]"}),
    ],
    "defined type": [
        ("My::Thing", "{x}", 30, {"require": "Notify[in {x}]"}),
        ("Notify", "in {x}", 31, {"require": "My::Thing[{x}]"}),
    ],
    "missing": [("Notify", "lost", 40, {"require": "Service[nowhere]"})],
}


@cache
def base(size: int, seed: int) -> str:
    """Return a healthy catalog, in JSON."""
    return json.dumps(large_catalog(size, seed)) if size else ""


def catalog(name: str, causes: list[str], rng: Random, size: int = 0) -> Row:
    """Return the catalog of a node with some causes; the order of resources is random."""
    environment = rng.choice(["production", "next"])
    main_class = {"type": "Class", "title": "main", "kind": "class"}
    empty: Row = {"resources": [main_class], "edges": [], "classes": []}
    body: Row = json.loads(base(size, rng.randrange(20))) if size else empty
    made: list[Row] = []
    for cause in causes:
        for kind, title, line, parameters in CAUSES[cause]:
            words = {"n": name, "h": name.partition(".")[0], "x": f"x{rng.randrange(10**9):09}"}
            made.append(resource(kind, title, line, parameters, cause, environment, words))
        # One word for all resources of a cause.
        own = made[-len(CAUSES[cause]) :]
        text = json.dumps(own)
        made[-len(CAUSES[cause]) :] = json.loads(text.replace("{x}", words["x"]))
    rng.shuffle(made)
    body.update(name=name, environment=environment, version=rng.randrange(10**6))
    body["resources"] = [*body["resources"], *made]
    main = "Class[main]" if any(r["type"] == "Class" for r in body["resources"]) else None
    ends = [{"source": main, "target": f"{r['type']}[{r['title']}]"} for r in made if main]
    body["edges"] = [*body["edges"], *ends]
    return body


def resource(
    kind: str, title: str, line: int, parameters: Row, cause: str, environment: str, words: Row
) -> Row:
    """Return a resource; {x} is left for later."""
    file = f"{ROOT}/{environment}/modules/{cause.replace(' ', '_')}/manifests/init.pp"
    packages = [f"Package[many {n}]" for n in range(9)]
    text = json.dumps({"title": title, "parameters": parameters})
    text = text.replace("{n}", words["n"]).replace("{h}", words["h"])
    text = text.replace('["{packages}"]', json.dumps(packages))
    row: Row = json.loads(text)
    return {"type": kind, "file": file, "line": line, "exported": False, "tags": [], **row}


def nodes(count: int, size: int = 0, seed: int = 1) -> Iterator[tuple[Row, list[str]]]:
    """Yield catalogs with their causes: half of the nodes are healthy, some have two."""
    rng = Random(seed)
    kinds = list(CAUSES)
    for number in range(count):
        name = f"web{number}.example.com"
        few = rng.choice([0, 0, 1, 2]) if number >= len(kinds) else 1
        causes = rng.sample(kinds, few) if number >= len(kinds) else [kinds[number]]
        yield catalog(name, causes, rng, size), causes


def write(folder: Path, count: int, size: int = 0, seed: int = 1) -> dict[str, set[str]]:
    """Write a fleet; return the nodes of each cause."""
    expected: dict[str, set[str]] = {cause: set() for cause in CAUSES}
    for number, (body, causes) in enumerate(nodes(count, size, seed)):
        below = folder / f"part{number % 7}"
        below.mkdir(parents=True, exist_ok=True)
        data = json.dumps(body).encode()
        packed = number % 5 == 0
        path = below / f"{body['name']}.json{'.gz' * packed}"
        path.write_bytes(gzip.compress(data) if packed else data)
        for cause in causes:
            expected[cause].add(body["name"])
    return expected


if __name__ == "__main__":
    write(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
