"""What Puppet says of the cases, recorded: `python -m tests.threads.said record|live`."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from analyzer.diagnostics import CompileError
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.session.inputs import graph_of, load_catalogs
from tests.oracle.harness import MODULES, Answer, Question, ask
from tests.threads.case import HERE, SITE, Case, all_cases, unmarked, write
from tests.threads.operands import chains, edges, program

RECORDED = HERE / "recorded.txt"

NONE = "no cycle\n"


@cache
def recorded() -> dict[str, str]:
    """Puppet's answers by name."""
    blocks = RECORDED.read_text(encoding="utf-8").split("=== ")[1:]
    return {name: text for name, _, text in (block.partition("\n") for block in blocks)}


def ours(case: Case, version: str, folder: Path) -> str:
    """What we make of a case, in the form of the records."""
    write(case.versions[version], folder)
    settings = Settings(modulepath=(str(folder / "modules"),), puppet_version=7)
    try:
        (catalog,) = load_catalogs(str(folder / "manifests" / SITE), settings)
    except CompileError as error:
        return f"! {error.message}\n"
    graph = graph_of(catalog)
    missing = [target.message for target in graph.missing()]
    return f"! {missing[0]}\n" if missing else shown([cycle.nodes for cycle in graph.cycles()])


def shown(components: list[tuple[str, ...]]) -> str:
    """Cyclic components, one in a line."""
    return "".join(f"cycle: {', '.join(sorted(c))}\n" for c in sorted(components)) or NONE


def questions(folder: Path) -> Iterator[Question]:
    """What Puppet is asked; modules are written below a folder."""
    for case in all_cases():
        for version, manifests in case.versions.items():
            if "--puppet-version" in case.options:
                continue
            place = folder / case.name / version.replace(" ", "_")
            write(manifests, place)
            yield {
                "id": f"{case.name}, {version}",
                "code": unmarked(manifests[SITE]),
                "modulepath": [str(place / "modules")] * (len(manifests) > 1)
                + [str(MODULES)] * case.packaged,
                "facts": {},
            }


def operand_questions() -> Iterator[Question]:
    """What Puppet is asked about chains with empty operands."""
    for chain in chains():
        yield {"id": chain, "code": program(chain), "modulepath": [], "facts": {}}


def said(answer: Answer) -> str:
    """Puppet's answer as it is recorded."""
    if not answer["ok"]:
        return f"! {answer['error']}\n"
    if answer["id"] in chains():
        return (
            edges((s, t, callback is not None) for s, t, callback, *_ in answer["relationships"])
            + "\n"
        )
    return shown([tuple(component) for component in answer["cycles"]])


def puppet() -> dict[str, str]:
    """Ask Puppet about all cases."""
    with tempfile.TemporaryDirectory() as folder:
        answers = list(ask([*questions(Path(folder)), *operand_questions()]))
    return {answer["id"]: said(answer).replace(folder, "") for answer in answers}


def record() -> None:
    """Write the records anew."""
    blocks = [f"=== {name}\n{text}" for name, text in puppet().items()]
    RECORDED.write_text("".join(blocks), encoding="utf-8")


def live() -> int:
    """Compare the records with the installed Puppet; exit code 1 if they differ."""
    now, then = puppet(), recorded()
    differ = [name for name in sorted({*now, *then}) if now.get(name) != then.get(name)]
    for name in differ:
        print(f"{name}\n  recorded: {then.get(name)}  Puppet: {now.get(name)}")
    print(f"threads: {len(now) - len(differ)} of {len(now)} agree")
    return int(bool(differ))


def main(arguments: list[str]) -> int:
    """Record, or compare."""
    if arguments == ["live"]:
        return live()
    record()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
