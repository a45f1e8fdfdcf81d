"""Programs that take long."""

from __future__ import annotations

from tests.hostile.attacks.forms import MANY, Files, nest, site, times

ATTACKS: dict[str, Files] = {
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
        'define d($n) { if $n > 0 { d { "${title}a": n => $n - 1 } d { "${title}b": n => $n - 1 } } }\n'  # noqa: E501
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
        "modules/m/templates/t.epp": "<%- |$n| -%><% if $n > 0 { %><%= epp('m/t.epp', {n => $n - 1}) %>"  # noqa: E501
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
