"""`python -m tests.control_repos.record`: asks the installed Puppet, and writes its answers."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from analyzer.frontends.puppet.node.classifier import classified_in
from analyzer.reach import user_files
from tests.oracle.harness import Question, ask

from .cases import HERE, NODES, SAMPLES, Case, cases_of, lines_of


def question(case: Case, modules: Path) -> Question:
    """Return the question of a case; a module is in a folder of modules under its name."""
    asked: Question = {"id": case.name, "node": case.node, "facts": case.facts}
    folder = SAMPLES / case.sample
    if case.sample == "single_module":
        given = ", ".join(f"{key} => {puppet(value)}" for key, value in case.parameters.items())
        return {**asked, "code": f"class {{ mirror: {given} }}", "modulepath": [str(modules)]}
    asked["environment_dir"] = str(folder)
    if case.sample == "classifier":
        found = classified_in(str(folder / "nodes"), case.node)
        asked |= {"classes": found.classes, "parameters": found.parameters}
    return asked


def puppet(value: bool | str) -> str:
    """Return a value as a manifest has it."""
    return str(value).lower() if isinstance(value, bool) else f"'{value}'"


def record() -> None:
    """Rewrite the recorded answers."""
    with TemporaryDirectory() as folder, user_files():
        modules = Path(folder)
        (modules / "mirror").symlink_to(SAMPLES / "single_module")
        for sample in NODES:
            cases = list(cases_of(sample))
            answers = ask([question(case, modules) for case in cases])
            parts = []
            for case, answer in zip(cases, answers, strict=True):
                lines = [line.replace(str(SAMPLES), "") for line in lines_of(answer)]
                parts.append("\n".join([f"=== {case.name}", *lines, ""]))
            (HERE / f"{sample}.txt").write_text("\n".join(parts), encoding="utf-8")
    print(f"{len(NODES)} sample control repos recorded")


if __name__ == "__main__":
    record()
