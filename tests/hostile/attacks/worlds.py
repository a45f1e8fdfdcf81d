"""Choices that make worlds, and choices within choices."""

from __future__ import annotations

from tests.hostile.attacks.forms import MANY, Files, module, nest, site

ATTACKS: dict[str, Files] = {
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
            f"if $facts['a'] == $facts['b{n}'] or $facts['c{n}'] =~ /x{n}/ {{ notify {{ 'n{n}': }} }}\n"  # noqa: E501
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
        "class m(Pattern[/^a{1000000}$/] $p, Pattern[/^((a{1000}){1000}){1000}$/] $q) { notify { $p: } }"  # noqa: E501
    ),
    "parameters of each other": module(
        "class m(" + ", ".join(f"$p{n} = $p{n + 1}" for n in range(40)) + ", $p40 = $p0) { }"
    ),
}
