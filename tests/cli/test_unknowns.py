"""Every command, in every format, about catalogs whose parameters are Unknown in all ways."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib import import_module

import pytest

from analyzer.cli import main
from analyzer.cli.command_table import COMMANDS
from analyzer.frontends.puppet.compiler.definitions.native import ATTRIBUTES

U = "$facts['x']"
FORMS = (
    *(
        U,
        f'"a${{{U[1:]}}}"',
        "inline_template('x')",
        f"[{U}, 'b']",
        f"{{'k' => {U}}}",
        f"{{{U} => 1}}",
    ),
    *(f"Sensitive({U})", f"Sensitive([{U}])", f"[[{{'a' => [{U}]}}]]", f"{{[{U}] => 1}}"),
    *(f"[Sensitive({U})]", f"Deferred('f', [{U}])"),
)
REFERENCES = (U, f"[{U}, File['/file0']]", f"[[{U}]]")
OTHERS = (U, f"[{U}]", "inline_template('x')")
METAPARAMETERS = ("tag", "noop", "loglevel", "audit", "schedule", "alias")


def manifest(shift: int) -> str:
    """Return resources of every type of Puppet's own, each attribute in another form."""
    rows = []
    for number, (kind, attributes) in enumerate(sorted(ATTRIBUTES.items())):
        given = [
            *((name, FORMS) for name in attributes.split() if name != "name"),
            *((name, REFERENCES) for name in ("require", "before", "notify", "subscribe")),
            *((name, OTHERS) for name in METAPARAMETERS),
        ]
        rows.append(f"{kind} {{ '/{kind}0':")
        for place, (name, forms) in enumerate(given):
            rows.append(f"  {name} => {forms[(place + shift + number) % len(forms)]},")
        rows.append("}")
    return "\n".join([*rows, f"Exec['/exec0'] -> {U} ~> File['/file0']", f"File<| mode == {U} |>"])


# What the commands are asked besides the input; those that are no matter of a catalog are left out.
QUESTIONS: dict[str, tuple[str, ...]] = {
    "apply": (),
    "compile": (),
    "cycles": (),
    "graph": (),
    "impact": ("File[/file0]",),
    "lint": (),
    "order": (),
    "query": ("mode = '0644' or notify ~ 'x' or ensure != undef",),
    "why": ("Exec[/exec0]", "File[/file0]"),
}


def words() -> Iterator[list[str]]:
    """Yield each command with each of its formats."""
    for command, asked in QUESTIONS.items():
        options = import_module(COMMANDS[command][0]).OPTIONS
        formats = next((one.choices for one in options if "--format" in one.flags), ())
        # The formats of compile are those of --plan.
        for form in (() if command == "compile" else formats) or ("",):
            if form not in ("png", "svg"):
                yield [command, "INPUT", *asked, *(["--format", form] if form else [])]
    yield ["cycles", "INPUT", "--puppet-text"]
    yield from (
        ["diff", "INPUT", "OTHER", "--format", form] for form in ("text", "json", "markdown")
    )


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """Manifests, and the catalogs that they are compiled to."""
    folder = tmp_path_factory.mktemp("unknowns")
    found: dict[str, list[str]] = {"INPUT": [], "OTHER": []}
    for word, shift in (("INPUT", 0), ("OTHER", 5)):
        (folder / f"{word}.pp").write_text(manifest(shift))
        catalog = folder / f"{word}.json"
        assert main(["compile", str(folder / f"{word}.pp"), "-o", str(catalog)]) == 0
        found[word] = [str(folder / f"{word}.pp"), str(catalog)]
    return found


@pytest.mark.parametrize("line", list(words()), ids=" ".join)
def test_command(
    line: list[str], inputs: dict[str, list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    for number in range(1 if line[0] == "compile" else 2):
        code = main([inputs[word][number] if word in inputs else word for word in line])
        printed = capsys.readouterr()
        assert code in (0, 1, 3), printed.err
        assert "internal error" not in printed.err + printed.out
        if printed.out and ("json" in line or "sarif" in line):
            json.loads(printed.out)
        assert "Unknown(" not in printed.out
