"""Findings about what catgraph itself chose: systems, values of worlds, data of a server."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.linter.choice import Choice
from analyzer.session.lint.check import check_inputs
from analyzer.session.lint.request import Request
from tests.linter.strangers import errors_in

SYSTEM = {"catgraph.toml": 'facts = ["@debian-12"]\n'}


@pytest.mark.parametrize(
    "code",
    [
        "class a($names = []) { $names.each |String $n| { package { $n: } } }",
        "class a { $names = lookup('a::names', { default_value => [] })\n"
        "  $names.each |String $n| { package { $n: } } }",
        "class a($names = undef) { if $names { $names.each |$n| { package { $n: } } } }",
    ],
)
def test_a_loop_goes_through_no_characters_of_a_guess(code: str, tmp_path: Path) -> None:
    """Puppet goes through a text by its characters: `$names` may be a text, but is not meant so."""
    assert errors_in(tmp_path, {"modules/a/manifests/init.pp": code}) == []
    assert errors_in(tmp_path, {**SYSTEM, "modules/a/manifests/init.pp": code}) == []


def test_a_loop_over_something_may_declare_a_resource_again(tmp_path: Path) -> None:
    code = "class a($names = []) {\n  $names.each |$n| { notify { 'b': } }\n  notify { 'b': }\n}"
    found = errors_in(tmp_path, {**SYSTEM, "modules/a/manifests/init.pp": code})
    assert [one.partition(" is already")[0] for one in found] == [
        "Duplicate declaration: Notify[b]"
    ]


def test_a_variable_that_nobody_sets_may_be_of_a_classifier(tmp_path: Path) -> None:
    """A typical system has no facts of the site; a name like one beside it is misspelled."""
    code = "node default {\n  if ! $role { $role = 'base' }\n  notify { \"role ${role}\": }\n}\n"
    assert errors_in(tmp_path, {**SYSTEM, "manifests/site.pp": code}) == []
    code = "$services = ['a']\nnode default { notify { $service: } }\n"
    found = errors_in(tmp_path, {**SYSTEM, "manifests/site.pp": code})
    assert found == ["Unknown variable: 'service'."]


def test_data_are_on_the_server_where_the_code_has_no_configuration(tmp_path: Path) -> None:
    code = "$role = hiera('role')\nnotify { $role: }\n"
    assert errors_in(tmp_path, {"site.pp": code}) == []


def test_ruby_code_with_the_name_of_a_manifest_is_not_read(tmp_path: Path) -> None:
    files = {
        "modules/a/manifests/init.pp": "class a { }\n",
        "modules/a/lib/puppet/provider/package/a.pp": "Puppet::Type.type(:package).provide :a do\n",
    }
    assert errors_in(tmp_path, files) == []


REFUSING = {
    "fail": "if $facts['os']['family'] != 'RedHat' { fail('only for RedHat') }",
    "selector": "$package = $facts['os']['family'] ? { 'RedHat' => 'httpd' }",
    "data": "$package = lookup('package')",
    "class": "include \"a::${facts['os']['family'].downcase}\"",
    "number": "$n = Integer($facts['os']['family'].regsubst('RedHat', '9'))",
    "part": "$x = { 'RedHat' => { 'p' => 'x' } }[$facts['os']['family']]\n $y = $x['p']",
}


@pytest.mark.parametrize("has_key", [True, False])
def test_data_of_other_systems_may_have_a_value(has_key: bool, tmp_path: Path) -> None:
    files = {
        **SYSTEM,
        "manifests/site.pp": "lookup('classes', Array[String], 'unique').include\n",
        "hiera.yaml": "version: 5\nhierarchy: [{name: a, path: '%{facts.dmi.board.name}.yaml'}]\n",
        "data/W51XTU.yaml": f"{'classes' if has_key else 'others'}: [a]\n",
        "modules/a/manifests/init.pp": "class a { }\n",
    }
    assert len(errors_in(tmp_path, files)) == (not has_key)


def test_a_check_of_what_only_other_systems_set(tmp_path: Path) -> None:
    code = (
        "class a {\n  case $facts['os']['family'] { 'RedHat': { $file = '/etc/a' } }\n"
        "  validate_re($file, '^/')\n}\n"
    )
    files = {
        "catgraph.toml": 'facts = ["@rocky-9", "@debian-12"]\nstrict = false\n',
        "manifests/site.pp": "node 'a.example.com' { include a }\n",
        "modules/a/manifests/init.pp": code,
    }
    assert errors_in(tmp_path, files) == []


@pytest.mark.parametrize("how", REFUSING)
def test_a_system_that_the_code_refuses_is_none_of_its_own(how: str, tmp_path: Path) -> None:
    """The other system compiles: the refused one was a guess."""
    files = {
        "catgraph.toml": 'facts = ["@rocky-9", "@debian-12"]\n',
        "manifests/site.pp": "node 'a.example.com' { include a }\n",
        "modules/a/manifests/init.pp": f"class a {{ {REFUSING[how]} }}\n",
        "modules/a/manifests/redhat.pp": "class a::redhat { }\n",
        "hiera.yaml": "version: 5\nhierarchy: [{name: a, path: '%{facts.os.family}.yaml'}]\n",
        "data/RedHat.yaml": "package: httpd\n",
    }
    assert errors_in(tmp_path, files) == []
    # Without a system that compiles, only data can be missing for all.
    files["catgraph.toml"] = 'facts = ["@ubuntu-24.04", "@debian-12"]\n'
    assert len(errors_in(tmp_path, files)) == (how == "data")
    files["catgraph.toml"] = 'facts = ["facts.json"]\n'
    files["facts.json"] = '{"os": {"family": "Debian"}}'
    assert len(errors_in(tmp_path, files)) == 1


def test_an_export_has_another_title_where_a_node_has_other_facts(tmp_path: Path) -> None:
    """Puppet 7.23 refuses the same title of two nodes; their environments may differ."""
    code = (
        "node 'a.example.com', 'b.example.com' {\n  @@notify { TITLE: }\n"
        "  Notify <<| title != 'x' |>>\n}\n"
    )
    for title, count in (('"of ${environment}"', 0), ("$facts['kernel']", 0), ("'of all'", 1)):
        files = {"manifests/site.pp": code.replace("TITLE", title)}
        for facts in ("", 'facts = ["@debian-12"]\n'):
            assert len(errors_in(tmp_path, {**files, "catgraph.toml": facts})) == count


def test_manifests_that_no_server_reads_are_applied_one_by_one(tmp_path: Path) -> None:
    files = {
        "manifests/web.pp": "package { 'git': }\n",
        "manifests/db.pp": "package { 'git': ensure => installed }\n",
    }
    assert errors_in(tmp_path, files) == []
    assert len(errors_in(tmp_path, {**files, "environment.conf": ""})) == 1


def test_manifests_that_repeat_node_blocks_are_applied_one_by_one(tmp_path: Path) -> None:
    """A text says how to apply one of them; without it, the second block may be a mistake."""
    web = "node /web/ { package { 'git': } }\n"
    files = {"manifests/deploy.pp": web, "manifests/nodes.pp": web + "node db { }\n"}
    files |= {"modules/a/manifests/init.pp": "class a { }\n", "Puppetfile": ""}
    assert len(errors_in(tmp_path, files)) == 1
    readme = {"README.md": "ssh web 'puppet apply --debug /root/manifests/deploy.pp'\n"}
    assert errors_in(tmp_path, {**files, **readme}) == []
    assert len(errors_in(tmp_path, {**files, **readme, "environment.conf": ""})) == 1


def test_the_manifests_of_boxes_are_applied_one_by_one(tmp_path: Path) -> None:
    node = "node web { package { 'git': } }\n"
    files = {"manifests/web.pp": node, "manifests/all.pp": node, "Puppetfile": ""}
    assert len(errors_in(tmp_path, files)) == 1
    box = {"boxes/web/Vagrantfile": "puppet.manifest_file = 'web.pp'\n"}
    assert errors_in(tmp_path, {**files, **box}) == []


def test_the_manifest_of_vagrant_is_applied_alone(tmp_path: Path) -> None:
    node = "node web { package { 'git': } }\n"
    files = {"manifests/site.pp": f"{node}node default {{ }}\n", "manifests/default.pp": node}
    assert len(errors_in(tmp_path, files)) == 1
    assert errors_in(tmp_path, {**files, "Vagrantfile": ""}) == []


def test_a_resource_that_only_other_kernels_lack_is_no_finding(tmp_path: Path) -> None:
    code = (
        "class a {\n  if $facts['kernel'] == 'Linux' { package { 'wget': } }\n"
        "  exec { '/usr/bin/wget x': require => Package['wget'] }\n}\n"
    )
    assert errors_in(tmp_path, {"modules/a/manifests/init.pp": code}) == []
    there = code.replace("kernel", "virtual").replace("Linux", "kvm")
    assert len(errors_in(tmp_path, {"modules/a/manifests/init.pp": there})) == 1


def test_each_of_several_default_nodes_is_applied_by_itself(tmp_path: Path) -> None:
    file = "Exec { path => '/bin' }\nnode default { exec { 'a': } }\n"
    assert errors_in(tmp_path, {"manifests/a.pp": file, "manifests/b.pp": file}) == []
    files = {"manifests/a.pp": file, "manifests/b.pp": file, "manifests/c.pp": "node 'c' { }\n"}
    assert len(errors_in(tmp_path, files)) == 2
    files["manifests/d.pp"] = file
    assert errors_in(tmp_path, files) == []


def test_a_reference_to_a_type_of_a_missing_module_is_none_to_a_class(tmp_path: Path) -> None:
    """Puppet takes a resource of a type that does not exist for a class."""
    files = {
        "modules/a/manifests/init.pp": "class a {\n  include t\n"
        "  file { '/usr/x/y': notify => Sup::Service[t] }\n}\n",
        "modules/t/manifests/init.pp": "class t { file { '/usr/x': ensure => directory } }\n",
    }
    assert errors_in(tmp_path, files) == []


def test_the_key_of_a_repository_in_an_earlier_stage(tmp_path: Path) -> None:
    code = (
        "stage { 'first': before => Stage['main'] }\n"
        "class repositories {\n  yumrepo { 'site': gpgkey => 'file:///etc/pki/rpm-gpg/SITE' }\n}\n"
        "class { 'repositories': stage => first }\n"
        "file { '/etc/pki/rpm-gpg/SITE': content => 'x' }\npackage { 'nginx': }\n"
    )
    (tmp_path / "site.pp").write_text(code)
    found = check_inputs(Request((str(tmp_path),), Choice(("CG325",)))).found
    assert [one.finding.refs for one in found] == [
        ("File[/etc/pki/rpm-gpg/SITE]", "Yumrepo[site]", "Package[nginx]")
    ]


def test_an_old_configuration_of_hiera_beside_the_manifest_of_a_site(tmp_path: Path) -> None:
    files = {
        "environment.conf": "manifest = site.pp\nmodulepath = site\n",
        "site.pp": "include a\n",
        "hiera.yaml": "---\n:backends:\n  - yaml\n:hierarchy:\n  - common\n",
        "site/a/manifests/init.pp": "class a { $x = hiera('x') notify { $x: } }\n",
    }
    assert errors_in(tmp_path, files) == []
    files["site/a/manifests/init.pp"] = "class a($x) { notify { $x: } }\n"
    assert errors_in(tmp_path, files) == []


def test_a_smoke_test_among_the_manifests_of_a_module(tmp_path: Path) -> None:
    files = {
        "manifests/site.pp": "include a\n",
        "modules/a/manifests/init.pp": "class a { }\n",
        "modules/a/manifests/tests/init.pp": "class { 'a': }\n",
    }
    assert errors_in(tmp_path, files) == []


def test_the_title_of_an_example_of_a_define(tmp_path: Path) -> None:
    files = {
        "manifests/site.pp": "node 'a' { notify { 'a': } }\n",
        "modules/role/manifests/init.pp": 'define role { class { "role::$name": } }\n',
    }
    assert errors_in(tmp_path, files) == []


def test_manifests_that_need_no_other_one(tmp_path: Path) -> None:
    file = "stage { 'pre': }\nclass { 'base': stage => pre }\n"
    files = {f"manifests/{name}.pp": file for name in ("a", "b", "c")}
    files |= {"hiera.yaml": "---\n:backends: [yaml]\n"}
    files |= {"modules/base/manifests/init.pp": "class base { }\n"}
    assert errors_in(tmp_path, files) == []
    assert len(errors_in(tmp_path, {**files, "environment.conf": ""})) == 1
