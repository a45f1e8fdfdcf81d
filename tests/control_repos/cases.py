"""The nodes of the sample control repos with their facts, as Puppet and catgraph are asked."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from analyzer.frontends.puppet.node.typical import typical_facts
from tests.oracle.harness import ROOT, Answer

HERE = Path(__file__).resolve().parent
SAMPLES = ROOT / "sample_catalogs" / "control_repos"
NODE = "node.example.com"

NODES = {
    "roles_in_site": (
        "web1.example.com",
        "db1.example.com",
        "db2.example.com",
        "other.example.com",
    ),
    "roles_in_hiera": ("queue1.example.com", NODE),
    "classifier": ("app1.example.com", "app2.example.com", "mon1.example.com"),
    "single_module": (NODE,),
    "private_level": (NODE,),
    "regex_nodes": ("web07.example.com", "db1.example.com", "cache12.example.com", NODE),
    "puppetdb_query": ("balancer1.example.com", "web1.example.com"),
    "puppet_3": ("mail1.example.com", "web1.example.com"),
}
SYSTEMS = dict.fromkeys(NODES, ("debian-12",)) | dict.fromkeys(
    ("roles_in_site", "single_module"), ("debian-12", "rocky-9")
)
ROLES = {"roles_in_hiera": (None, "cache", "queue")}
PARAMETERS: dict[str, tuple[dict[str, Any], ...]] = {
    "single_module": ({}, {"purge": True}, {"purge": True, "frequency": "hourly"})
}


@dataclass(frozen=True, slots=True)
class Case:
    """A node of a sample; `parameters` are those of the class of a module."""

    sample: str
    node: str
    system: str
    role: str | None = None
    parameters: dict[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Return the head of its record."""
        given = [f"role={self.role}"] if self.role else []
        given += [f"{key}={json.dumps(value)}" for key, value in self.parameters.items()]
        return " ".join([self.node, f"@{self.system}", *given])

    @property
    def facts(self) -> dict[str, Any]:
        """Return the facts."""
        own = {"role": self.role} if self.role else {}
        return {**typical_facts(self.system, self.node), **own}


def cases_of(sample: str) -> Iterator[Case]:
    """Yield the cases of a sample."""
    for node in NODES[sample]:
        for system in SYSTEMS[sample]:
            for role in ROLES.get(sample, (None,)):
                for parameters in PARAMETERS.get(sample, ({},)):
                    yield Case(sample, node, system, role, parameters)


def lines_of(answer: Answer) -> Iterator[str]:
    """Yield an answer: the resources and members of cycles, or the error."""
    if "catalog" not in answer:
        yield f"! {answer['error'].partition(': ')[2]}"
        return
    rows = answer["catalog"]["resources"]
    for row in sorted(rows, key=lambda one: (one["type"], one["title"])):
        given = row.get("parameters")
        ending = f" {json.dumps(given, sort_keys=True)}" if given else ""
        yield f"{row['type']}[{row['title']}]{ending}"
    for members in answer.get("cycles", []):
        yield f"cycle: {', '.join(sorted(filter(None, map(written, members))))}"


def written(member: str) -> str:
    """Return a member of a cycle, empty for the end of a container, which its beginning names."""
    if member.startswith("Admitted["):
        return member.removeprefix("Admitted[").removesuffix("]")
    return "" if member.startswith("Completed[") else member


def recorded(sample: str) -> dict[str, list[str]]:
    """Return the recorded answers of a sample by the names of their cases."""
    text = (HERE / f"{sample}.txt").read_text(encoding="utf-8")
    blocks = (block.splitlines() for block in text.split("=== ")[1:])
    return {head: [line for line in lines if line] for head, *lines in blocks}
