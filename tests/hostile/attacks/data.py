"""Data that refer to themselves, or grow."""

from __future__ import annotations

from tests.hostile.attacks.forms import SITE, Files, data, site

DOUBLE = "".join(f"a{n + 1}: &a{n + 1} [*a{n}, *a{n}]\n" for n in range(40))
KEYS = "".join(f"k{n + 1}: \"%{{lookup('k{n}')}}%{{lookup('k{n}')}}\"\n" for n in range(40))

ATTACKS: dict[str, Files] = {
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
        SITE: "$p = Integer[1, 200000].map |$n| { \"p${n}\" }\n$x = lookup('a', {default_value => 1})",  # noqa: E501
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
