"""No output prints a Sensitive value, wherever the value is from; a catalog has it, as Puppet's."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from itertools import product
from pathlib import Path

import pytest
from lsprotocol import types

from analyzer.cli.command_table import COMMANDS
from analyzer.lsp.checks.compiling import compile_job
from analyzer.lsp.checks.manifests import diagnostics
from analyzer.lsp.checks.reach import job_for
from analyzer.lsp.features.table import TABLE
from analyzer.lsp.state.snapshot import RequestRefused
from tests.cli.conftest import Run, run
from tests.conftest import ROOT
from tests.lsp.latency_of import asked_of
from tests.lsp.marked import snapshot_of
from tests.tui.dsl import Session, script

pytestmark = pytest.mark.usefixtures("one_world")

__all__ = ["run"]

SECRET = "hunter2"
# What the key of the tests opens.
SEALED = "secret value"
# The methods that show values.
ASKED = {
    types.TEXT_DOCUMENT_HOVER, types.TEXT_DOCUMENT_COMPLETION, types.TEXT_DOCUMENT_INLAY_HINT,
    types.TEXT_DOCUMENT_SIGNATURE_HELP, types.TEXT_DOCUMENT_CODE_LENS,
    types.TEXT_DOCUMENT_DOCUMENT_SYMBOL,
}  # fmt: skip
EYAML = ROOT / "tests" / "frontends" / "puppet" / "hiera" / "eyaml"

# Values by their origin: literals, data that is converted, data that is sealed, defaults; as the
# parameters of resources, defined types and classes, and in what a compile refuses or decides.
SITE = {
    "hiera.yaml": """version: 5
hierarchy:
  - name: sealed
    lookup_key: eyaml_lookup_key
    path: sealed.eyaml
    options: {pkcs7_private_key: KEY}
  - {name: plain, data_hash: yaml_data, path: common.yaml}
""",
    "data/common.yaml": """lookup_options:
  converted: {convert_to: Sensitive}
  sealed: {convert_to: Sensitive}
  "m::p": {convert_to: Sensitive}
  "m::wrong": {convert_to: Sensitive}
converted: hunter2
m::p: hunter2
m::list: [hunter2]
""",
    "manifests/site.pp": """node default {
  include m
  $literal = Sensitive('hunter2')
  notify { 'literal': message => $literal, require => Notify['converted'] }
  notify { 'converted': message => lookup('converted'), require => Notify['sealed'] }
  notify { 'sealed': message => lookup('sealed'), noop => Sensitive('hunter2') }
  notify { 'unwrapped': message => Sensitive("x ${literal.unwrap}"), require => Notify['m'] }
  host { 'h': ip => Sensitive('1.2.3.hunter2') }
  exec { 'x': command => Sensitive("/bin/echo ${literal.unwrap}"), path => '/bin', user => 'u' }
  if $literal.unwrap == 'a' { notify { 'b': } }
  $later = Sensitive($facts['none'])
  notify { 'unknown': message => Sensitive("${facts['hunter']} ${literal.unwrap}") }
}
""",
    "modules/m/manifests/init.pp": """# A class.
# @param p a secret
class m(Sensitive[String] $p, Sensitive $q = Sensitive('hunter2')) {
  notify { 'm': message => $p, require => Notify['unwrapped'] }
  file { '/etc/m': content => $p, mode => $q }
  m::d { 'd': pw => $p }
}
""",
    "modules/m/manifests/d.pp": """define m::d(Sensitive $pw) {
  user { 'u': password => $pw }
}
""",
}
# Manifests that are refused because of a secret, or near one.
REFUSED = {
    "a type": "class a(Integer $x) { } class { 'a': x => lookup('converted') }",
    "a wrapped type": "class a(Sensitive[Integer] $x) { } class { 'a': x => lookup('converted') }",
    "an enum": "class a(Sensitive[Enum['b']] $x) { } class { 'a': x => Sensitive('hunter2') }",
    "a function": "$x = Integer(Sensitive('hunter2').unwrap)",
    "a wrapped number": "$x = Sensitive('hunter2') + 1",
    "an assertion": "assert_type(Integer, Sensitive('hunter2'))",
    "a regular expression": "$x = Sensitive('hunter2') =~ /a/",
    "a reference": "notify { 'a': require => Sensitive('hunter2') }",
    "a list of references": "notify { 'a': before => [Notify['b'], Sensitive('hunter2')] }",
    "a path": "file { 'a': ensure => file, content => Sensitive('hunter2') }",
    "a selector": "$x = Sensitive('hunter2') ? { 'a' => 1 }",
}


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace("KEY", str(folder / "key.pem")), encoding="utf-8")


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a control repo, in the working folder; its key opens a sealed value."""
    folder = tmp_path / "site"
    write(folder, SITE)
    sealed = (EYAML / "aes256.txt").read_text(encoding="ascii").strip()
    write(folder, {"data/sealed.eyaml": f"sealed: ENC[PKCS7,{sealed}]\n"})
    shutil.copy(EYAML / "private_key.pkcs7.pem", folder / "key.pem")
    monkeypatch.chdir(tmp_path)
    return folder


def formats_of(command: str) -> list[str]:
    options = import_module(COMMANDS[command][0]).OPTIONS
    found = next((one.choices for one in options if one.name == "format"), ("",))
    return [form for form in found if form not in ("png", "svg")]


