"""Programs that are small and ask for much: each with the files of an environment."""

from __future__ import annotations

from collections.abc import Callable

Files = dict[str, str]
SITE = "manifests/site.pp"
MANY = "Integer[1, 1000000000000]"


def site(code: str, **files: str) -> Files:
    """Return an environment whose manifest has some code; the names of files have `/`."""
    return {SITE: code, **files}


def module(code: str, name: str = "manifests/init.pp", **files: str) -> Files:
    """Return an environment with a module `m` of one file, whose class is included."""
    return {SITE: "include m\n", f"modules/m/{name}": code, **files}


def data(text: str, code: str = "notify { String(lookup('a')).length: }", tail: str = "") -> Files:
    """Return an environment whose data are a text, and code that looks up `a`."""
    hiera = "version: 5\nhierarchy: [{name: a, path: a.yaml}]\n"
    return {SITE: code, "hiera.yaml": hiera, "data/a.yaml": text + tail}


def times(count: int, step: str, head: str, tail: str = "") -> str:
    """Return lines that each are made of the number before and their own number."""
    rows = (step.format(number, number + 1) for number in range(count))
    return f"{head}\n" + "".join(f"{row}\n" for row in rows) + tail


def nest(count: int, head: str, heart: str, tail: str) -> str:
    """Return something nested."""
    return "".join(head.replace("#", str(n)) for n in range(count)) + heart + tail * count


