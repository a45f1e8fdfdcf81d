"""Random edits of recorded catalogs: what no compiler would write, but a reader must survive."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from .case import read_case
from .harness import MODULES, Question
from .record import CASES

Catalog = dict[str, Any]
Mutation = Callable[[Catalog, Random], None]

_PARAMETERS = ("require", "before", "notify", "subscribe")
_COPIED = ("File", "Exec", "User", "Mount", "Package", "Cron")
_OWNERS = ("alice", "bob", 0, "0", "1000", 1000, "web", "")
_PATHS = ("/srv", "/data/x/", "/data//y", "/data/x/../z", "/", "/a/b/c/d")


def mutated_questions(count: int, seed: int) -> Iterator[Question]:
    """Yield catalogs, each a recorded one with one to six random edits."""
    rng = Random(seed)
    files = sorted(CASES.glob("*.txt"))
    for number in range(count):
        catalog = copy.deepcopy(read_case(rng.choice(files).read_text(encoding="utf-8")).catalog)
        for _ in range(rng.randint(1, 6)):
            rng.choice(_MUTATIONS)(catalog, rng)
        yield {"id": f"mutated-{number}", "catalog": catalog, "modulepath": [str(MODULES)]}


def _refs(catalog: Catalog) -> list[str]:
    return [f"{r['type']}[{r['title']}]" for r in catalog["resources"]]


def _containers(catalog: Catalog) -> list[str]:
    return [ref for ref in _refs(catalog) if ref.startswith(("Class[", "Stage["))]


def _some(catalog: Catalog, rng: Random) -> dict[str, Any]:
    resource: dict[str, Any] = rng.choice(catalog["resources"])
    resource.setdefault("parameters", {})
    return resource


def _relate(catalog: Catalog, rng: Random) -> None:
    parameters = _some(catalog, rng)["parameters"]
    name, ref = rng.choice(_PARAMETERS), rng.choice(_refs(catalog))
    value = rng.choice([ref, ref, ref.lower(), [ref], [[ref], ref]])
    old = parameters.get(name, [])
    keep = rng.random() < 0.8
    parameters[name] = [*(old if isinstance(old, list) else [old]), value] if keep else value


def _move(catalog: Catalog, rng: Random) -> None:
    if catalog["edges"]:
        rng.choice(catalog["edges"])["source"] = rng.choice(_containers(catalog))


def _contain(catalog: Catalog, rng: Random) -> None:
    contents = [ref for ref in _refs(catalog) if not ref.startswith("Stage[")]
    edge = {"source": rng.choice(_containers(catalog)), "target": rng.choice(contents)}
    catalog["edges"].append(edge)


def _release(catalog: Catalog, rng: Random) -> None:
    if catalog["edges"]:
        catalog["edges"].pop(rng.randrange(len(catalog["edges"])))


def _shuffle_resources(catalog: Catalog, rng: Random) -> None:
    rng.shuffle(catalog["resources"])


def _shuffle_edges(catalog: Catalog, rng: Random) -> None:
    rng.shuffle(catalog["edges"])


def _alias(catalog: Catalog, rng: Random) -> None:
    one, other = f"zz{rng.randrange(9)}", f"q{rng.randrange(9)}"
    _some(catalog, rng)["parameters"]["alias"] = rng.choice([one, [other, "w"]])


def _own(catalog: Catalog, rng: Random) -> None:
    resource = _some(catalog, rng)
    if resource["type"] == "File":
        resource["parameters"][rng.choice(("owner", "group"))] = rng.choice(_OWNERS)


def _repath(catalog: Catalog, rng: Random) -> None:
    resource = _some(catalog, rng)
    if resource["type"] == "File":
        resource["parameters"]["path"] = rng.choice(_PATHS)


def _copy_parameters(catalog: Catalog, rng: Random) -> None:
    resource, other = _some(catalog, rng), _some(catalog, rng)
    if resource["type"] == other["type"] and resource["type"] in _COPIED:
        for name, value in other["parameters"].items():
            if name not in ("path", "name", "alias"):
                resource["parameters"][name] = value


_MUTATIONS: tuple[Mutation, ...] = (
    _relate,
    _relate,
    _relate,
    _move,
    _contain,
    _release,
    _shuffle_resources,
    _shuffle_edges,
    _alias,
    _own,
    _repath,
    _copy_parameters,
)
