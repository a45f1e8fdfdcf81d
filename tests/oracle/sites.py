"""`python -m tests.oracle.sites FOLDER...`: whole nodes of control repos, Puppet's against ours.

Every node that the plan of a folder has, and every role, is compiled with every set of facts: by
Puppet, by catgraph, and by catgraph with Ruby. `--list` names a file of nodes instead, each with
the answer of a classifier and facts of its own. A folder is an environment, with the modules that
it needs, and has the name `production`. Exit code 0: complete catalogs and all graphs are equal, 1:
some differ.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

from analyzer.compiles.compile import ruby_for
from analyzer.compiles.plan import plan_of, plan_of_nodes
from analyzer.compiles.sources import roles_of
from analyzer.diagnostics import InputError
from analyzer.export.catalog_json import to_json
from analyzer.frontends.puppet.compile import CatalogResult, Codebase, compile_node
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.model.completeness import hiding, is_complete
from analyzer.model.releases import Release
from analyzer.model.values import Unknown
from analyzer.reach import user_files

from .case import from_answer
from .compare import differences
from .compiled import difference
from .facts import Facts, fact_sets
from .harness import Answer, Question, ask_cached, installed

SECONDS = 120
OTHER = "any-other.example.com"
# The length of a reason in the summary.
LENGTH = 240


@dataclass(frozen=True, slots=True)
class Node:
    """A node, what its classifier says of it, and the facts that it has beside those of a set."""

    name: str
    classes: tuple[str, ...] = ()
    parameters: dict[str, Any] = field(default_factory=dict)
    facts: Facts = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Case:
    """A node of a site with facts, and the question about it."""

    node: str
    facts: Facts
    question: Question


@dataclass(slots=True)
class Tally:
    """The results of one way to compile."""

    numbers: Counter[str] = field(default_factory=Counter)
    gaps: Counter[str] = field(default_factory=Counter)
    differ: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0

    def add(self, case: Case, made: CatalogResult, answer: Answer) -> None:
        """Count a node."""
        theirs = answer.get("catalog")
        if made.catalog is None or made.error is not None:
            self.numbers["refused" if theirs else "refused alike"] += 1
            if theirs:
                self.differ[f"refused: {made.error}"[:LENGTH]] += 1
            return
        if not theirs:
            gaps = "incomplete, accepted" if not is_complete(made.catalog.gaps) else "accepted"
            self.numbers[gaps] += 1
            if is_complete(made.catalog.gaps):
                self.differ[f"accepted: {case.node}: {answer.get('error')}"[:LENGTH]] += 1
            return
        label = "complete" if is_complete(made.catalog.gaps) else "incomplete"
        self.gaps.update({str(gap)[:LENGTH] for gap in hiding(made.catalog.gaps)})
        document = json.loads(to_json(made.catalog), object_hook=with_unknown)
        verdict = difference(document, theirs)
        self.numbers[label] += 1
        self.numbers[f"{label}, equal"] += verdict.kind == "equal"
        if verdict.kind != "equal":
            words = f"{label}: {case.node}: {verdict.kind}: {verdict.ours} / {verdict.theirs}"
            self.differ[words[: 2 * LENGTH]] += 1

    def lines(self, most: int) -> Iterator[str]:
        """Yield the rows of the summary."""
        numbers = self.numbers
        complete, incomplete = numbers["complete"], numbers["incomplete"]
        whole = complete + incomplete + numbers["refused"]
        share = f" ({100 * complete / whole:.1f} %)" if whole else ""
        equal = [numbers[f"{label}, equal"] for label in ("complete", "incomplete")]
        yield f"    complete {complete} of {whole}{share}, equal {equal[0]}"
        yield f"    incomplete {incomplete}, equal {equal[1]}; refused {numbers['refused']}"
        yield (
            f"    of what Puppet refuses: refused alike {numbers['refused alike']}, accepted"
            f" {numbers['accepted']}, accepted but incomplete {numbers['incomplete, accepted']}"
        )
        yield f"    {self.seconds:.1f} s"
        for text, number in self.differ.most_common(most):
            yield f"    differ {number:4} {text}"
        for text, number in self.gaps.most_common(most):
            yield f"    lacks  {number:4} {text}"

    @property
    def failed(self) -> int:
        """Return the number of complete catalogs that differ."""
        return self.numbers["complete"] - self.numbers["complete, equal"]


class Site:
    """A control repo: its code, its nodes and roles."""

    def __init__(self, folder: Path, options: argparse.Namespace) -> None:
        self.folder, self.options = folder.resolve(), options
        version = Release.parse(options.version)
        server = {"serverversion": options.version, "servername": "puppet.example.com"}
        server |= {"serverip": "192.0.2.1"}
        hiera = str(self.folder / options.hiera_config) if options.hiera_config else None
        self.settings = Settings(
            strict=True,
            puppet_version=version,
            hiera_config=hiera,
            time_limit=0,
            memory_limit=0,
            server_facts=server,
            allow_read=tuple(options.allow_read),
            nodes_dir=options.nodes_dir,
        )

    def code(self, settings: Settings) -> Codebase:
        """Return the code, read anew."""
        return plan_of(str(self.folder), settings).codebases[0]

    def nodes(self) -> list[Node]:
        """Return the nodes of the list, else those of the plan and one for each role."""
        if self.options.list:
            rows = json.loads(self.options.list.read_text(encoding="utf-8"))
            return [node_of(row) for row in rows]
        settings = replace(self.settings, nodes_dir=None)
        plan = plan_of(str(self.folder), settings)
        code = plan.codebases[0]
        nodes: dict[str, Node] = {}
        if not plan.by_class:
            targets = plan_of_nodes(str(self.folder), code, settings).targets
            names = [one.node for one in targets if not one.alone and not one.role]
            # A node that the block of all others matches.
            nodes = {name: Node(OTHER if name == "default" else name) for name in names}
        for one in roles_of(code, settings, ""):
            if one.role:
                name = f"{one.role.replace('::', '-').replace('_', '-')}.example.com"
                nodes[name] = Node(name, (one.role,))
        return [nodes[name] for name in sorted(nodes)]

    def cases(self, sets: dict[str, Facts]) -> Iterator[Case]:
        """Yield the nodes, each with every set of facts."""
        state = state_of(self.folder)
        chosen = self.nodes()
        Random(1).shuffle(chosen)
        for node in chosen[: self.options.nodes or None]:
            for set_name, values in sets.items():
                facts = facts_of(node.name, overlaid(values, node.facts))
                question: Question = {
                    "id": f"{self.folder.parent.name}: {node.name}, {set_name}",
                    "environment_dir": str(self.folder),
                    "facts": facts,
                    "node": node.name,
                    "server_facts": dict(self.settings.server_facts),
                    "timeout": SECONDS,
                    "time": True,
                    # Answers are stored by question: for these files.
                    "state": state,
                    "report": False,
                }
                if node.classes:
                    question["classes"] = dict.fromkeys(node.classes)
                if node.parameters:
                    question["parameters"] = node.parameters
                self.classify(node)
                if self.settings.hiera_config:
                    question["settings"] = {"hiera_config": self.settings.hiera_config}
                yield Case(node.name, facts, question)

    def classify(self, node: Node) -> None:
        """Write the answer of a classifier for a node."""
        file = Path(self.options.nodes_dir) / f"{node.name}.yaml"
        answer = {"classes": dict.fromkeys(node.classes), "parameters": node.parameters}
        file.write_text(json.dumps(answer), encoding="utf-8")

    def compile(self, cases: list[tuple[Case, Answer]], ruby: str | None) -> Tally:
        """Compile all nodes, each with the code that was read once."""
        settings = replace(self.settings, ruby=ruby)
        tally = Tally()
        start = time.monotonic()
        code = self.code(settings)
        with ruby_for(settings) as helper:
            tally.seconds = time.monotonic() - start
            for case, answer in cases:
                start = time.monotonic()
                path = str(self.folder)
                made = compile_node(code, settings, case.node, None, case.facts, path, helper)
                tally.seconds += time.monotonic() - start if answer.get("catalog") else 0
                tally.add(case, made, answer)
        return tally


def node_of(row: dict[str, Any]) -> Node:
    """Return a node of a list: `node`, and maybe `classes`, `parameters` and `facts`."""
    classes = tuple(row.get("classes", ()))
    return Node(row["node"], classes, row.get("parameters", {}), row.get("facts", {}))


def overlaid(values: Facts, own: Facts) -> Facts:
    """Return facts with those of a node on top, hashes merged."""
    merged = dict(values)
    for name, value in own.items():
        old = merged.get(name)
        if isinstance(old, dict) and isinstance(value, dict):
            merged[name] = overlaid(old, value)
        else:
            merged[name] = value
    return merged


def with_unknown(row: dict[str, Any]) -> Any:
    """Return an object of our documents, or the value that it says is unknown."""
    return Unknown(str(row["__unknown"])) if row.keys() == {"__unknown"} else row


def state_of(folder: Path) -> str:
    """Return a digest of names, sizes and times of the files of a site."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    rows = [(str(path), path.stat().st_size, path.stat().st_mtime_ns) for path in files]
    return sha256(repr(rows).encode()).hexdigest()


