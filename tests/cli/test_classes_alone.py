"""Modules and manifests that only define classes: each class is compiled by itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Put, Run

LOOP = """class {name} {{
  package {{ 'a': require => File['/etc/a'] }}
  file {{ '/etc/a': require => Package['a'] }}
}}
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A module with a cycle, a class that names what another declares, and one with a parameter."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "modules" / "web"
    texts = {
        "init": LOOP.format(name="web"),
        "config": "class web::config { file { '/b': require => Package['x'] } }\n",
        "named": "class web::named($x) { notify { $x: } }\n",
    }
    for name, text in texts.items():
        file = folder / "manifests" / f"{name}.pp"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    (tmp_path / "classes.pp").write_text(f"{LOOP.format(name='one')}class two {{ }}\n")
    (tmp_path / "one.pp").write_text("class one { notify { 'a': } notify { 'b': } }\n")
    return folder


@pytest.mark.parametrize("path", ["modules/web", "modules"])
def test_cycles_of_a_module(run: Run, module: Path, path: str) -> None:
    done = run("cycles", path)
    assert done.code == 1
    assert f"  in {path} (class web)\n" in done.out
    assert done.out.startswith(
        f"{path} (class web::config): no dependency cycle (1 resource, 0 relationships, "
        "1 reference to resources that other classes may declare)\n"
    )
    assert done.out.endswith(
        "3 catalogs: 1 clean, 1 with cycles, 1 incomplete\n"
        "incomplete: title at modules/web/manifests/named.pp:1:33: the required parameter "
        "'web::named::x' is not given; try --param NAME=VALUE\n"
    )


def test_cycles_of_one_manifest_of_a_module(run: Run, module: Path) -> None:
    assert run("cycles", "modules/web/manifests/init.pp").code == 1
    done = run("cycles", "modules/web/manifests/config.pp")
    assert (done.code, done.out.partition(":")[0]) == (
        0,
        "modules/web/manifests/config.pp (class web",
    )


def test_a_manifest_that_only_defines_classes(run: Run, module: Path) -> None:
    done = run("cycles", "classes.pp")
    assert done.code == 1
    assert "  in classes.pp (class one)\n" in done.out
    assert "classes.pp (class two): no dependency cycle" in done.out
    assert "CG301" in run("lint", "classes.pp").out


def test_a_defined_type_of_one_manifest_of_a_module(run: Run, module: Path) -> None:
    (module / "manifests" / "part.pp").write_text("define web::part { notify { $title: } }\n")
    done = run("cycles", "modules/web/manifests/part.pp", "--class", "web::part")
    assert (done.code, done.err) == (0, "")
    assert "no dependency cycle (1 resource, 0 relationships)" in done.out


def test_a_manifest_without_anything_to_compile(run: Run, module: Path) -> None:
    Path("d.pp").write_text("define d() { }\n")
    said = "d.pp: there is nothing to compile: no class, and no code outside of definitions\n"
    done = run("cycles", "d.pp")
    assert (done.out, done.err) == ("", said)
    assert run("order", "d.pp").code == 2


def test_order_and_why_answer_for_each_class(run: Run, module: Path) -> None:
    done = run("order", "classes.pp")
    # The other one has a cycle.
    assert (done.code, done.out.splitlines()[0]) == (1, "class two:")
    assert "class one): error: no order" in done.err
    done = run("why", "classes.pp", "Package[a]", "File[/etc/a]")
    assert (done.code, done.out.splitlines()[0]) == (1, "class one:")


@pytest.mark.parametrize(
    "words",
    [
        ("impact", "Package[a]"),
        ("graph",),
        ("apply",),
    ],
)
def test_one_class_of_several_has_to_be_named(
    run: Run, module: Path, words: tuple[str, ...]
) -> None:
    done = run(words[0], "classes.pp", *words[1:])
    assert (done.code, done.out) == (2, "")
    assert done.err == (
        "classes.pp: error: there are 2 classes (one, two), but only one was expected; "
        "choose one with --class NAME (unreadable)\n"
    )
    assert (
        "there are 2 classes" not in run(*words[:1], "classes.pp", *words[1:], "--class", "one").err
    )


def test_the_only_class_is_taken(run: Run, module: Path) -> None:
    assert run("order", "one.pp").out.startswith("Notify[a]\nNotify[b]\n")


