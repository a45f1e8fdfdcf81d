"""Names that come twice, or look like others."""

from __future__ import annotations

from tests.hostile.attacks.forms import SITE, Files, site

WEB = "notify { 'x': }"

ATTACKS: dict[str, Files] = {
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
    "many nodes": {SITE: "".join(f"node 'n{n}' {{ {WEB} }}\n" for n in range(300))},
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
