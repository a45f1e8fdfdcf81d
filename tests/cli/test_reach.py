"""Code reads its own files and those the user named, whatever it says and wherever links lead."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from analyzer.reach import checkout, leads_out, may_read, roots_of
from tests.cli.conftest import Run, run

__all__ = ["run"]

SECRET = "hunter2-of-the-runner"


class Place:
    """A checkout `repo`, and a folder `outside` with secrets in each form that is read."""

    def __init__(self, folder: Path) -> None:
        self.outside = folder / "outside"
        self.repo = folder / "repo"
        for path, text in {
            "s.txt": SECRET, "s.yaml": f"key: {SECRET}\n", "s.json": f'{{"key": "{SECRET}"}}',
            "s.epp": SECRET, "s.pp": f"# {SECRET}\nnotify {{ '{SECRET}': }}\n",
            "mod/manifests/init.pp": f"class mod {{ notify {{ '{SECRET}': }} }}\n",
            "mod/files/s.txt": SECRET, "mod/metadata.json": '{"name": "a-mod"}',
            "facts.json": f'{{"f": "{SECRET}"}}',
        }.items():  # fmt: skip
            self.write(self.outside / path, text)
        self.write(self.repo / ".git" / "HEAD", "ref: refs/heads/main\n")
        self.write(self.repo / "modules" / "m" / "manifests" / "init.pp", "class m {}\n")
        self.write(self.repo / "environment.conf", "")
        for name in ("data", "modules/m/files", "modules/m/templates"):
            (self.repo / name).mkdir()

    def write(self, path: Path, text: str) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def site(self, text: str) -> None:
        self.write(self.repo / "manifests" / "site.pp", text)

    def link(self, path: str, target: str) -> None:
        place = self.repo / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(self.outside / target)

    def hiera(self, text: str) -> None:
        head = "version: 5\nhierarchy:\n  - name: a\n"
        self.write(self.repo / "hiera.yaml", head + "".join(f"    {row}\n" for row in [text]))
        self.site("notify { 'n': message => lookup('key') }\n")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    made = Place(tmp_path)
    monkeypatch.chdir(made.repo)
    return made


def call(text: str) -> Callable[[Place], None]:
    """A manifest that prints what a function reads; OUT is the folder of the secrets."""

    def make(place: Place) -> None:
        place.site(text.replace("OUT", str(place.outside)) + "\n")

    return make


def through(path: str, target: str, text: str) -> Callable[[Place], None]:
    """A link in the checkout, and a manifest that reads it."""

    def make(place: Place) -> None:
        place.link(path, target)
        place.site(text + "\n")

    return make


def data(rows: str) -> Callable[[Place], None]:
    """A hierarchy whose one level is out of the checkout."""

    def make(place: Place) -> None:
        place.hiera(rows.replace("OUT", str(place.outside)))

    return make


def setting(text: str) -> Callable[[Place], None]:
    """An environment.conf with a path out of the checkout."""

    def make(place: Place) -> None:
        place.write(place.repo / "environment.conf", text.replace("OUT", str(place.outside)))
        place.site("include mod\n")

    return make


def linked_data(place: Place) -> None:
    place.link("data/common.yaml", "s.yaml")
    place.site("notify { 'n': message => lookup('key') }\n")
    place.write(place.repo / "hiera.yaml", "version: 5\n")


def linked_manifest(place: Place) -> None:
    place.link("manifests/s.pp", "s.pp")


def linked_config(place: Place) -> None:
    place.write(place.outside / "hiera.yaml", f"version: 5\n{SECRET}: 1\n")
    place.link("hiera.yaml", "hiera.yaml")
    place.site("notify { 'n': message => lookup('key', default_value => 'x') }\n")


CASES = {
    "file": call("notify { file('OUT/s.txt'): }"),
    "file that fails": call("fail(file('OUT/s.txt'))"),
    "file by dots": call("notify { file('m/../../../../outside/s.txt'): }"),
    "binary_file": call("notify { String(binary_file('OUT/s.txt'), '%s'): }"),
    "loadyaml": call("notify { loadyaml('OUT/s.yaml')['key']: }"),
    "loadjson": call("notify { loadjson('OUT/s.json')['key']: }"),
    "epp": call("notify { epp('OUT/s.epp'): }"),
    "template": call("notify { template('OUT/s.txt'): }"),
    "link in files": through("modules/m/files/s", "s.txt", "notify { file('m/s'): }"),
    "link in templates": through(
        "modules/m/templates/s.epp", "s.epp", "notify { epp('m/s.epp'): }"
    ),
    "link of a folder": through("modules/m/files/x", "", "notify { file('m/x/s.txt'): }"),
    "link of a module": through("modules/mod", "mod", "include mod"),
    "file of a linked module": through("modules/mod", "mod", "notify { file('mod/s.txt'): }"),
    "linked manifest": linked_manifest,
    "linked data": linked_data,
    "linked hiera.yaml": linked_config,
    "datadir": data("datadir: OUT\n    path: s.yaml"),
    "datadir by dots": data("datadir: ../outside\n    path: s.yaml"),
    "path": data("path: OUT/s.yaml"),
    "path by dots": data("path: ../../outside/s.yaml"),
    "glob": data("glob: OUT/*.yaml"),
    "glob by dots": data('glob: "{a,../../outside}/s.yaml"'),
    "glob by braces": data('glob: "{..,x}/{..,y}/outside/*.yaml"'),
    "mapped_paths": data('mapped_paths: [facts.none, x, "OUT/%{x}.yaml"]'),
    "json": data("data_hash: json_data\n    path: OUT/s.json"),
    "eyaml": data("lookup_key: eyaml_lookup_key\n    path: OUT/s.yaml"),
    "manifest setting": setting("manifest = ../outside/s.pp\n"),
    "modulepath setting": setting("modulepath = OUT\n"),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_nothing_else_is_read(run: Run, place: Place, case: Callable[[Place], None]) -> None:
    case(place)
    for command in (["compile"], ["lint"], ["cycles"], ["lint", "--format", "sarif"]):
        done = run(*command, ".")
        assert SECRET not in done.out + done.err
        assert done.code in (0, 1, 2, 3)


OPENED = {name: case for name, case in CASES.items() if name not in ("template", "mapped_paths")}


@pytest.mark.parametrize("case", OPENED.values(), ids=OPENED)
def test_the_user_may_open_more(run: Run, place: Place, case: Callable[[Place], None]) -> None:
    case(place)
    done = run("compile", ".", "--allow-read", place.outside)
    assert SECRET in done.out + done.err


def test_what_was_not_read_is_told(run: Run, place: Place) -> None:
    place.site("notify { 'n': message => file('/proc/self/environ') }\n")
    done = run("compile", ".")
    assert '"message": "' not in done.out
    place.link("modules/mod", "mod")
    place.site("include mod\n")
    done = run("compile", ".")
    assert (done.code, "--allow-read DIR" in done.err) == (3, True)
    for path in ("path: /etc/passwd", 'glob: "{..,x}/{..,y}/outside/*.yaml"'):
        place.hiera(path)
        place.site("notify { lookup('key', default_value => 'x'): }\n")
        done = run("cycles", ".")
        assert (done.code, "try --allow-read DIR" in done.out) == (3, True)


def test_data_that_were_not_read_are_counted(run: Run, place: Place) -> None:
    place.hiera("path: /etc/passwd")
    assert (
        "incomplete: Hiera's level 'a': /etc/passwd: its real path is outside the checkout"
        in run("cycles", ".").out
    )
    assert "Hiera's level 'a': /etc/passwd: its real path is" in run("cycles", ".", "--explain").out


def test_whether_a_file_is_there_is_not_told(run: Run, place: Place) -> None:
    answers = []
    for name in ("s.txt", "none"):
        call(f"notify {{ 'n': message => find_file('OUT/{name}') }}")(place)
        answers.append(run("compile", ".").out.replace(name, ""))
    assert answers[0] == answers[1]


@pytest.mark.parametrize("name", ["../../outside/mod", "/etc", ".."])
def test_a_name_of_a_module_is_no_path(run: Run, place: Place, name: str) -> None:
    place.site(f"notify {{ 'n': message => \"m${{module_directory('{name}')}}\" }}\n")
    assert '"message": "m"' in run("compile", ".").out


def test_a_configuration_that_was_found_opens_nothing(run: Run, place: Place) -> None:
    place.site("notify { $facts['f']: }\n")
    for text in (
        f'facts = "{place.outside}/facts.json"', f'modulepath = "{place.outside}"',
        f'hiera_config = "{place.outside}/s.yaml"', f'allow_read = "{place.outside}"',
    ):  # fmt: skip
        (place.repo / "catgraph.toml").write_text(text + "\n")
        done = run("compile", ".")
        assert (done.code, "is ignored here" in done.err) == (
            2,
            True,
        )
        assert SECRET not in done.out + done.err
    (place.repo / "catgraph.toml").write_text(f'baseline = "{place.outside}/s.json"\n')
    assert "'baseline' with paths outside of the checkout" in run("lint", ".").err
    (place.repo / "catgraph.toml").write_text(f'facts = "{place.outside}/facts.json"\n')
    assert SECRET in run("compile", ".", "--config", "catgraph.toml").out


def test_links_within_the_checkout_are_followed(run: Run, place: Place) -> None:
    own = place.repo / "src" / "own"
    place.write(own / "manifests" / "init.pp", "class own { notify { 'own': } }\n")
    place.write(own / "metadata.json", '{"name": "a-own"}')
    (place.repo / "modules" / "own").symlink_to("../src/own")
    place.site("include own\n")
    assert "Notify[own]" in run("order", ".").out
    fixtures = own / "spec" / "fixtures" / "modules"
    fixtures.mkdir(parents=True)
    (fixtures / "own").symlink_to(own)
    assert run("lint", own).code == 0


def test_links_of_a_named_modulepath_are_followed(run: Run, place: Place, tmp_path: Path) -> None:
    packaged = tmp_path / "packaged"
    packaged.mkdir()
    (packaged / "mod").symlink_to(place.outside / "mod")
    place.site("include mod\n")
    assert SECRET in run("order", ".", "--modulepath", packaged).out
    (place.repo / "theirs").mkdir()
    (place.repo / "theirs" / "mod").symlink_to(place.outside / "mod")
    done = run("order", ".", "--modulepath", "theirs")
    assert (done.code, SECRET in done.out + done.err) == (3, False)


def test_a_catalog_shows_no_line_of_a_file_elsewhere(run: Run, place: Place) -> None:
    def catalog(file: str) -> str:
        ring = [
            f'{{"type": "Notify", "title": "{a}", "file": "{file}", "line": 1,'
            f' "parameters": {{"require": "Notify[{b}]"}}}}'
            for a, b in ("ab", "ba")
        ]
        return f'{{"name": "n", "resources": [{", ".join(ring)}], "edges": []}}'

    path = place.repo / "catalog.json"
    path.write_text(catalog(f"{place.outside}/s.txt"))
    assert SECRET not in run("lint", path).out
    place.write(place.repo / "manifests" / "site.pp", f"# {SECRET}\n")
    path.write_text(catalog(f"{place.repo}/manifests/site.pp"))
    assert SECRET in run("lint", path).out
    place.link("linked.pp", "s.pp")
    path.write_text(catalog(f"{place.repo}/linked.pp"))
    assert SECRET not in run("lint", path).out


def test_the_check_of_the_syntax_enters_no_other_folder(run: Run, place: Place) -> None:
    place.write(place.outside / "bad.pp", f"}} {SECRET}\n")
    place.link("manifests/bad.pp", "bad.pp")
    place.link("modules/away", "")
    done = run("parse", ".")
    assert (done.code, SECRET in done.out + done.err) == (2, False)
    assert "manifests/bad.pp: cannot be read: it links to a place outside its checkout" in done.err
    assert SECRET not in "".join(str(run("parse", "manifests/bad.pp")))


@pytest.mark.parametrize(
    ("link", "target", "command"),
    [
        ("x.json", "s.txt", ["cycles", "x.json"]),
        ("x.json", "s.txt", ["lint", "x.json"]),
        ("x.pp", "bad.pp", ["lint", "x.pp"]),
        ("x.pp", "s.pp", ["compile", "x.pp"]),
        ("x", "mod", ["compile", "x/manifests/init.pp"]),
        ("x", "mod", ["lint", "x"]),
        ("facts.json", "facts.json", ["compile", ".", "--facts", "facts.json"]),
        ("catgraph.toml", "s.txt", ["lint", "."]),
    ],
)
def test_a_name_may_be_a_link(
    run: Run, place: Place, link: str, target: str, command: list[str]
) -> None:
    place.write(place.outside / "bad.pp", f"}} {SECRET}\n")
    place.link(link, target)
    place.site("notify { 'n': message => $facts['f'] }\n")
    done = run(*command)
    assert done.code != 0
    assert SECRET not in done.out + done.err
    assert "outside" in done.out + done.err


def test_fixes_are_not_written_through_links(run: Run, place: Place) -> None:
    text = "package { 'a': }\nfile { '/a': }\nFile['/a'] <- Package['a']\n"
    target = place.outside / "loose.pp"
    target.write_text(text)
    place.link("manifests/loose.pp", "loose.pp")
    for options in ("--fix", "--diff"):
        run("lint", ".", options, "--unsafe-fixes")
    assert target.read_text() == text


@pytest.mark.parametrize("path", ["report.json", "build/report.json"])
def test_nothing_is_written_through_links(run: Run, place: Place, path: str) -> None:
    place.site("notify { 'n': }\n")
    place.write(place.outside / "report.json", "kept")
    place.link(path if "/" not in path else "build", "report.json" if "/" not in path else "")
    for words in (["lint", "-o"], ["lint", "--write-baseline"], ["apply", "--report"]):
        done = run(words[0], ".", *words[1:], path)
        assert (done.code, "outside its checkout" in done.err) == (2, True)
    done = run("compile", ".", "--store", path)
    assert (done.code, "outside its checkout" in done.err) == (2, True)
    assert (place.outside / "report.json").read_text() == "kept"


def test_the_folder_of_a_checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo = tmp_path / "repo"
    inner = repo / "environments" / "production" / "manifests"
    inner.mkdir(parents=True)
    assert checkout(str(inner)) == str(repo)
    (tmp_path / ".git").mkdir()
    assert checkout(str(inner)) == str(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert checkout(str(inner)) == str(repo)
    roots = roots_of([str(tmp_path)])
    assert may_read(str(tmp_path / "modules" / "a"), roots)
    assert not may_read(str(tmp_path / ".ssh" / "id"), roots)
    assert not may_read(os.path.join(tmp_path, "modules", "..", ".ssh", "id"), roots)


def test_only_links_in_a_checkout_lead_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A home is too wide to be a checkout; a user's own links in it may lead anywhere."""
    monkeypatch.setenv("HOME", str(tmp_path))
    catalog = tmp_path / "environments" / "production" / "catalog.json"
    catalog.parent.mkdir(parents=True)
    catalog.write_text("{}")
    link = catalog.with_name("link.json")
    link.symlink_to("/etc/hosts")
    assert not leads_out(str(catalog))
    assert not leads_out(str(link))
    (catalog.parent / ".git").mkdir()
    assert not leads_out(str(catalog))
    assert leads_out(str(link))


def test_a_policy_reads_its_own_files(run: Run, place: Place) -> None:
    policy = place.repo / "promises.cf"
    place.link("linked.cf", "s.txt")
    body = 'body common control {{ bundlesequence => {{ "main" }}; inputs => {{ "{0}" }}; }}\n'
    for name in (f"{place.outside}/s.txt", "../outside/s.txt", "linked.cf"):
        policy.write_text(body.format(name) + 'bundle agent main { reports: "x"; }\n')
        done = run("order", policy)
        assert (done.code, SECRET in done.out + done.err) == (0, False)
        assert "is outside the policy's checkout and was not read" in done.err
    (place.repo / "def.json").symlink_to(place.outside / "s.json")
    assert SECRET not in run("order", policy).err
