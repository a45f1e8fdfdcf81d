"""`catgraph upgrade --fix`: data, templates and calls, as far as no catalog changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Put, Run
from tests.oracle.harness import installed

LEVELS = "- {name: a, path: '%{facts.osfamily}.yaml'}\n- {name: c, path: c.yaml}\n"
HIERA = f"version: 5\nhierarchy:\n{LEVELS}"
CLASS = """class web ($x, $mode = 'present') {
  validate_string($x)
  validate_re($mode, '^(present|absent)$')
  if is_string($x) { notify { $x: } }
  file { '/e': content => epp('web/a.epp') }
  file { '/f': content => template('web/b.erb') }
}
"""
SITE = {
    "s/environment.conf": "modulepath = modules\n",
    "s/manifests/site.pp": "node default { include web }\n",
    "s/hiera.yaml": HIERA,
    "s/data/Debian.yaml": "web::mode: absent\n",
    "s/data/c.yaml": 'web::x: "on %{::hostname} %{facts.ipaddress}"\n',
    "s/data/other.yaml": 'web::z: "%{::fqdn}"\n',
    "s/modules/web/manifests/init.pp": CLASS,
    "s/modules/web/templates/a.epp": "<%= $::osfamily %>\n",
    "s/modules/web/templates/b.erb": "<%= @osfamily %> <%= scope['::domain'] %>"
    " <%= scope.lookupvar('fqdn') %> <%= @facts['macaddress'] %> <%= @ipaddress_eth0 %>\n",
    "s/modules/stdlib/metadata.json": '{"name": "puppetlabs-stdlib", "version": "8.5.0"}',
    "s/modules/stdlib/types/absolutepath.pp": "type Stdlib::Absolutepath = Pattern[/^\\//]\n",
}
FUNCTIONS = "s/modules/stdlib/lib/puppet/parser/functions"
SITE |= {f"{FUNCTIONS}/{name}.rb": "" for name in ("validate_re", "validate_string")}
OPTIONS = ("upgrade", "s", "--to", "puppet-8", "--facts", "@debian-12")


def test_data_and_templates(put: Put, run: Run, tmp_path: Path) -> None:
    put(SITE)
    done = run(*OPTIONS, "--fix")
    text = {name: (tmp_path / name).read_text() for name in SITE}
    assert "path: '%{facts.os.family}.yaml'" in text["s/hiera.yaml"]
    assert "on %{facts.networking.hostname} %{facts.networking.ip}" in text["s/data/c.yaml"]
    assert text["s/modules/web/templates/a.epp"] == "<%= $facts['os']['family'] %>\n"
    # Nothing reads this file, and without Ruby the text of the template is unknown.
    for name, line in (("s/data/other.yaml", 1), ("s/modules/web/templates/b.erb", 1)):
        assert text[name] == SITE[name]
        assert f"{name}:{line}:" in done.err
    assert "legacy facts" in done.err


def test_calls(put: Put, run: Run, tmp_path: Path) -> None:
    file = "s/modules/web/manifests/init.pp"
    put(SITE)
    code = "class web ($x, $all = {a => 1}) {\n  if has_key($all, 'a') { notify { $x: } }\n}\n"
    put({file: code, f"{FUNCTIONS}/has_key.rb": ""})
    assert "and 1 call in" in run(*OPTIONS, "--fix").err
    assert "if 'a' in $all {" in (tmp_path / file).read_text()


def test_calls_above_an_error(put: Put, run: Run, tmp_path: Path) -> None:
    """A call that is removed moves the error below it, which the node has with and without it."""
    file = "s/modules/web/manifests/init.pp"
    put(SITE)
    code = "class web ($x, $mode = 'present') {\n  validate_string($x)\n  notify { $x: }\n"
    put({file: f"{code}  nothing_of_this_name($x)\n}}\n"})
    assert "and 1 call in" in run(*OPTIONS, "--fix").err
    text = (tmp_path / file).read_text()
    assert text.startswith("class web (String $x, $mode = 'present') {\n  notify { $x: }\n")


def test_a_type_that_refuses_what_the_function_takes_is_not_written(
    put: Put, run: Run, tmp_path: Path
) -> None:
    """The data have no such value: the catalog without an error would have one."""
    put(SITE)
    put({"s/data/Debian.yaml": "web::mode: other\n"})
    run(*OPTIONS, "--fix")
    assert "validate_re" in (tmp_path / "s/modules/web/manifests/init.pp").read_text()


@pytest.mark.skipif(installed() is None, reason="no Ruby with Puppet")
def test_a_template_in_ruby(put: Put, run: Run, tmp_path: Path) -> None:
    put(SITE)
    run(*OPTIONS, "--fix", "--ruby", "auto")
    text = (tmp_path / "s/modules/web/templates/b.erb").read_text()
    assert text == (
        "<%= @facts['os']['family'] %> <%= @facts['networking']['domain'] %>"
        " <%= @facts['networking']['fqdn'] %> <%= @facts['networking']['mac'] %>"
        " <%= @facts.dig('networking', 'interfaces', 'eth0', 'ip') %>\n"
    )