def test_class_of_a_control_repo(run: Run, module: Path) -> None:
    Path("environment.conf").write_text("")
    Path("manifests").mkdir()
    Path("manifests/site.pp").write_text("node default { notify { 'site': } }\n")
    done = run("cycles", ".")
    assert done.code == 1
    assert "  in . (class web)\n" in done.out
    assert ". (1 class that no node has): no dependency cycle\n" in done.out
    assert ". (1 class that no node has): incomplete; no cycle in the known part\n" in done.out
    assert "4 catalogs: 2 clean, 1 with cycles, 1 incomplete\n" in done.out
    assert run("cycles", ".", "--node", "default").code == 0
    assert run("cycles", ".", "--class", "::Web").code == 1
    done = run("cycles", ".", "--class", "web", "--class", "web::nowhere")
    assert (done.code, "Could not find class ::web::nowhere" in done.err) == (1, True)
    assert "dependency cycle, 2 members" in done.out
    done = run("cycles", ".", "--class", "no name")
    assert (done.code, "expected the name of a class" in done.err) == (2, True)


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("modules/m/manifests/late.pp", LOOP.format(name="m::late"), "  in . (class m::late)\n"),
        ("extra/moved.pp", LOOP.format(name="moved"), "  in . (class moved)\n"),
        (
            "modules/m/manifests/part.pp",
            LOOP.format(name="x").replace("class x", "define m::part"),
            "",
        ),
        (
            "modules/m/manifests/late.pp",
            LOOP.format(name="m::late").replace("{\n", "{\nif $facts['kernel'] == 'Linux' {\n", 1)
            + "}",
            "dependency cycle if facts.kernel is 'Linux'",
        ),
    ],
    ids=["class", "misplaced class", "define", "condition"],
)
def test_code_that_no_node_has(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, text: str, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, content in {
        "environment.conf": "",
        "manifests/site.pp": "node 'n' { notify { 'n': } }\n",
        file: text,
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content)
    done = run("cycles", ".")
    assert done.code == 1
    assert "dependency cycle" in done.out
    assert said in done.out
    assert run("cycles", ".", "--node", "n").code == 0


def test_diff_goes_class_by_class(run: Run, module: Path) -> None:
    Path("other.pp").write_text("class one { } class two { notify { 'x': } }\n")
    done = run("diff", "classes.pp", "other.pp", "--format", "json")
    assert done.code == 1
    out = run("diff", "classes.pp", "other.pp").out
    assert "A: catalog of class one" in out
    assert "added: 1 resource\n  Notify[x]" in out
    assert run("diff", "classes.pp", "classes.pp").code == 0


def test_apply_takes_the_only_class(run: Run, module: Path) -> None:
    assert "Notify[a]  defined 'message' as 'a'" in run("apply", "one.pp").out


def test_files_of_others_have_a_limit_together(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A few lines may define thousands of classes, each of which takes nearly as long as it may."""
    monkeypatch.chdir(tmp_path)
    clock = iter(range(0, 1000, 10))
    monkeypatch.setattr("analyzer.compiles.unreached.spent", lambda: next(clock))
    Path("environment.conf").write_text("")
    Path("extra").mkdir()
    for number in range(6):
        Path(f"extra/c{number}.pp").write_text(f"class c{number} {{ notify {{ 'c': }} }}\n")
    Path("manifests").mkdir()
    Path("manifests/site.pp").write_text("node 'n' { notify { 'n': } }\n")
    done = run("cycles", ".", "--time-limit", "15", "--jobs", "1")
    assert ". (3 classes that no node has): no dependency cycle\n" in done.out
    assert "class c3 (first at extra/c3.pp) and 2 more: each was not compiled" in done.out
    assert "longer than 30 seconds together" in done.out
    assert done.code == 3


@pytest.mark.parametrize("more", [{}, {"manifests/c.pp": "class part::c { }\n"}], ids=["", "class"])
@pytest.mark.parametrize("command", ["check", "cycles"])
def test_a_defined_type_that_no_class_uses(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: dict[str, str], command: str
) -> None:
    text = "define part { notify { 'a': require => Notify['b'] } -> notify { 'b': } }\n"
    for name, content in {"metadata.json": "{}", "manifests/init.pp": text, **more}.items():
        (tmp_path / "part" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "part" / name).write_text(content)
    monkeypatch.chdir(tmp_path / "part")
    done = run(command, ".")
    assert done.code == 1
    assert "manifests/init.pp:1" in done.out
    assert "CG301" in done.out
    assert done.err == ""


APART = {
    "unread": {
        "environment.conf": "",
        "manifests/site.pp": "node 'n' { notify { 'n': } }\n",
        "nodes/m.pp": LOOP.format(name="x").replace("class x", "node 'm'"),
    },
    "one at a time": {
        "a.pp": "notify { 'a': require => Notify['b'] }\nnotify { 'b': require => Notify['a'] }\n",
        "b.pp": "notify { 'a': }\n",
    },
    "two sites and a module": {
        "one/manifests/site.pp": "notify { 'a': }\n",
        "two/manifests/site.pp": "notify { 'a': }\n",
        "more/m/manifests/init.pp": LOOP.format(name="m"),
    },
}


@pytest.mark.parametrize("files", APART.values(), ids=APART)
@pytest.mark.parametrize("command", ["cycles", "check"])
def test_code_that_is_applied_apart(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: dict[str, str], command: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content)
    done = run(command, ".")
    assert (done.code, done.out.count("error: dependency cycle"), done.err) == (1, 1, "")


def test_nodes_without_resources_share_a_line(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names = ", ".join(f"'a{number}'" for number in range(6))
    Path("site.pp").write_text(f"node {names} {{ }}\nnode 'n' {{ notify {{ 'n': }} }}\n")
    assert run("cycles", "site.pp").out == (
        "site.pp (6 nodes without resources): no dependency cycle\n"
        "site.pp (n): no dependency cycle (1 resource, 0 relationships)\n"
        "7 catalogs: 7 clean, 0 with cycles\n"
    )


@pytest.mark.parametrize("names", [("web",), ("db", "web")])
@pytest.mark.parametrize("command", ["check", "lint", "cycles"])
def test_manifests_beside_modules_are_applied_one_by_one(
    command: str, names: tuple[str, ...], run: Run, put: Put
) -> None:
    code = "node 'x' { include app Class['app'] -> Notify['y'] -> Class['app'] notify { 'y': } }\n"
    put({"modules/app/manifests/init.pp": "class app { notify { 'x': } }\n"})
    put({f"{name}.pp": code for name in names})
    done = run(command, ".")
    assert (done.code, "Notify[y] => Class[App]" in done.out) == (1, True)
    assert all(f"{name}.pp" in done.out for name in names)