def words_of(path: str, other: str) -> Iterator[list[str]]:
    """Yield commands that say something of all resources, of parameters, and of edges."""
    explore = [["explore", path]] if path == "site" else []
    for command in ("lint", "check", "cycles", "order", "apply", "graph"):
        yield [command, path]
    yield from ([*words, *more] for words in explore for more in ([], ["--explain"]))
    yield ["why", path, "Notify[literal]", "Notify[sealed]"]
    for ref, name in (
        ("Notify[m]", "message"), ("File[/etc/m]", "content"), ("User[u]", "password"),
        ("Class[M]", "p"), ("M::D[d]", "pw"), ("Notify[sealed]", "message"),
    ):  # fmt: skip
        yield ["impact", path, ref]
        yield ["query", path, f"type = {ref.partition('[')[0]} and {name} ~ *"]
    yield ["query", path, "sensitive"]
    yield ["diff", path, other]
    for question in ("cycles", "order", "query", "diff", "impact", "lint"):
        yield ["fleet", question, path]


def assert_silent(text: str, *about: object) -> None:
    for secret in (SECRET, SEALED):
        place = text.find(secret)
        assert place < 0, (*about, text[max(0, place - 200) : place + 40])


@pytest.fixture
def catalogs(run: Run, site: Path) -> None:
    """Compile the control repo, and make a catalog with other secrets."""
    made = run("compile", "site", "-o", "catalog.json")
    assert made.code == 0
    assert_silent(made.out + made.err)
    document = json.loads(Path("catalog.json").read_text(encoding="utf-8"))
    rows = {f"{row['type']}[{row['title']}]": row for row in document["resources"]}
    for ref, name, value in (("Notify[sealed]", "message", SEALED), ("Class[M]", "p", SECRET)):
        assert rows[ref]["parameters"][name] == value
        assert name in rows[ref]["sensitive_parameters"]
    changed = json.dumps(document).replace(SECRET, f"{SECRET} more").replace(SEALED, f"{SEALED}d")
    Path("changed.json").write_text(changed, encoding="utf-8")


def assert_all_silent(run: Run, words: list[str], forms: list[str]) -> int:
    """Run a command in formats; return how many of them said something."""
    said = 0
    for form in forms:
        done = run(*words, *(["--format", form] if form else []))
        assert "internal error" not in done.err
        assert_silent(done.out + done.err, words, form)
        said += bool(done.out)
    return said


@pytest.mark.usefixtures("catalogs")
def test_formats(run: Run) -> None:
    for words in (["lint"], ["graph"], ["diff", "changed.json"], ["cycles"], ["check"], ["apply"]):
        forms = formats_of(words[0])
        call = [words[0], "catalog.json", *words[1:]]
        assert assert_all_silent(run, call, forms) == len(forms), words


@pytest.mark.slow
@pytest.mark.usefixtures("catalogs")
@pytest.mark.parametrize("path", ["catalog.json", "site"])
def test_commands(run: Run, path: str) -> None:
    said = [
        assert_all_silent(run, words, formats_of(words[0]))
        for words in words_of(path, "changed.json")
    ]
    assert sum(map(bool, said)) > len(said) * 3 / 4


@pytest.mark.parametrize("name", REFUSED)
def test_refusals(run: Run, site: Path, name: str) -> None:
    (site / "manifests" / "site.pp").write_text(f"{REFUSED[name]}\n", encoding="utf-8")
    for command in ("compile", "lint", "cycles"):
        done = run(command, "site")
        assert_silent(done.err + ("" if command == "compile" and not done.code else done.out))


def test_editors(site: Path) -> None:
    files = {name: (site / name).read_text(encoding="utf-8") for name in SITE}
    snapshot = snapshot_of(files, site)
    path = str(site / "manifests" / "site.pp")
    job = job_for(snapshot, path)
    assert job is not None
    snapshot = replace(snapshot, pictures={path: tuple(compile_job(job)[1])})
    hovers = 0
    for name, text in files.items():
        path = str(site / name)
        assert_silent(str(diagnostics(snapshot, path) if name.endswith(".pp") else ""))
        for row, place in product(TABLE, range(0, len(text), 5)):
            if row.method not in ASKED:
                continue
            try:
                found = row.answer(snapshot, asked_of(row, snapshot, path, place, place))
            except RequestRefused as error:
                found = error
            hovers += row.method == types.TEXT_DOCUMENT_HOVER and found is not None
            assert_silent(str(found), row.method, name, text[place : place + 20])
    assert hovers


@pytest.mark.slow
@pytest.mark.usefixtures("catalogs")
def test_screens() -> None:
    seen: list[str] = []

    def look(session: Session) -> str:
        seen.append(session.text())
        return seen[-1]

    for opened in ("catalog.json", "site"):
        for screen in ("run", "graph", "source", "findings", "report"):
            for ref in ("Notify[literal]", "Notify[m]", "File[/etc/m]", "User[u]"):
                script(f"""
                    open {opened}
                    select {ref}
                    do {screen}-screen
                    press down up right
                    """, Path(), (150, 50), look)  # fmt: skip
    assert any("Notify[literal]" in text for text in seen)
    for text in seen:
        assert_silent(text)
