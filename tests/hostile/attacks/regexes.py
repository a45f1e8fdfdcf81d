"""Regular expressions that go back and forth."""

from __future__ import annotations

from tests.hostile.attacks.forms import SITE, Files, site

LONG = "a" * 60

ATTACKS: dict[str, Files] = {
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