# Values that are much larger than what is written.
VALUES: dict[str, Files] = {
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

# Programs that take long.
STEPS: dict[str, Files] = {
    "a range": site(f"{MANY}.each |$n| {{ $n }}"),
    "a range counted": site(f"$x = {MANY}.reduce |$m, $n| {{ $n }}"),
    "a range filtered": site(f"$x = {MANY}.filter |$n| {{ false }}"),
    "a range without a hit": site(f"$x = {MANY}.any |$n| {{ false }}"),
    "a range of any": site(f"$x = {MANY}.index |$n| {{ false }}"),
    "a number": site("1000000000000.each |$n| { $n }"),
    "a step": site(f"$x = {MANY}.step(3).reverse_each.each |$n| {{ $n }}"),
    "thirty maps": site("$x = " + nest(30, "[1, 2].map |$v#| { ", "1", " }")),
    "thirty conditions": site(nest(30, "[1, 2].each |$v#| { if $v# > 0 { ", "notice(1)", " } }")),
    "calls itself twice": site(
        "function f($n) { if $n == 0 { 1 } else { f($n - 1) + f($n - 1) } }\n$x = f(60)"
    ),
    "functions call the next twice": site(
        times(
            40,
            "function f{1}($x) {{ f{0}($x) + f{0}($x) }}",
            "function f0($x) { $x }",
            "$y = f40(1)",
        )
    ),
    "lambdas call twice": site(
        "function f($n) { [1, 2].each |$v| { if $n > 0 { f($n - 1) } } }\nf(60)"
    ),
    "calls without end": site("function f($x) { f($x + 1) }\nf(1)"),
    "calls each other": site("function f($x) { g($x) }\nfunction g($x) { f($x) }\nf(1)"),
    "a default calls itself": site("function f($x = f()) { $x }\n$y = f()"),
    "defines in defines": site(
        'define d($n) { if $n > 0 { d { "${title}a": n => $n - 1 } d { "${title}b": n => $n - 1 } } }\n'
        "d { 'x': n => 60 }"
    ),
    "a define without end": site("define d { d { \"${title}x\": } }\nd { 'a': }"),
    "a title that doubles": site("define d { d { \"${title}${title}\": } }\nd { 'a': }"),
    "a class that includes itself": site("class a { include a }\ninclude a"),
    "classes in circles": site(
        times(500, "class c{1} {{ include c{0} }}", "class c0 { include c500 }", "include c0")
    ),
    "a class that inherits itself": site("class a inherits a { }\ninclude a"),
    "classes inherit in circles": site("class a inherits b { }\nclass b inherits a { }\ninclude a"),
    "a long line of parents": site(
        times(4000, "class c{1} inherits c{0} {{ }}", "class c0 { $v = 1 }", "include c4000")
    ),
    "many resources": site('Integer[1, 100000000].each |$n| { notify { "n${n}": } }'),
    "many resources of lists": site(
        '$a = Integer[1, 2000000].map |$n| { "n${n}" }\nnotify { $a: }'
    ),
    "many virtual resources": site(
        'Integer[1, 2000].each |$n| { @notify { "n${n}": } Notify <| title == "n${n}" |> }'
    ),
    "collectors of many": site(
        'Integer[1, 3000].each |$n| { notify { "n${n}": } }\n'
        + "Notify <| title != 'x' |> -> Notify <| title != 'y' |>\n" * 20
    ),
    "collectors that override": site(
        'Integer[1, 2000].each |$n| { notify { "n${n}": } Notify <| |> { tag +> "t${n}" } }'
    ),
    "arrows of many": site(
        '$a = Integer[1, 2000].map |$n| { "n${n}" }\nnotify { $a: }\nNotify[$a] -> Notify[$a]'
    ),
    "arrows of two lists": site(
        '$a = Integer[1, 2000].map |$n| { "n${n}" }\n$b = $a.map |$n| { "${n}b" }\n'
        "notify { $a + $b: }\nNotify[$a] -> Notify[$b]"
    ),
    "notified by many": site(
        '$a = Integer[1, 2000].map |$n| { "n${n}" }\n$b = $a.map |$n| { "${n}b" }\n'
        "notify { $a: before => Notify[$b] }\nnotify { $b: }"
    ),
    "required by many": site(
        '$a = Integer[1, 2000].map |$n| { "n${n}" }\n$b = $a.map |$n| { "${n}b" }\n'
        "notify { $a: }\n$b.each |$n| { notify { $n: require => Notify[$a] } }"
    ),
    "a chain of lists": site(
        '$a = Integer[1, 1000].map |$n| { "n${n}" }\nnotify { $a: }\n'
        + " -> ".join(["Notify[$a]"] * 8)
    ),
    "arrows in a loop": site(
        '$a = Integer[1, 700].map |$n| { "n${n}" }\nnotify { $a: }\n'
        "$a.each |$n| { Notify[$a - $n] -> Notify[$n] }"
    ),
    "files in folders": site(
        "$p = Integer[1, 2000].reduce([['']]) |$m, $n| { $m + [[\"${m[-1][0]}/d\"]] }\n"
        "$p.each |$n| { unless $n[0] == '' { file { $n[0]: ensure => directory } } }"
    ),
    "tags of many": site('Integer[1, 3000].each |$n| { tag("t${n}") notify { "n${n}": } }'),
    "stages": site(times(1500, "stage {{ 's{1}': require => Stage['s{0}'] }}", "stage { 's0': }")),
    "warnings": site('Integer[1, 100000000].each |$n| { warning("w${n}") notice($n) }'),
    "templates in templates": site("notify { epp('m/t.epp', {n => 60}): }")
    | {
        "modules/m/templates/t.epp": "<%- |$n| -%><% if $n > 0 { %><%= epp('m/t.epp', {n => $n - 1}) %>"
        "<%= epp('m/t.epp', {n => $n - 1}) %><% } %>x"
    },
    "a template without end": site("notify { epp('m/t.epp'): }")
    | {"modules/m/templates/t.epp": "<%= epp('m/t.epp') %>"},
    "templates of text without end": site(
        "function f($t) { inline_epp($t, {t => $t}) }\n"
        "notify { f('<%- |$t| -%><%= f($t) %><%= f($t) %>'): }"
    ),
    "sorts": site(
        '$x = Integer[1, 200000].map |$n| { "${n}" }\n$y = $x.sort |$a, $b| { compare($b, $a) }'
    ),
    "cases": site(
        'Integer[1, 100000].each |$n| { case "x${n}" {\n'
        + "".join(f"  'y{n}': {{ }}\n" for n in range(2000))
        + "  default: { } } }"
    ),
    "long names of variables": site(
        times(3000, '$a{1} = "${{a{0}}}x"', "$a0 = ''", "notify { $a3000: }")
    ),
    "with": site("$x = " + nest(30, "with(1) |$v#| { [1, 2].map |$w#| { ", "1", " } }")),
    "a deep dig": site('$x = Integer[1, 5000].reduce(1) |$m, $n| { [$m] }\nnotify { "${x}": }'),
    "a deep hash": site(
        "$x = Integer[1, 5000].reduce(1) |$m, $n| { {a => $m} }\nnotify { 'a': message => $x }"
    ),
    "a deep merge": site(
        "$x = Integer[1, 900].reduce({}) |$m, $n| { {a => $m, b => $m} }\n$y = deep_merge($x, $x)"
    ),
}

# Regular expressions that go back and forth.
LONG = "a" * 60
REGEXES: dict[str, Files] = {
    "nested quantifiers": site(f"$x = '{LONG}!' =~ /^(a+)+$/"),
    "alternatives": site(f"$x = '{LONG}!' =~ /^(a|a)*$/"),
    "alternatives of alternatives": site(f"$x = '{LONG}!' =~ /^(a|aa|aaa)*b$/"),
    "references": site(f"$x = '{LONG}!' =~ /^(a*)*\\1$/"),
    "optional ones": site("$x = '" + "a" * 40 + "' =~ /^" + "(a?)" * 40 + "a" * 40 + "$/"),
    "lookahead": site(f"$x = '{LONG}!' =~ /^(?=(a+)+$)/"),
    "a large count": site("$x = 'a' =~ /^((a{1,1000}){1,1000}){1,1000}$/"),
    "counts in counts": site(f"$x = '{LONG * 20}!' =~ /^(((a{{1,100}}){{1,100}}){{1,100}})$/"),
    "a Pattern": site(f"$x = '{LONG}!' =~ Pattern[/^(a+)+$/]"),
    "a case": site(f"case '{LONG}!' {{ /^(a+)+$/: {{ }} default: {{ }} }}"),
    "a selector": site(f"$x = '{LONG}!' ? {{ /^(a+)+$/ => 1, default => 2 }}"),
    "a substitution": site(f"$x = regsubst('{LONG}!', '^(a+)+$', 'x')"),
    "a match": site(f"$x = match('{LONG}!', /^(a+)+$/)"),
    "a split": site(f"$x = split('{LONG}!', /(a+)+$/)"),
    "a node": {SITE: "node /^(a+)+$/ { }\nnode '" + "a" * 60 + "b' { }\nnode default { }"},
    "a Pattern of a parameter": site(
        f"class a(Pattern[/^(a+)+$/] $x) {{ }}\nclass {{ 'a': x => '{LONG}!' }}"
    ),
    "an Enum of many": site(
        "type E = Enum[" + ", ".join(f"'e{n}'" for n in range(20_000)) + "]\n"
        'Integer[1, 100000].each |$n| { $x = "e${n}" =~ E }'
    ),
    "a long regex": site("$x = 'a' =~ /" + "(a|b)*" * 5000 + "/"),
    "a deep regex": site("$x = 'a' =~ /" + "(" * 3000 + "a" + ")" * 3000 + "/"),
}

# Types that are deep, wide, or defined by themselves.
TYPES: dict[str, Files] = {
    "an alias in itself": site("type A = Array[A]\n$x = [[[]]] =~ A"),
    "an alias of itself": site("type A = A\n$x = 1 =~ A"),
    "aliases in circles": site("type A = Variant[B, A]\ntype B = Variant[A, B]\n$x = 1 =~ A"),
    "aliases that double": site(
        times(
            40, "type A{1} = Tuple[A{0}, A{0}]", "type A0 = Integer", "$x = [1] =~ A40\nnotice(A40)"
        )
    ),
    "aliases as text": site(
        times(
            40,
            "type A{1} = Variant[Array[A{0}], Hash[A{0}, A{0}]]",
            "type A0 = Integer",
            "notify { String(A40): }",
        )
    ),
    "aliases compared": site(
        times(
            30,
            "type A{1} = Struct[{{a => A{0}, b => A{0}}}]\ntype B{1} = Struct[{{a => B{0}, b => B{0}}}]",
            "type A0 = Integer\ntype B0 = Integer",
            "$x = A30 < B30\n$y = A30 == B30",
        )
    ),
    "recursive aliases compared": site(
        "type A = Variant[Integer, Array[A], Hash[String, A]]\n"
        "type B = Variant[Integer, Array[B], Hash[String, B]]\n"
        "type C = Variant[B, Array[C], Hash[String, Variant[A, C]]]\n$x = A < B\n$y = C < A\n$z = A < C"
    ),
    "recursive data": site(
        "type A = Variant[Integer, Array[A], Hash[String, Variant[A, Array[A]]]]\n"
        + times(24, "$a{1} = [$a{0}, $a{0}]", "$a0 = ['x']", "$x = $a24 =~ A")
    ),
    "a mismatch of recursive data": site(
        "type A = Variant[Integer, Array[A], Tuple[A, A], Array[Variant[A, Array[A]]]]\n"
        + times(40, "$a{1} = [$a{0}]", "$a0 = ['x']", "class c(A $v) { }\nclass { 'c': v => $a40 }")
    ),
    "variants of variants": site(
        "$x = 'x' =~ " + "Variant[Integer, " * 3000 + "Integer" + "]" * 3000
    ),
    "a wide Variant": site(
        "type V = Variant[" + ", ".join(f"Integer[{n}, {n}]" for n in range(0, 20_000, 2)) + "]\n"
        "Integer[1, 20000].each |$n| { $x = $n =~ V }"
    ),
    "wide Variants compared": site(
        "type V = Variant[" + ", ".join(f"Integer[{n}, {n}]" for n in range(0, 8_000, 2)) + "]\n"
        "type W = Variant[" + ", ".join(f"Integer[{n}, {n}]" for n in range(0, 8_000, 2)) + "]\n"
        "$x = V < W\n$y = V == W"
    ),
    "a wide Struct": site(
        "type S = Struct[{"
        + ", ".join(f"Optional['k{n}'] => Integer" for n in range(5000))
        + "}]\n"
        "Integer[1, 5000].each |$n| { $x = { \"k${n}\" => 'x' } =~ S }"
    ),
    "a long Tuple": site("$x = [1] * 3 =~ Tuple[Integer, 1, 1000000000000]"),
    "a type of many values": site(
        '$a = Integer[1, 20000].map |$n| { {"k${n}" => [$n, "${n}", 1.5]} }\n$t = type($a)\n'
        'notify { "${t}": }'
    ),
    "a Callable of Callables": site(
        "$x = " + nest(400, "Callable[", "Integer", "]") + " < Callable"
    ),
    "objects in circles": site(
        "type A = Object[{attributes => {a => Optional[B]}}]\n"
        "type B = Object[{attributes => {b => Optional[A]}}]\n$x = A(B(A()))"
    ),
    "an object of itself": site("type A = Object[{parent => A}]\n$x = A()"),
    "objects with long lines of parents": site(
        times(
            300,
            "type O{1} = Object[{{parent => O{0}, attributes => {{a{1} => Integer}}}}]",
            "type O0 = Object[{attributes => {a0 => Integer}}]",
            "$x = O300",
        )
    ),
    "a mismatch of many": site(
        "class c(Variant["
        + ", ".join(f"Struct[{{a => Integer[{n}, {n}]}}]" for n in range(2000))
        + "] $v) { }\nclass { 'c': v => {a => 'x'} }"
    ),
}

# Data that refer to themselves, or grow.
DOUBLE = "".join(f"a{n + 1}: &a{n + 1} [*a{n}, *a{n}]\n" for n in range(40))
KEYS = "".join(f"k{n + 1}: \"%{{lookup('k{n}')}}%{{lookup('k{n}')}}\"\n" for n in range(40))
DATA: dict[str, Files] = {
    "aliases that double": data("a0: &a0 [1]\n" + DOUBLE + "a: *a40\n"),
    "an alias of itself": data("a: &x [*x]\n"),
    "merge keys that double": data(
        "m0: &m0 {x: 1}\n"
        + "".join(f"m{n + 1}: &m{n + 1} {{<<: [*m{n}, *m{n}], y: *m{n}}}\n" for n in range(40))
        + "a: *m40\n"
    ),
    "lookups that double": data("k0: abcdefgh\n" + KEYS + "a: \"%{lookup('k40')}\"\n"),
    "aliases of lookups that double": data(
        "k0: [1]\n"
        + "".join(
            f"k{n + 1}: [\"%{{alias('k{n}')}}\", \"%{{alias('k{n}')}}\"]\n" for n in range(40)
        )
        + "a: \"%{alias('k40')}\"\n"
    ),
    "a lookup of itself": data("a: \"%{lookup('a')}\"\n"),
    "lookups in circles": data("a: \"%{lookup('b')}\"\nb: \"x%{lookup('a')}%{lookup('a')}\"\n"),
    "an alias loop": data("a: \"%{alias('b')}\"\nb: \"%{alias('a')}\"\n"),
    "a line of lookups": data(
        "k0: x\n"
        + "".join(f"k{n + 1}: \"%{{lookup('k{n}')}}\"\n" for n in range(3000))
        + "a: \"%{lookup('k3000')}\"\n"
    ),
    "a variable in its own name": data("a: '%{::a}%{scope(\"b\")}%{%{x}}'\n"),
    "lookup in a function": site(
        "function f($k) { lookup($k, {default_value => f($k)}) }\n$x = f('a')"
    ),
    "lookup with a lambda": site(
        "function f($k) { lookup($k) |$x| { f(\"${k}x\") } }\n$x = f('a')"
    ),
    "deep YAML": data("a: " + "[" * 5000 + "]" * 5000 + "\n"),
    "wide YAML": data("a: [" + ",".join(["{}"] * 2_000_000) + "]\n"),
    "a deep block": data("a:\n" + "".join("  " * n + "- - - -\n" for n in range(1, 400))),
    "deep JSON": {
        SITE: "$x = lookup('a')",
        "hiera.yaml": "version: 5\nhierarchy: [{name: a, path: a.json, data_hash: json_data}]\n",
        "data/a.json": '{"a": ' + "[" * 100_000 + "]" * 100_000 + "}",
    },
    "parsed JSON": site("$x = parsejson('" + "[" * 100_000 + "')"),
    "parsed YAML": site("$x = parseyaml('" + "[" * 20_000 + "')"),
    "a wide hierarchy": {
        SITE: "$x = lookup('a', {default_value => 1})",
        "hiera.yaml": "version: 5\nhierarchy:\n"
        + "".join(f"- {{name: n{n}, path: 'p{n}.yaml'}}\n" for n in range(20_000)),
    },
    "mapped paths": {
        SITE: "$p = Integer[1, 200000].map |$n| { \"p${n}\" }\n$x = lookup('a', {default_value => 1})",
        "hiera.yaml": "version: 5\nhierarchy: [{name: a, mapped_paths: [p, n, '%{n}.yaml']}]\n",
    },
    "globs": {
        SITE: "$x = lookup('a', {default_value => 1})",
        "hiera.yaml": "version: 5\nhierarchy: [{name: a, glob: '" + "**/*" * 12 + "'}]\n",
        "data/a/b/c/d/e/f/g/h/i/j/k/l.yaml": "a: 1\n",
    },
    "braces of globs": {
        SITE: "$x = lookup('a', {default_value => 1})",
        "hiera.yaml": "version: 5\nhierarchy: [{name: a, glob: '" + "{a,b}" * 40 + "'}]\n",
        "data/a.yaml": "a: 1\n",
    },
    "data that call themselves": {
        SITE: "$x = lookup('a')",
        "hiera.yaml": "version: 5\nhierarchy: [{name: a, data_hash: 'd'}]\n",
        "functions/d.pp": "function d($o, $c) { {'a' => lookup('a')} }\n",
    }
    | {"manifests/f.pp": "function d($o, $c) { {'a' => lookup('a')} }\n"},
    "binding of a class by itself": data(
        "m::x: \"%{lookup('m::x')}\"\n", "class m($x) { }\ninclude m"
    ),
    "create_resources": data(
        "".join(f"k{n}: 1\n" for n in range(10)),
        "function f($n) { create_resources('d', {\"t${n}\" => {n => $n + 1}}) }\n"
        "define d($n) { f($n) }\nf(1)",
    ),
}

# Choices that make worlds, and choices within choices.
WORLDS: dict[str, Files] = {
    "many facts": site(
        "".join(f"if $facts['f{n}'] {{ notify {{ 'n{n}': }} }}\n" for n in range(60))
    ),
    "facts in conditions": site(
        "".join(f"if $facts['f{n}'] {{ " for n in range(60)) + "notify { 'x': }" + " }" * 60
    ),
    "facts of one case": site(
        "case $facts['os']['family'] {\n"
        + "".join(f"'F{n}': {{ notify {{ 'n{n}': }} }}\n" for n in range(3000))
        + "}"
    ),
    "facts compared": site(
        "".join(
            f"if $facts['a'] == $facts['b{n}'] or $facts['c{n}'] =~ /x{n}/ {{ notify {{ 'n{n}': }} }}\n"
            for n in range(60)
        )
    ),
    "a fact of patterns": site(
        "case $facts['x'] {\n"
        + "".join(f"/^(a{n}+)+$/: {{ notify {{ 'n{n}': }} }}\n" for n in range(60))
        + "}"
    ),
    "numbers of facts": site(
        "".join(
            f"if Integer($facts['a']) > {n} and $facts['b'] < {n} {{ notify {{ 'n{n}': }} }}\n"
            for n in range(200)
        )
    ),
    "a fact that loops": site(
        'Integer[1, 100000000].each |$n| { if $facts["f${n}"] { notify { "n${n}": } } }'
    ),
    "a slow world": site(f"if $facts['x'] == 'y' {{ {MANY}.each |$n| {{ $n }} }}"),
    "a large world": site(
        "if $facts['x'] == 'y' { Integer[1, 100000000].each |$n| { notify { \"n${n}\": } } }"
    ),
    "parameters of classes": module(
        "class m("
        + ", ".join(f"Boolean $p{n}" for n in range(40))
        + ") {\n"
        + "".join(f"if $p{n} {{ notify {{ 'n{n}': }} }}\n" for n in range(40))
        + "}"
    ),
    "parameters of deep types": module(
        "class m("
        + nest(60, "Array[", "Integer", ", 3, 3]")
        + " $p) { notify { 'x': message => $p } }"
    ),
    "parameters of large types": module(
        "class m(Array[String[1000], 1000000, 1000000] $p, Integer[1, 10] $q) "
        '{ $p.each |$x| { notify { "${x}": } } }'
    ),
    "parameters of large patterns": module(
        "class m(Pattern[/^a{1000000}$/] $p, Pattern[/^((a{1000}){1000}){1000}$/] $q) { notify { $p: } }"
    ),
    "parameters of each other": module(
        "class m(" + ", ".join(f"$p{n} = $p{n + 1}" for n in range(40)) + ", $p40 = $p0) { }"
    ),
}

# Names that come twice, or look like others.
WEB = "notify { 'x': }"
NAMES: dict[str, Files] = {
    "nodes in two cases": {
        SITE: f"node 'WEB' {{ {WEB} }}\nnode 'web' {{ {WEB} }}\nnode default {{ }}"
    },
    "default in quotes": {SITE: f"node 'default' {{ {WEB} }}\nnode default {{ {WEB} }}"},
    "names with slashes": {SITE: f"node '../../etc/x' {{ {WEB} }}\nnode 'a/b' {{ {WEB} }}"},
    "names of devices": {
        SITE: f"node 'con' {{ {WEB} }}\nnode '.' {{ {WEB} }}\nnode '..' {{ {WEB} }}"
    },
    "names with dots": {
        SITE: f"node 'a.' {{ {WEB} }}\nnode 'a' {{ {WEB} }}\nnode '.a' {{ {WEB} }}"
    },
    "a long name": {SITE: f"node '{'a' * 100_000}' {{ {WEB} }}"},
    "keys of JSON": {
        SITE: f"node '__proto__' {{ {WEB} }}\nnode 'constructor' {{ {WEB} }}\nnode 'null' {{ }}"
    },
    "many nodes": {SITE: "".join(f"node 'n{n}' {{ {WEB} }}\n" for n in range(1000))},
    "a pattern for all": {
        SITE: f"node /.*/ {{ {WEB} }}\nnode 'a' {{ {WEB} }}\nnode default {{ {WEB} }}"
    },
    "many patterns": {
        SITE: "".join(f"node /n{n}/ {{ {WEB} }}\n" for n in range(300)) + "node default { }"
    },
    "the same node twice": {SITE: f"node 'a' {{ {WEB} }}\nnode 'a' {{ {WEB} }}"},
    "a node and a class": {
        SITE: f"node 'm' {{ include m }}\nclass m {{ {WEB} }}\nclass main {{ }}"
    },
    "class main": {SITE: "class main { include main }\ninclude main\ninclude '::main'"},
    "titles in two cases": site("file { '/A': } file { '/a': }\nclass a { } include a, 'A'"),
    "titles with brackets": site(
        "notify { 'a]': } notify { ']': require => Notify['a]'] } notify { '[': } notify { '': }"
    ),
    "titles of references": site(
        "notify { 'Notify[x]': } notify { 'x': require => Notify['Notify[x]'] }"
    ),
    "surrogates": site('notify { "\\u{d800}": }\nnotify { "\\u{10ffff}": }'),
    "aliases of titles": site(
        'Integer[1, 3000].each |$n| { notify { "n${n}": alias => "n${n + 1}" } }'
    ),
}

ALL: dict[str, dict[str, Files]] = {
    "values": VALUES,
    "steps": STEPS,
    "regexes": REGEXES,
    "types": TYPES,
    "data": DATA,
    "worlds": WORLDS,
    "names": NAMES,
}
