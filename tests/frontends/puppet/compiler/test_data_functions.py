"""Hiera's levels call functions in the Puppet language; the values are those of real Puppet."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from analyzer.frontends.puppet.compiler.compiler import Compiler
from analyzer.frontends.puppet.compiler.declared.compilation import CompileInputs
from analyzer.frontends.puppet.compiler.definitions.table import DefinitionTable

COUNTED = """
function demo::counted(String $key, Hash $options, Puppet::LookupContext $context) {
  unless $key =~ /p$/ { $context.not_found() }
  $context.explain || { 'counted' }
  $calls = if $context.cache_has_key('calls') { $context.cached_value('calls') + 1 } else { 1 }
  $context.cache_all({ 'calls' => $calls })
  "${options['name']} ${context.module_name} ${calls} ${key} ${context.interpolate('%{facts.x}')}"
}
"""
WHOLE = """
function demo::whole(Hash $options, Puppet::LookupContext $context) {
  $context.cache('key', $options['name'])
  $entries = $context.cached_entries.map |$entry| { $entry }
  $data = { 'demo::hash' => $entries }
  $data
}
"""
GLOBAL = """
version: 5
hierarchy:
  - {name: first, lookup_key: demo::counted, options: {name: first}}
  - {name: second, lookup_key: demo::counted, options: {name: second}}
"""
MODULE = """
version: 5
hierarchy:
  - {name: whole, data_hash: demo::whole, options: {name: whole}}
  - {name: own, lookup_key: demo::counted, options: {name: own}}
"""
PROGRAM = """
$unique = { 'merge' => 'unique' }
$value = [
  lookup('xp', $unique), lookup('xp', $unique), lookup('yp', $unique),
  lookup('demo::zp', $unique), lookup('none', { 'default_value' => 'none' }), lookup('demo::hash'),
]
"""
VALUES = [
    ["first  1 xp f", "second  1 xp f"],
    ["first  1 xp f", "second  1 xp f"],
    ["first  2 yp f", "second  2 yp f"],
    ["first  3 demo::zp f", "second  3 demo::zp f", "own demo 1 demo::zp f"],
    "none",
    [["key", "whole"]],
]


def test_context_is_of_one_level_of_one_layer(tmp_path: Path) -> None:
    files = {
        "modules/demo/functions/counted.pp": COUNTED,
        "modules/demo/functions/whole.pp": WHOLE,
        "modules/demo/hiera.yaml": MODULE,
        "hiera.yaml": GLOBAL,
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    known = DefinitionTable([str(tmp_path / "modules")])
    known.add_program(PROGRAM, "")
    facts: dict[str, Any] = {"x": "f"}
    inputs = CompileInputs("node", facts, hiera_config=str(tmp_path / "hiera.yaml"))
    compilation = Compiler(known, inputs).compile()
    assert compilation.top.find("value") == VALUES
