"""What a site, a module and the files beside a manifest prove against a finding."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.frontends.puppet.node.environment import Settings
from analyzer.linter.choice import Choice
from analyzer.session.lint.check import check_inputs, coverage_of
from analyzer.session.lint.request import Request


@pytest.mark.parametrize(
    "site", ["manifests/site.pp", "modules/b/metadata.json", "modules/a/metadata.json", ""]
)
def test_modules_without_their_site_are_asked_for_misspellings(site: str, tmp_path: Path) -> None:
    """The site sets variables for several modules; nobody sees them here."""
    text = 'class b($size = 1) { notify { "${customer} ${sizes} ${lstdistcodename}": } }\n'
    files = {"modules/a/manifests/init.pp": "class a { }\n", "modules/b/manifests/init.pp": text}
    if site:
        files[site] = ""
    for name, text in files.items():
        place = tmp_path / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    found = check_inputs(Request((str(tmp_path),), Choice(("CG111",)), fixes=False)).found
    assert [one.finding.message for one in found] == [
        *(["the class does not set '$customer'"] if site else []),
        "the class does not set '$sizes'; did you mean '$size'?",
        "the class does not set '$lstdistcodename'; did you mean '$lsbdistcodename'?",
    ]


def test_a_variable_with_the_prefix_of_others_is_none_of_the_site(tmp_path: Path) -> None:
    """A site may set `$nagios_check`, but hardly what is named like the variables beside it."""
    text = (
        "define solr($solr_home) {\n  $solr_tar = 1\n  $solr_dir = 2\n"
        "  notify { [$nagios_check, $solr_fetched]: }\n}\n"
    )
    for name, code in (("solr", text), ("tomcat", "class tomcat { }\n")):
        (tmp_path / name / "manifests").mkdir(parents=True)
        (tmp_path / name / "manifests/init.pp").write_text(code)
    found = check_inputs(Request((str(tmp_path),), Choice(("CG111",)), fixes=False)).found
    assert [one.finding.message for one in found] == ["the define does not set '$solr_fetched'"]


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("modules/a/facts.d/role.txt", "role=web\n"),
        ("site/b/facts.d/role.yaml", "---\nrole: web\n"),
        ("site/b/facts.d/role.json", '{\n  "role": "web"\n}\n'),
        ("site/b/facts.d/role.sh", "#!/bin/sh\necho role=$(hostname | cut -c1-3)\n"),
        ("site/b/lib/facter/role.rb", "Facter.add('role') do\nend\n"),
    ],
)
def test_facts_of_all_modules_of_a_site_are_known(file: str, text: str, tmp_path: Path) -> None:
    files = {
        "manifests/site.pp": "include a\n",
        "modules/a/manifests/init.pp": 'class a { notify { "${role}": } }\n',
        "site/b/manifests/init.pp": "class b { }\n",
    }
    for name, code in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(code)

    def count() -> int:
        return len(check_inputs(Request((str(tmp_path),), Choice(("CG111",)), fixes=False)).found)

    assert count() == 1
    (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / file).write_text(text)
    assert count() == 0


@pytest.mark.parametrize(
    ("query", "use", "severity"),
    [
        ("title == 'a'", "include a", "note"),
        ("", "include a", "warning"),
        ("title == 'a'", "", "warning"),
        ("title == 'a' or title == 'b'", "include a", "warning"),
    ],
)
def test_a_class_may_be_there_to_override_one_resource(
    query: str, use: str, severity: str, tmp_path: Path
) -> None:
    code = (
        "class a { service { 'a': ensure => running } }\ninclude a, a::off\n"
        f"class a::off {{ {use} Service <| {query} |> {{ ensure => stopped }} }}\n"
    )
    (tmp_path / "site.pp").write_text(code)
    found = check_inputs(
        Request((str(tmp_path / "site.pp"),), Choice(("CG107",)), fixes=False)
    ).found
    assert [one.finding.severity for one in found] == [severity]


def test_what_a_missing_resource_may_order_is_no_finding(tmp_path: Path) -> None:
    """Another class of the module may declare what the service waits for, after the package."""
    home = tmp_path / "m" / "manifests"
    home.mkdir(parents=True)

    def count(attribute: str) -> int:
        service = f"service {{ 'm': ensure => running {attribute} }}"
        (home / "init.pp").write_text(f"class m {{\n package {{ 'm': }}\n {service}\n}}\n")
        lint = check_inputs(Request((str(tmp_path / "m"),), Choice(("CG312",)), fixes=False))
        return len(lint.found)

    assert count("") == 1
    assert count(", subscribe => File['/etc/m.conf']") == 0


def test_the_manifests_of_tests_are_not_the_code_of_a_module(tmp_path: Path) -> None:
    for name in ("m/manifests", "m/spec/acceptance", "spec/manifests"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "broken.pp").write_text("class {{\n")
    for name in ("m", "spec"):
        (tmp_path / name / "manifests/init.pp").write_text(f"class {name} {{ }}\n")

    def files(path: str) -> list[str]:
        request = Request((str(tmp_path / path),), Choice(("CG200",)), fixes=False)
        spans = [one.finding.span for one in check_inputs(request).found]
        return [span.file.removeprefix(str(tmp_path)) for span in spans if span]

    assert files("m") == ["/m/manifests/broken.pp"]
    assert files("m/spec") == ["/m/spec/acceptance/broken.pp"]
    assert files(".") == ["/m/manifests/broken.pp", "/spec/manifests/broken.pp"]


def test_a_duplicate_in_every_world_is_one_finding(tmp_path: Path) -> None:
    (tmp_path / "manifests").mkdir()
    (tmp_path / "manifests/site.pp").write_text(
        "class a { }\nclass b { class { 'a': } if $facts['x'] { notify { 'x': } } }\n"
        "include a\ninclude b\n"
    )
    found = check_inputs(Request((str(tmp_path),), Choice(), fixes=False)).found
    assert [one.finding.code for one in found] == ["CG202"]


def test_a_custom_fact_that_is_not_given_is_stated(tmp_path: Path) -> None:
    files = {
        "manifests/site.pp": "include a\n",
        "modules/a/manifests/init.pp": (
            "class a {\n  if $facts['numa']['nodes'] == 1 { notify { 'x': } }\n}\n"
        ),
        "modules/a/lib/facter/numa.rb": "Facter.add(:numa) do\nend\n",
    }
    for name, text in files.items():
        place = tmp_path / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)

    def told() -> tuple[list[str], list[str]]:
        settings = Settings(facts=("@debian-12",))
        request = Request((str(tmp_path),), Choice(("CG200",)), lambda path: settings, fixes=False)
        lint = check_inputs(request)
        found = [str(one.finding.severity) for one in lint.found]
        return found, [str(gap) for gap in coverage_of(lint).gaps]

    found, (gap,) = told()
    assert not found
    assert "it may be a fact of your own" in gap
    # Facts may be external, too: only the facts of the system are known.
    (tmp_path / "modules/a/lib/facter/numa.rb").write_text("Facter.add(:other) do\nend\n")
    assert told() == ([], [gap])


# The class that a module's other class is named in, and how many duplicates that proves.
USES = {"include m::a": 1, '$z = "a"\n include "m::${z}"': 0}


@pytest.mark.parametrize(("use", "count"), USES.items())
def test_a_class_that_facts_chose_proves_no_duplicate(use: str, count: int, tmp_path: Path) -> None:
    home = tmp_path / "m" / "manifests"
    home.mkdir(parents=True)
    body = "file { '/a': }"
    (home / "a.pp").write_text(f"class m::a {{ {body} }}\n", encoding="utf-8")
    (home / "b.pp").write_text(f"class m::b {{\n{use}\n{body}\n}}\n", encoding="utf-8")
    assert len(check_inputs(Request((str(tmp_path / "m"),), Choice(("CG202",)))).found) == count


def test_a_site_may_order_packages_after_their_repositories(tmp_path: Path) -> None:
    files = {
        "manifests/site.pp": "include base\n",
        "modules/base/manifests/init.pp": "class base { }\n",
        "modules/app/manifests/init.pp": (
            "class app {\n  yumrepo { 'app': baseurl => 'u' }\n  package { 'app': }\n}\n"
        ),
    }
    for name, text in files.items():
        place = tmp_path / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)

    def count() -> int:
        path = str(tmp_path / "modules")
        return len(check_inputs(Request((path,), Choice(("CG325",)), fixes=False)).found)

    assert count() == 1
    base = tmp_path / "modules/base/manifests/init.pp"
    base.write_text("class base {\n  Yumrepo <| |>\n  -> Package <| title != 'yum' |>\n}\n")
    assert count() == 0


def test_a_parameter_that_is_not_given_is_no_finding(tmp_path: Path) -> None:
    home = tmp_path / "m" / "manifests"
    home.mkdir(parents=True)
    text = "class m($p) {\n  notify { 'a': require => Notify[$p] }\n}\n"
    (home / "init.pp").write_text(text, encoding="utf-8")
    lint = check_inputs(Request((str(tmp_path / "m"),), Choice(("CG204",))))
    assert lint.found == []


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def told(folder: Path, *codes: str) -> list[str]:
    """Return the messages of the findings in a folder."""
    found = check_inputs(Request((str(folder),), Choice(codes), fixes=False, worlds=16)).found
    return [one.finding.message for one in found]


@pytest.mark.parametrize(("name", "count"), [("puppet_enterprise::agent", 0), ("petals", 1)])
def test_modules_of_puppet_enterprise_may_be_there(name: str, count: int, tmp_path: Path) -> None:
    write(tmp_path, {"Puppetfile": "", "manifests/site.pp": f"include {name}\n"})
    assert len(told(tmp_path, "CG200")) == count


@pytest.mark.parametrize(
    ("code", "count"),
    [
        ("include nginx::gone", 1),
        ("include ngnix", 1),
        ("include petals", 0),
        ("file_line { 'a': path => '/a', line => 'b' }", 0),
        ("petal { 'a': }", 1),
    ],
)
def test_modules_of_the_server_may_be_there(code: str, count: int, tmp_path: Path) -> None:
    """A repository that lists no modules does not show which ones it needs."""
    files = {"modules/nginx/manifests/init.pp": "class nginx { }\n"}
    write(tmp_path, {**files, "manifests/site.pp": f"{code}\n"})
    assert len(told(tmp_path, "CG200")) == count


@pytest.mark.parametrize(
    ("config", "count"),
    [
        ("---\n:backends:\n  - yaml\n", 0),
        ("---\nversion: 5\nhierarchy: [{name: a, path: a.yaml}]\n", 1),
    ],
)
def test_values_of_a_hiera_for_all_environments_may_be_there(
    config: str, count: int, tmp_path: Path
) -> None:
    site = "notify { 'a': message => lookup('m') }\n"
    data = {"data/a.yaml": "other: 1\n"}
    write(tmp_path, {"manifests/site.pp": site, "hiera.yaml": config, **data})
    assert len(told(tmp_path, "CG200")) == count


@pytest.mark.parametrize(("asked", "count"), [("mod 'acme/board', '1.0.0'\n", 0), ("", 1)])
def test_a_template_of_a_module_to_install_may_be_there(
    asked: str, count: int, tmp_path: Path
) -> None:
    site = "file { '/a': content => template('board/a.erb') }\n"
    site += "file { '/b': content => epp('board/b.epp') }\n"
    write(tmp_path, {"manifests/site.pp": site, "Puppetfile": asked})
    assert len(told(tmp_path, "CG200")) == count


def test_two_declarations_that_exclude_each_other_are_one_finding(tmp_path: Path) -> None:
    """Which of them is the first depends on the order of the classes in a node."""
    body = "if $facts['os']['name'] == 'Plan9' { notify { 'x': } }"
    site = "node 'a' { include m::a, m::b }\nnode 'b' { include m::b, m::a }\n"
    files = {f"modules/m/manifests/{n}.pp": f"class m::{n} {{ {body} }}\n" for n in "ab"}
    write(tmp_path, {"manifests/site.pp": site, **files})
    (message,) = told(tmp_path, "CG200", "CG202")
    assert message.endswith("(if facts.os.name is 'Plan9')")


def test_a_choice_and_a_missing_name_are_reported_once(tmp_path: Path) -> None:
    stages = "class { 'a': stage => 'pre' }\nclass { 'b': stage => 'pre' }\n"
    module = 'class {name} {{ notify {{ "{name} ${{gone}}": }} }}\n'
    classes = {f"modules/{n}/manifests/init.pp": module.format(name=n) for n in "ab"}
    write(tmp_path, {"manifests/site.pp": f"stage {{ 'pre': }}\n{stages}", **classes})
    write(tmp_path, {"modules/c/manifests/init.pp": stages})
    assert told(tmp_path, "CG109", "CG111") == [
        "a class is assigned to a run stage",
        "the class does not set '$gone'",
    ]


def test_code_that_a_module_may_not_have_is_one_finding(tmp_path: Path) -> None:
    (tmp_path / "site.pp").write_text("require a\n")
    assert len(told(tmp_path / "site.pp", "CG110")) == 1
    write(tmp_path, {"m/manifests/init.pp": "if $x { require a }\nclass m { }\n"})
    assert told(tmp_path / "m", "CG110") == []


def test_a_link_to_the_repository_is_no_environment(tmp_path: Path) -> None:
    write(tmp_path, {"manifests/site.pp": "include m::gone\n"})
    write(tmp_path, {"modules/m/manifests/init.pp": "class m { }\n"})
    (tmp_path / "environments").mkdir()
    (tmp_path / "environments/vagrant").symlink_to("..")
    assert told(tmp_path, "CG200") == ["Could not find class ::m::gone"]


def test_data_of_real_nodes_are_not_those_of_the_default_node(tmp_path: Path) -> None:
    levels = "version: 5\nhierarchy: [{name: n, path: 'nodes/%{trusted.certname}.yaml'}]\n"
    site = "node default { notify { lookup('role'): } }\n"
    files = {"hiera.yaml": levels, "data/nodes/web1.yaml": "role: web\n"}
    write(tmp_path, {"manifests/site.pp": site, **files})
    assert told(tmp_path, "CG200") == []
    write(tmp_path, {"data/nodes/web2.yaml": "a: b\n"})
    (message,) = told(tmp_path, "CG200")
    assert message == "Function lookup() did not find a value for the name 'role'"


def test_errors_about_packages_of_one_service_are_one_finding(tmp_path: Path) -> None:
    """The service needs both; the missing relationship is one."""
    code = "package { ['mariadb', 'mariadb-server']: }\nservice { 'mariadb': ensure => running }\n"
    (tmp_path / "site.pp").write_text(code)
    assert len(told(tmp_path / "site.pp", "CG312")) == 1


def test_an_empty_class_is_one_finding(tmp_path: Path) -> None:
    code = "class a { }\ninclude b, c\n"
    code += "".join(f"class {n} {{ require a notify {{ '{n}': }} }}\n" for n in "bc")
    (tmp_path / "site.pp").write_text(code)
    assert len(told(tmp_path / "site.pp", "CG313")) == 1


def test_an_anchor_only_passes_on(tmp_path: Path) -> None:
    """Puppet 7.23: the anchor of stdlib is no change by itself."""
    class_ = "class m {{ contain m::install\n{}: }} ~> Class['m::install']\n}}\n"
    files = {
        "modules/m/manifests/init.pp": class_.format("anchor { 'begin'"),
        "modules/m/manifests/install.pp": "class m::install { package { 'p': } }\n",
        "modules/stdlib/lib/puppet/type/anchor.rb": "Puppet::Type.newtype(:anchor) do\nend\n",
        "manifests/site.pp": "include m\n",
    }
    write(tmp_path, files)
    assert told(tmp_path, "CG308") == []
    write(tmp_path, {"modules/m/manifests/init.pp": class_.format("exec { '/bin/x'")})
    assert len(told(tmp_path, "CG308")) == 1


def test_a_control_repo_may_order_its_own_packages_and_stages(tmp_path: Path) -> None:
    """A module that others use may not: their packages and stages are different."""
    code = "class m { Yumrepo <| |> -> Package <| |> class { 'm::a': stage => 'pre' } }\n"
    write(tmp_path, {"environment.conf": "", "site/m/manifests/init.pp": code})
    assert told(tmp_path, "CG102", "CG109") == []
    write(tmp_path, {"site/m/metadata.json": "{}"})
    assert len(told(tmp_path / "site/m", "CG102", "CG109")) == 2


def test_variables_of_examples_are_those_of_their_readers(tmp_path: Path) -> None:
    code = 'class a { notify { "${whatever}": } }\n'
    write(tmp_path, {"metadata.json": "{}", "manifests/init.pp": "class m { }\n"})
    write(tmp_path, {"examples/a.pp": code})
    assert told(tmp_path, "CG111") == []
    write(tmp_path, {"manifests/a.pp": code.replace("class a", "class m::a")})
    assert len(told(tmp_path, "CG111")) == 1


@pytest.mark.parametrize("file", ["base/nodes.pp", "production.pp", ""])
def test_manifests_that_import_each_other_set_variables_for_all(file: str, tmp_path: Path) -> None:
    files = {
        "site.pp": 'import "base/*"\n',
        "base/web.pp": "class web { notify { $fileroot: } }\n",
        "modules/a/manifests/init.pp": "class a { }\n",
    }
    if file:
        files[file] = "node default { $fileroot = 'puppet:///files' }\n"
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    found = check_inputs(Request((str(tmp_path),), Choice(("CG111",)), fixes=False)).found
    said = [] if file else ["the class does not set '$fileroot'"]
    assert [one.finding.message for one in found] == said