def facts_of(node: str, values: Facts) -> Facts:
    """Return facts of a node of that name."""
    facts: Facts = json.loads(json.dumps(values))
    host, _, domain = node.partition(".")
    own = {"hostname": host, "domain": domain or None, "fqdn": node}
    if isinstance(facts.get("networking"), dict):
        facts["networking"].update(own)
    if "fqdn" in facts:
        facts.update(own)
    return {**facts, "clientcert": node}


def graphs(answers: list[Answer], most: int) -> Iterator[str]:
    """Yield the rows about the graphs that catgraph makes of Puppet's own catalogs."""
    differ: Counter[str] = Counter()
    number = agree = 0
    for answer in answers:
        if not answer["ok"]:
            continue
        case: Any = from_answer(answer, "", answer["catalog"])
        apart = differences(case)
        number, agree = number + 1, agree + (not apart)
        differ.update({f"{answer['id']}: {one}"[:LENGTH] for one in apart[:1]})
    yield f"  graphs agree {agree} of {number}"
    for text, count in differ.most_common(most):
        yield f"    differ {count:4} {text}"


def compare(folder: Path, options: argparse.Namespace, sets: dict[str, Facts]) -> int:
    """Print the figures of a site, and return the number of differences."""
    site = Site(folder, options)
    cases = list(site.cases(sets))
    answers = list(ask_cached([case.question for case in cases]))
    compiles = [answer for answer in answers if answer.get("catalog")]
    spent = sum(answer.get("seconds", 0) for answer in compiles)
    name = site.folder.parent.name
    print(f"{name}: {len(cases)} nodes, Puppet compiles {len(compiles)} in {spent:.1f} s")
    refusals = Counter(str(a.get("error"))[:LENGTH] for a in answers if not a.get("catalog"))
    for text, number in refusals.most_common(options.refusals):
        print(f"    refuses {number:4} {text}")
    failed = 0
    for ruby in (None, *options.ruby):
        tally = site.compile(list(zip(cases, answers, strict=True)), ruby)
        print(f"  with {'Ruby' if ruby else 'Python alone'}:")
        print("\n".join(tally.lines(options.most)), flush=True)
        failed += tally.failed
    rows = list(graphs(compiles, options.most))
    print("\n".join(rows), flush=True)
    return failed + len(rows) - 1


