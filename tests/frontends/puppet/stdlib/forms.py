"""How each function of stdlib is called; `@name` is a place for a value of a kind."""

from __future__ import annotations

_FORMS: dict[str, str] = {
    "any2array": "@any|@hash|@any, @any|@arr||''",
    "any2bool": "@truth|@num|@any|",
    "base64": (
        "'encode', @str|'decode', @coded|'encode', @str, 'strict'|'decode', @coded, 'strict'"
        "|'encode', @str, 'urlsafe'|'decode', @coded, 'urlsafe'|'x', @str|'encode', @any"
        "|'encode', @str, @any|'encode'|'encode', '0123456789012345678901234567890123456789012345é'"
    ),
    "basename": "@file|@file, '.rb'|@file, '.*'|@file, @any|@any||'a', 'b', 'c'",
    "batch_escape": "@str|@any|@shell",
    "bool2num": "@truth|@bool|@any|",
    "bool2str": "@bool|@bool, @str, @str|@any|@bool, @any, @any|@bool, 'a'",
    "clamp": "@int, @int, @int|@ints|@num, @numeral, @num|@any, @any, @any|@int, [@int, @int]",
    "concat": "@arr, @arr|@arr, @any|@arr, @any, @arr|@any, @any|@arr",
    "convert_base": "@int, 2|@int, '16'|@numeral, @small|@int, @int|@any, @any|@int|'255', 36",
    "count": "@arr|@arr, @any|@words, 'a'|@hash|@str, @set|@any|@any, @any|['a', '', undef, 'a']",
    "deep_merge": "@hash, @hash|@nested, @nested|@nested, {'a' => {'b' => 1}}|@hash, @any|@hash",
    "delete": "@arr, @any|@words, @words|@hash, 'a'|@hash, ['a', 'b']|@str, @str|@any, @any|@arr",
    "delete_at": "@arr, @small|@arr, @numeral|@arr, @int|@any, @any|@words, 0|@words, -1",
    "delete_regex": "@words, @pat|@hash, @pat|@words, [@pat, @pat]|@any, @any|@arr, 'a'",
    "delete_undef_values": "@arr|@hash|@any|[1, undef, '']|{'a' => undef, 'b' => 1}|",
    "delete_values": "@hash, @any|@hash, 1|@any, @any|@hash|{'a' => 'b', 'c' => 'b'}, 'b'",
    "difference": "@arr, @arr|@words, @words|@ints, @nums|@any, @any|@arr",
    "dig44": (
        "@nested, ['a', 'b', 1, 'c']|@hash, [@key, @key]|@arr, [@key], @any|@any, @any|@hash"
        "|@nested, ['a', 'b', '1'], 'x'|[[1, 2]], ['0', '01']"
    ),
    "dirname": "@file|@any||@file, @file|''",
    "dos2unix": '@str|@any|"a\\r\\nb\\r\\r\\n\\r"|',
    "enclose_ipv6": "@addr|@addrs|@any|[@addr, '*']|@addr, @addr",
    "fact": (
        "'os.name'|'os.\"x.y\".z'|'disks.1.size'|'disks.x'|'os.name.x'|''|'nope.a'|@str|'nothing.a'"
        "|'disks.-1'|'disks.9.size'|@path"
    ),
    "fqdn_rand_string": (
        "10|@small, @str|@small, '', @str|@any|@small, undef, @int|5, @any|'7', 'ab'"
    ),
    "fqdn_rotate": "@words|@ints, @str|@str|@str, @int, @str|@any|",
    "fqdn_uuid": "@str|@domain|@any||@str, @str",
    "grep": "@words, @pat|@arr, @pat|@strs, @re|@hash, @pat|@any, @any|@arr",
    "has_interface_with": (
        "'lo'|'eth1'|'ipaddress', '127.0.0.1'|'ipaddress', '10.0.0.1'|'network', '192.168.1.0'"
        "|'ipaddress', '192.168.1.5'|@any|'x', @any|"
    ),
    "has_ip_address": "'127.0.0.1'|@addr|",
    "has_ip_network": "'192.168.1.0'|@addr|",
    "has_key": "@hash, 'a'|@hash, @key|@any, @any|@hash",
    "hash": "@arr|['a', 1, 'b', 2]|[['a', 1], ['b', 2]]|['a']|@any||@words",
    "intersection": "@arr, @arr|@words, @words|@any, @any|@ints, @nums",
    "is_absolute_path": '@file|@str|@any||"a\\n/b"',
    "is_array": "@any|@arr|",
    "is_bool": "@any|@bool|",
    "is_domain_name": "@domain|@any|@str|",
    "is_email_address": "@email|@any|@str|",
    "is_float": "@any|@numeral|@num|",
    "is_hash": "@any|@hash|",
    "is_integer": "@any|@numeral|@num|",
    "is_ip_address": "@addr|@any|",
    "is_ipv4_address": "@addr|@any|",
    "is_ipv6_address": "@addr|@any|",
    "is_mac_address": "@mac|@any|",
    "is_numeric": "@any|@numeral|@num|",
    "is_string": "@any|@numeral|@str|",
    "join_keys_to_values": (
        "@hash, @str|@hash, @any|@any, @any|{'a' => [1, 'b'], 'c' => undef}, '='"
    ),
    "member": "@words, 'a'|@arr, @any|@words, @words|@any, @any|@ints, 1|@arr",
    "merge": "@hash, @hash|@hash, undef|@hash, ''|@any, @hash||[1, 2] @two|@hash @two",
    "num2bool": "@num|@numeral|@any|",
    "os_version_gte": "'Debian', '11'|'Debian', '13'|'Debian', @ver|'Ubuntu', '1'|@any, @any",
    "parsejson": "@json|@json, @any|@json, 'default'|@any|",
    "parsepson": "@json|@json, @any|@any",
    "parseyaml": "@yamltext|@yamltext, @any|@yamltext, 'default'|@num|",
    "pick": "@any, @any|'', undef, @any|undef|'', ''||@arr, 1",
    "pick_default": "@any, @any|'', undef, @any|undef|''||'', ''",
    "powershell_escape": "@str|@any|@shell",
    "prefix": "@words, @str|@arr, @str|@hash, @str|@any, @any|@words||@words, undef",
    "pw_hash": (
        "@str, 'sha-512', 'salt'|@str, 'SHA-256', 'saltsaltsaltsaltsalt'|@str, 'md5', 'abcdefghijk'"
        "|undef, 'md5', 'a'|@any, @any, @any|'x', 'sha-512', 'a b'|Sensitive('p'), 'md5', 's'"
        "|'longer than thirty-two characters, which matters to the digest of SHA', 'sha-256', 's'"
        "|'x', 'bcrypt', 'a'"
        "|'longer than sixty-four characters, which matters to the digest that is'"
        ", 'sha-512', 'ab'"
    ),
    "range": (
        "@range|@int, @small|1, 9, 2|'a', 'f', 2|'1', '4'|@small, @int|'aa', 'ad'|5, 1"
        "|'host01', 'host11'|@str, @str|1, 5, 0|1, 5, -2|'a', 5|1.5, 3|@num|'01', '03'|''|"
    ),
    "regexpescape": "@str|@any|@strs|@pat|",
    "reject": "@words, @pat|@arr, @pat|@strs, @re|@hash, @pat|@any, @any|@arr",
    "reverse": "@arr|@str|@any|",
    "seeded_rand": "@int, @str|100, @str|1000000, @str|@numeral, @str|@any, @any|5000000000, @str",
    "seeded_rand_string": "5, @str|10, @str, 'abc'|3, @str, undef|@small, @str, @str",
    "shell_escape": "@str|@any|@shell",
    "shell_join": "@strs|@arr|@any|",
    "shell_split": "@shell|@str|@any|",
    "squeeze": "'aabbcc--  11'|'aabbcc--  11', @set|@str|@strs|@any|@any, @any|@str, @str",
    "stdlib::end_with": "@str, @str|@str, @strs|'foobar', ['bar', 'x']",
    "stdlib::ensure": (
        "@bool, 'file'|'present', 'package'|'absent', 'service'|true, 'service'|false, 'link'"
    ),
    "stdlib::extname": "@file|@str",
    "stdlib::ip_in_range": (
        "@addr, @addr|@addr, @addrs|'10.1.2.3', '10.0.0.0/8'|'::1', ['::/8', '1.1.1.1']"
    ),
    "stdlib::start_with": "@str, @str|@str, @strs|'foobar', ['foo', 'x']",
    "stdlib::xml_encode": "@str|@str, 'attr'|'<a b=\"c\">&\\'</a>', 'attr'|'<a>&', 'text'",
    "str2bool": '@truth|@any|@bool||"a\\ntrue"|"\\n"|"a\\n\\nb"',
    "str2saltedpbkdf2": "'pw', 'saltsalt', 40001|@str, @str, @int|@any, 'saltsalt', @any|'a'",
    "suffix": "@words, @str|@arr, @str|@hash, @str|@any, @any|@words|",
    "swapcase": "@str|@strs|@any|",
    "to_bytes": "@size|@num|@any|@numeral|",
    "to_json": "@any|@nested|@yamlvalue|@str|@float",
    "to_json_pretty": (
        "@arr|@hash|@nested|@nested, true|[1, undef], true|@yamlvalue|@nested, undef"
        "|@nested, false, {'indent' => '    ', 'space' => ''}|@nested, false, {'array_nl' => ''}"
        "|[[[]]], false, {'max_nesting' => 2}|[[[]]], false, {'max_nesting' => -1}"
        "|@nested, false, {'space_before' => ' ', 'object_nl' => ''}"
    ),
    "to_python": "@any|@yamlvalue|@str|@nested|{1 => 2}|Sensitive('x')",
    "to_ruby": "@any|@yamlvalue|@str|@nested|{1 => 2}|Sensitive('x')",
    "to_toml": (
        "@hash|@nested|{'a' => [{'b' => 1}, {'c' => [1, 'x']}], 'd e' => {'f' => {}}}"
        "|{'a' => {'b' => {'c' => @scalar}}, 'x' => @any}|{'x.y' => {'z' => 1}}|{@str => @scalar}"
    ),
    "to_yaml": (
        "@yamlvalue|@yaml|@any|@nested|[@yaml, @yaml]|{@yaml => @yaml}|@yamlvalue, "
        "{'indentation' => 4}|{'a' => @yaml, 'b' => {'c' => @yaml}}"
        "|@yamlvalue, {'line_width' => -1}"
        "|[[[@yaml], @yaml]]|@yaml, {'line_width' => 30}"
    ),
    "try_get_value": (
        "@nested, 'a/b/1/c'|@hash, @str|@any, @any|@nested, 'a.b', 'x', '.'"
        "|@nested, 'x/y', 'd'|@hash"
    ),
    "union": "@arr, @arr|@words, @words, @words|@any, @any|@arr",
    "unix2dos": '@str|@any|"a\\nb\\r\\nc\\r\\r\\n"|',
    "uriescape": "@str|@any|@strs|@shell|",
    "validate_absolute_path": "@file|[@file, @file]|@any|",
    "validate_array": "@any|@arr, @any|",
    "validate_bool": "@any|@bool, @any|",
    "validate_domain_name": "@domain|@any|@domain, @domain|",
    "validate_email_address": "@email|@any|",
    "validate_hash": "@any|@hash, @any|",
    "validate_integer": (
        "@any|@num|@numeral|@int, @int|@int, @int, @int|@ints, 5|@ints, '', 0"
        "|@arr, @any, @any|1, undef"
        "|[1, 2, 30], 10|5, 'x'|5, 9, 'x'|{}|"
    ),
    "validate_ip_address": "@addr|@any|",
    "validate_ipv4_address": "@addr|@any|",
    "validate_ipv6_address": "@addr|@any|",
    "validate_numeric": (
        "@any|@num|@numeral|@num, @num|@num, @num, @num|@nums, 5|@nums, '', 0|@arr, @any, @any"
        "|[1, 2.5, 30], 10|5, 'x'|5, 9, 'x'|{}|"
    ),
    "validate_re": (
        "@str, @pat|@str, [@pat, @pat]|@str, @re|@str, @pat, 'no'|@any, @any|@str|'a', '['"
    ),
    "validate_slength": (
        "@str, @small|@str, 5, 2|@strs, 4|@strs, 9, 1|@any, @any, @any|@str|@str, '3'"
        "|@str, 0|@str, 1, 2"
    ),
    "validate_string": "@any|@str, @any|",
    "values_at": (
        "@words, @small|@words, [0, 1]|@arr, '0-2'|@arr, '1..2'|@arr, ['0...2', 1]|@any, @any"
    ),
    "zip": "@arr, @arr|@words, @ints, @bool|@ints, @words, @truth|@any, @any|@arr",
}


def _call(name: str, form: str) -> str:
    arguments, block, _ = form.partition(" @two")
    return f"{name}({arguments}){block}"


FORMS: dict[str, tuple[str, ...]] = {
    name: tuple(_call(name, form) for form in forms.split("|")) for name, forms in _FORMS.items()
}
