"""`catgraph convert`: specs of rspec-puppet become tests, and what does not is counted."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from analyzer.cli import main
from analyzer.cli.convert.ruby import RubyReader, RubyRegex, Unconvertible, tokens_of
from analyzer.cli.convert.spec import SpecFile
from analyzer.cli.convert.write import Converted

MANIFEST = """class web (Integer $port = 80, Optional[String] $user = undef) {
  package { 'nginx': ensure => installed }
  -> file { '/etc/nginx.conf':
    content => "listen ${port};\\n",
    owner   => $user,
  }
  ~> service { 'nginx': ensure => running }
  if $facts['os']['family'] == 'RedHat' { fail("no port ${port}") }
}
"""
SPEC = r"""require 'spec_helper'

describe 'web' do
  let(:facts) { { :os => { 'family' => 'Debian' } } }

  it { is_expected.to compile.with_all_deps }
  it { should contain_file('/etc/nginx.conf').with_content(/^listen 80;$/).without_owner }
  it { is_expected.not_to contain_package('apache2') }
  it { is_expected.to have_package_resource_count(1) }
  it do
    is_expected.to contain_service('nginx')
      .with_ensure('running')
      .that_subscribes_to('File[/etc/nginx.conf]')
  end

  context 'with a port' do
    let :params do
      { port: 8080, 'user' => "www" }
    end

    it 'listens' do
      is_expected.to contain_file('/etc/nginx.conf').with(
        content: "listen 8080;\n",
        owner: 'www',
      )
    end
  end

  context 'elsewhere' do
    let(:facts) { super().merge(os: { 'family' => 'RedHat' }) }

    it { is_expected.to compile.and_raise_error(/no port 80/) }
    it { expect { catalogue }.to raise_error(Puppet::Error, /no port/) }
  end

  context 'with code' do
    let(:params) { { port: ports.first } }

    it { is_expected.to compile }
  end
end
"""


def converted(text: str, kind: str = "classes") -> Converted:
    """Return the tests of a spec."""
    return Converted(list(SpecFile(text, kind).examples()), "x_spec.rb", [])


def test_a_spec_becomes_tests_that_pass(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, text in {"manifests/init.pp": MANIFEST, "spec/classes/web_spec.rb": SPEC}.items():
        (tmp_path / "web" / name).parent.mkdir(parents=True)
        (tmp_path / "web" / name).write_text(text)
    (tmp_path / "web" / "metadata.json").write_text('{"name": "me-web"}')
    assert main(["convert", str(tmp_path / "web" / "spec")]) == 1
    assert "8 examples converted, 1 left as comments, 0 files not read" in capsys.readouterr().out
    text = (tmp_path / "web" / "tests" / "classes" / "test_web.py").read_text()
    assert "# spec/classes/web_spec.rb:39: not converted: ports is not known" in text
    assert "# it { is_expected.to compile }" in text
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"],
        cwd=tmp_path / "web",
        capture_output=True,
        text=True,
        check=False,
    )
    assert "8 passed" in done.stdout, done.stdout
    # A file that is there stays.
    assert main(["convert", str(tmp_path / "web" / "spec")]) == 2
    assert "is there already; name another folder: --into" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("'it''s'", "its"),
        (r"'a\'b\n'", r"a'b\n"),
        (r'"a\tb"', "a\tb"),
        (":undef", None),
        (":'a b'", "a b"),
        ("%w[a b]", ["a", "b"]),
        ("[1, 2.5, true, nil]", [1, 2.5, True, None]),
        ("{ a: 1, :b => [2], 'c' => { d: 'e' } }", {"a": 1, "b": [2], "c": {"d": "e"}}),
        (r"/^a\/b$/i", RubyRegex("^a/b$", "MI")),
    ],
)
def test_literals_of_ruby(text: str, value: object) -> None:
    assert RubyReader(tokens_of(text)).value() == value


def test_a_heredoc_is_a_text() -> None:
    text = "<<~EOS\n    a\n      b\n  EOS\n"
    assert RubyReader(tokens_of(text)).value() == "a\n  b\n"


@pytest.mark.parametrize("text", ['"a#{b}"', "->(x) { x }", "/a#{b}/", "{ |x| x }", "'unclosed"])
def test_code_is_not_a_value(text: str) -> None:
    with pytest.raises(Unconvertible):
        RubyReader(tokens_of(text)).value()


@pytest.mark.parametrize(
    "body",
    [
        "before { x }\n it { is_expected.to compile }",
        "it { is_expected.to run.with_params(1) }",
        "it { expect(lookup('x')).to eq 1 }",
        "it { is_expected.to contain_file(name) }",
        "it { is_expected.not_to contain_file('/x').with_owner('a') }",
        "it { x = 1 }",
        "it 'is pending'",
        "let(:trusted_facts) { {'a' => 'b'} }\n it { is_expected.to compile }",
    ],
)
def test_what_cannot_be_converted_stays_as_a_comment(body: str) -> None:
    found = converted(f"describe 'web' do\n {body}\nend\n")
    assert (found.tests, found.left) == (0, 1)
    text = found.text("x_spec.rb")
    assert "not converted: " in text
    assert not [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]


def test_each_supported_system_is_a_case() -> None:
    text = """describe 'web' do
      on_supported_os.each do |os, os_facts|
        context "on #{os}" do
          let(:facts) { os_facts.merge(role: 'db') }
          it { is_expected.to compile }
        end
      end
    end"""
    written = converted(text).text("x_spec.rb")
    assert "SYSTEMS = ['@debian-12']" in written
    assert '@pytest.mark.parametrize("facts", SYSTEMS)' in written
    assert "facts=[facts, {'role': 'db'}]" in written


def test_a_define_has_its_title() -> None:
    text = """describe 'web::site' do
      let(:title) { 'a' }
      it { is_expected.to contain_web__site('a').that_requires(['Class[web]', 'Package[x]']) }
    end"""
    written = converted(text, "defines").text("x_spec.rb")
    assert "catgraph_compile('Web::Site[a]', facts={})" in written
    refs = "'Class[web]', 'Package[x]'"
    assert f"catalog.assert_contains('Web::Site[a]').that_requires({refs})" in written


def test_hostile_texts_become_literals() -> None:
    text = """describe "web'); import os; os.abort() #" do
      it { is_expected.to contain_file("'''\\"\\"\\"\\nx") }
    end"""
    tree = ast.parse(converted(text).text("x_spec.rb"))
    assert not [node for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom))]


def test_a_folder_without_specs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", str(tmp_path)]) == 2
    assert "there is no *_spec.rb in" in capsys.readouterr().err
    assert main(["convert", str(tmp_path / "none")]) == 2
    assert "is not a folder" in capsys.readouterr().err


def test_shared_examples_and_local_names() -> None:
    found = converted(r"""describe 'web' do
      port = 80
      path = compute(port)
      shared_examples 'all' do
        it { is_expected.to compile }
      end
      it_behaves_like 'all'
      it { is_expected.to contain_package('nginx').with_ensure(port) }
      it { is_expected.to contain_file(path) }
      it { is_expected.to contain_file('/x').with_content(%r{^a/b{2}$}) }
      it { is_expected.to raise_error Puppet::Error, /no port/ }
    end""")
    assert (found.tests, found.left) == (3, 3)
    text = found.text("x_spec.rb")
    assert ".with_(ensure=80)" in text
    assert "re.compile('^a/b{2}$', re.M)" in text
    assert "match=re.compile('no port', re.M)" in text
    assert "not converted: path is code" in text