def main() -> int:
    """Compare sites."""
    options = _options()
    if installed() is None:
        print("no Ruby with Puppet")
        return 2
    options.folders = [Path(one) for one in options.folders]
    sets = fact_sets(options.facts)
    failed = 0
    with tempfile.TemporaryDirectory() as folder, user_files():
        for site in options.folders:
            options.nodes_dir = str(Path(folder, site.resolve().parent.name))
            os.mkdir(options.nodes_dir)
            try:
                failed += compare(site, options, sets)
            except InputError as error:
                print(f"{site}: {error}")
                failed += 1
    return int(bool(failed))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.oracle.sites", description=__doc__)
    parser.add_argument("folders", nargs="+", help="environments: folders of control repos")
    parser.add_argument("--facts", type=Path, help="a file of facts, or a folder of such files")
    parser.add_argument("--version", default="7.23.0", help="the version that PUPPET_LIB has")
    parser.add_argument("--list", type=Path, help="a JSON file of nodes: see node_of")
    parser.add_argument("--hiera-config", help="the global hiera.yaml, relative to the site")
    parser.add_argument("--allow-read", action="append", default=[], metavar="FOLDER")
    parser.add_argument("--nodes", type=int, default=0, help="a sample of the nodes and roles")
    parser.add_argument("--ruby", action="append", default=[], help="compile with that Ruby too")
    parser.add_argument("--most", type=int, default=12, help="the number of reasons to print")
    parser.add_argument("--refusals", type=int, default=4, help="the same, for Puppet's refusals")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
