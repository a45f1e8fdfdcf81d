"""Values that are much larger than what is written."""

from __future__ import annotations

from tests.hostile.attacks.forms import MANY, Files, site, times

ATTACKS: dict[str, Files] = {
    "a wide number": site("$x = sprintf('%2000000000d', 1)"),
    "a wide text": site("$x = sprintf('%2000000000s', 'a')"),
    "a precise number": site("$x = sprintf('%.2000000000f', 1.5)"),
    "a precise integer": site("$x = sprintf('%.2000000000d', 1)"),
    "a width that is an argument": site("$x = sprintf('%*d', 2000000000, 1)"),
    "a wide named text": site("$x = sprintf('%<a>2000000000d', {'a' => 1})"),
    "wide percent": site("$x = sprintf('%2000000000c', 'a')"),
    "a wide String": site("$x = String(1, '%2000000000d')"),
    "a precise String": site("$x = String(1.5, '%.2000000000f')"),
    "a precise text": site("$x = String('a', '%2000000000.3s')"),
    "a wide array": site("$x = String([1, 2], '%2000000000a')"),
    "wide elements": site(
        "$x = String([1, 2], {Array => {format => '%a', string_formats => "
        "{Integer => '%2000000000d'}}})"
    ),
    "wide entries": site(
        "$x = String({1 => 2}, {Hash => {format => '%h', string_formats => "
        "{Integer => '%2000000000d'}}})"
    ),
    "a wide boolean": site("$x = String(true, '%2000000000p')"),
    "a wide undef": site("$x = String(undef, '%2000000000s')"),
    "a wide default": site("$x = String(default, '%2000000000s')"),
    "a wide regex": site("$x = String(/a/, '%2000000000s')"),
    "a wide type": site("$x = String(Integer, '%2000000000s')"),
    "a wide binary": site("$x = String(Binary('YQ=='), '%2000000000s')"),
    "a wide hour": site("$x = strftime(Timestamp('2020-01-01'), '%2000000000H')"),
    "a wide nanosecond": site("$x = strftime(Timestamp('2020-01-01'), '%2000000000N')"),
    "a wide year": site("$x = Timestamp('2020-01-01').strftime('%2000000000Y')"),
    "a wide day": site("$x = Timespan(1).strftime('%2000000000D')"),
    "a wide fraction": site("$x = Timespan(1).strftime('%2000000000N')"),
    "a wide span": site("$x = String(Timespan(1), '%2000000000H')"),
    "a wide format in a template": site(
        "notify { inline_epp('<%= sprintf(\"%2000000000d\",1) %>'): }"
    ),
    "many wide numbers": site("$x = Integer[1, 100000].map |$n| { sprintf('%100000d', $n) }"),
    "a text that doubles": site(times(40, '$a{1} = "${{a{0}}}${{a{0}}}"', "$a0 = 'abcdefgh'")),
    "an array that doubles": site(
        times(40, "$a{1} = $a{0} + $a{0}", "$a0 = [1]", "$x = $a40.flatten")
    ),
    "arrays in arrays": site(
        times(40, "$a{1} = [$a{0}, $a{0}]", "$a0 = [1, 2]", "$x = $a40.flatten")
    ),
    "arrays as text": site(
        times(40, "$a{1} = [$a{0}, $a{0}]", "$a0 = [1, 2]", 'notify { "${a40}": }')
    ),
    "arrays compared": site(
        times(
            40,
            "$a{1} = [$a{0}, $a{0}]\n$b{1} = [$b{0}, $b{0}]",
            "$a0 = [1]\n$b0 = [1]",
            "$x = $a40 == $b40",
        )
    ),
    "arrays as a parameter": site(
        times(40, "$a{1} = [$a{0}, $a{0}]", "$a0 = [1]", "notify { 'x': message => $a40 }")
    ),
    "arrays of a type": site(
        times(
            40, "$a{1} = [$a{0}, $a{0}]", "$a0 = [1]", "$x = $a40 =~ Array[Array]\n$y = type($a40)"
        )
    ),
    "an array as a key": site(
        times(40, "$a{1} = [$a{0}, $a{0}]", "$a0 = [1]", "$x = { $a40 => 1 }\n$y = $x[$a40]")
    ),
    "titles of arrays": site(
        times(24, "$a{1} = [$a{0}, $a{0}]", "$a0 = ['a']", "notify { $a24: }")
    ),
    "hashes in hashes": site(
        times(40, "$a{1} = {{x => $a{0}, y => $a{0}}}", "$a0 = {}", "$x = String($a40)")
    ),
    "hashes walked": site(
        times(40, "$a{1} = {{x => $a{0}, y => $a{0}}}", "$a0 = {}", "$a40.tree_each |$v| { $v }")
    ),
    "hashes as JSON": site(
        times(40, "$a{1} = {{x => $a{0}, y => $a{0}}}", "$a0 = {}", "$x = to_json($a40)")
    ),
    "a heredoc that grows": site(
        times(40, '$a{1} = @("E")\n${{a{0}}}${{a{0}}}\n|- E', "$a0 = 'abcdefgh'")
    ),
    "a join that grows": site(times(40, "$a{1} = join([$a{0}, $a{0}], $a{0})", "$a0 = 'abcd'")),
    "a substitution that grows": site(
        times(40, "$a{1} = regsubst($a{0}, '.', $a{0}, 'G')", "$a0 = 'abcd'")
    ),
    "a substitution that repeats": site(
        times(40, "$a{1} = regsubst($a{0}, '.', '\\\\0\\\\0\\\\0\\\\0', 'G')", "$a0 = 'abcd'")
    ),
    "a splat that grows": site(times(40, "$a{1} = concat([], *[$a{0}, $a{0}])", "$a0 = [1]")),
    "a range": site("$x = range(1, 1000000000000)"),
    "a range of texts": site("$x = range('a1', 'a999999999999')"),
    "an Array of a range": site(f"$x = Array({MANY})"),
    "a splat of a range": site(f"$x = [*{MANY}]"),
    "a range sorted": site(f"$x = {MANY}.map |$n| {{ $n }}"),
    "a Binary that doubles": site(
        times(40, '$a{1} = "${{a{0}}}${{a{0}}}"', "$a0 = 'YWJj'", "$x = Binary($a40)")
    ),
    "a selection": site(
        "$x = Integer[1, 3000].map |$n| { Integer[1, 3000].map |$m| { [$n, $m] } }"
    ),
    "digits": site("$x = Integer('9' * 5)\n$y = '" + "9" * 3000000 + "' + 1"),
    "pairs of a hash": site(
        "$h = Hash(Integer[1, 3000].map |$n| { [$n, $n] })\n"
        "$x = Integer[1, 3000].reduce({}) |$m, $n| { $m + { $n => $h + { $n => 1 } } }"
    ),
    "combinations": site(
        "$x = Integer[1, 30].reduce([[]]) |$m, $n| { $m + $m.map |$s| { $s + $n } }"
    ),
    "slices": site(f"$x = {MANY}.slice(2) |$a| {{ $a }}"),
    "unique of many": site(
        "$x = Integer[1, 100000].map |$n| { [$n] }\n$y = $x.unique\n$z = $x - $x"
    ),
}
