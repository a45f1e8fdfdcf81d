"""Functions that the installed stdlib has not yet, by what the documentation of stdlib 9 says."""

from __future__ import annotations

import pytest

from .cases import ours

CASES = {
    "stdlib::crc32('my string')": '=> "18fbd270"',
    "stdlib::crc32(100.0)": '=> "a3fd429a"',
    "stdlib::crc32(Sensitive('my string'))": '=> "18fbd270"',
    "stdlib::sha256('my string')": (
        '=> "2f7e2089add0288a309abd71ffcc3b3567e2d4215e20e6ed3b74d6042f7ef8e5"'
    ),
    "stdlib::nested_values({'a' => 1, 'b' => {'c' => 2, 'd' => {'e' => [3]}}})": "=> [1, 2, [3]]",
    "stdlib::sort_by([3, 1, 2]) |$x| { -$x }": "=> [3, 2, 1]",
    "stdlib::sort_by('cab') |$x| { $x }": '=> "abc"',
    "stdlib::sort_by({'a' => 2, 'b' => 1}) |$k, $v| { $v }": '=> {"hash": [["b", 1], ["a", 2]]}',
    "stdlib::sort_by({'a' => 2, 'b' => 1}) |$e| { $e[1] }": '=> {"hash": [["b", 1], ["a", 2]]}',
    "stdlib::rewrap_sensitive_data([1, Sensitive('x')])": '=> {"sensitive": [1, "x"]}',
    "stdlib::rewrap_sensitive_data([1]) |$x| { $x[0] }": "=> 1",
    "stdlib::os_version_gte('Debian', '12')": "=> true",
    "stdlib::os_version_gte('Debian', '13')": "=> false",
    "stdlib::seeded_rand(100, 'x') == seeded_rand(100, 'x')": "=> true",
    "stdlib::to_json({'a' => 1})": '=> "{\\"a\\":1}"',
    "stdlib::to_toml({'a' => 1})": '=> "a = 1\\n"',
    "stdlib::merge({'a' => 1}, {'b' => 2})": '=> {"hash": [["a", 1], ["b", 2]]}',
    "stdlib::shell_escape('a b')": '=> "a\\\\ b"',
    "stdlib::parsepson('[1]')": "=> [1]",
    "parsehocon('a.b = 1')": '=> {"hash": [["a", {"hash": [["b", 1]]}]]}',
    "parsehocon('{', 'other')": '=> "other"',
}
UNKNOWN = {
    "concat([1], [unknown('x')])": '=> [1, {"unknown": "x"}]',
    "join_keys_to_values({'a' => unknown('x')}, '=')": '=> {"unknown": "x"}',
    "pick(undef, unknown('x'))": '=> {"unknown": "x"}',
    "to_yaml([unknown('x')])": '=> {"unknown": "x"}',
    "merge({'a' => unknown('x')}, {'b' => 1})": '=> {"hash": [["a", {"unknown": "x"}], ["b", 1]]}',
    "str2saltedsha512('x')": '=> {"unknown": "str2saltedsha512 makes a random salt"}',
}


@pytest.mark.parametrize("text", CASES)
def test_later_name(text: str) -> None:
    assert ours(text) == CASES[text]


@pytest.mark.parametrize("text", UNKNOWN)
def test_unknown_values_travel(text: str) -> None:
    assert ours(text) == UNKNOWN[text]
