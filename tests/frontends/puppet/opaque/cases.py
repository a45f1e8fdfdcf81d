"""Programs with missing modules, and the relationships that Puppet makes where stubs of them are.

`programs.txt` has programs in blocks that begin with `=== NAME`, `recorded.txt` for each of them
the edges that Puppet has with the modules of `STUBS`, or `! MESSAGE`. We compile them with the
Puppetfile alone: the edges must be the same, because they do not depend on what a class holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from analyzer.compiles.outcomes import compile_path
from analyzer.diagnostics import CompileError
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.graph.relationship_graph import relate
from analyzer.model.catalog import Catalog
from tests.frontends.puppet.compiler.cases import blocks
from tests.oracle.facts import debian_11
from tests.oracle.harness import Answer, Question

HERE = Path(__file__).parent
PROGRAMS, RECORDED = HERE / "programs.txt", HERE / "recorded.txt"
PUPPETFILE = "mod 'us-absent', '1.0.0'\nmod 'us-gone', :git => 'https://example.com/gone'\n"
REFUSED = "!\n"
PARAMETERS = "$p = undef, $q = 'q'"
STUBS = {
    "absent/manifests/init.pp": f"class absent({PARAMETERS}) {{ }}",
    "absent/manifests/sub.pp": f"class absent::sub({PARAMETERS}) {{ }}",
    "absent/manifests/params.pp": "class absent::params { }",
    "absent/manifests/thing.pp": f"define absent::thing({PARAMETERS}) {{ }}",
    "absent/types/word.pp": "type Absent::Word = Any",
    "absent/functions/value.pp": "function absent::value($x) { 'text' }",
    "gone/manifests/init.pp": f"class gone({PARAMETERS}) {{ }}",
    "gone/manifests/part.pp": f"define gone::part({PARAMETERS}) {{ }}",
}


def write(folder: Path, files: dict[str, str]) -> None:
    """Write files below a folder."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def question(name: str, code: str, stubs: Path) -> Question:
    """Return the question for Puppet: the program with the stubs."""
    return {"id": name, "code": code, "modulepath": [str(stubs)], "facts": debian_11()}


def text_of(answer: Answer) -> str:
    """Return the edges and the order of Puppet's answer as lines."""
    if not answer["ok"] and not answer.get("relationships"):
        return REFUSED
    rows = [(row[0], row[1], row[2] is not None) for row in answer["relationships"]]
    return lines(rows, answer.get("order", []))


def lines(edges: list[tuple[str, str, bool]], order: Sequence[str]) -> str:
    """Return edges, sorted, and the order in which resources are applied, as lines."""
    rows = sorted({f"{one} {'~>' if event else '->'} {two}" for one, two, event in edges})
    return "".join(f"{row}\n" for row in [*rows, f"order: {', '.join(order)}"])


def compiled(code: str, *, strict: bool = False) -> Catalog:
    """Compile a program in an environment that declares the modules and lacks them.

    Raises:
        CompileError: it is refused.
    """
    with TemporaryDirectory() as folder:
        files = {"Puppetfile": PUPPETFILE, "manifests/site.pp": code, "hiera.yaml": "version: 5\n"}
        write(Path(folder), files)
        settings = Settings(fact_values=debian_11(), strict=strict)
        return compile_path(folder, settings, one=True).all()[0]


def ours(code: str) -> str:
    """Return the edges and the order that we have, or that the program is refused."""
    try:
        graph = relate(compiled(code))
    except CompileError:
        return REFUSED
    edges = [
        (str(edge.source), str(edge.target), edge.kind == "notify")
        for edge in graph.relationships()
        if edge.kind != "contains"
    ]
    return lines(edges, [] if graph.has_cycle else list(map(str, graph.order())))


def programs() -> dict[str, str]:
    """Return the programs by name."""
    return blocks(PROGRAMS)
