"""Calls of stdlib's functions made at random: forms with values in their places."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from tests.frontends.puppet.functions.generate import PLACES as OWN_PLACES
from tests.frontends.puppet.functions.generate import Generator, quoted

from .forms import FORMS

PLACE = re.compile(r"@([a-z0-9]+)")


def words(text: str) -> list[str]:
    """The words of a text."""
    return text.split()


ADDRESSES = words(
    "1.2.3.4 10.0.0.1 192.168.1.5 256.1.1.1 01.2.3.4 1.2.3 127.0.0.1 0.0.0.0 "
    "255.255.255.255 ::1 :: fe80::1 fe80::1%eth0 [::1] 2001:db8::1 2001:DB8:0:0:1:0:0:1 "
    "::ffff:1.2.3.4 ::1.2.3.4 1::2::3 12345:: 1:2:3:4:5:6:7:8 1:2:3:4:5:6:7:: "
    "1:2:3:4:5:6:1.2.3.4 abcd * a.b.c.d 1:0:0:2:0:0:0:3 0:0:1:: ::2:3:4:5:6:7:8 fe80:: "
    "1.2.3.04 1:2:3:4:5:6:7"
)
MASKS = ("", "", "/24", "/8", "/64", "/33", "/0", "/255.255.0.0", "/x", "/", "/08", "/0.0.0.255")
FILES = words(
    "/ /a /a/b /a/b/ a a/b.rb b.tar.gz .a .a.b a. a.. ../b // //a/b /a//b C:/x C:\\\\x "
    "\\\\\\\\h\\\\s /a/.b a/b/c.d.e .. . ./a.rb a.b/c /a.rb/ a.rb.rb foo.RB"
)
TRUTHS = words("true false yes no y n t f 1 0 undef undefined TRUE Yes nO on off 2 -1 1.5 0.0 abc")
DOMAINS = words(
    "example.com a.b a.1 -a.com a-.com a..b .a a. . com x1.example.org foo_bar.com é.com "
    "a.b.c.d localhost EXAMPLE.Com 1.2.3.4 a.b-c a.com."
)
EMAILS = words("a@b.com a.b@c.d.org @b.com a@b a+b@c.de A@b.com a@b.c1 a@-.com a@b.com. é@b.com")
MACS = words(
    "00:11:22:33:44:55 0:1:2:3:4:5 00-11-22-33-44-55 AA:bb:cc:DD:ee:ff 00:11 zz:11:22:33:44:55"
)
SIZES = words("1 1k 1kB 4 kB 1.5M 2G 1e3 1e3k -1k 3T 1P 1E 5x B kB 1b 0.1M +4k 1.k ..1 1_0k 10MiB")
RANGES = words(
    "1..3 1-5 1...4 a..e a...e a-e host01..host05 a..zz aa..ad 09..11 5..1 z..a a1-a4 "
    "az..bc 1..b Zz..AAc a..3 1.5..3 a b..bb a-b-c 10..9 01..3 a..A Az..Bc"
)
YAMLS = words(
    "y n Y null ~ true on off yes 1 1.5 1e3 0x1f 010 08 1:30 2001-01-01 2001-02-30 a:b - "
    "-1 '<<' .inf -.inf .nan . .. --- ... ? : = < > | ! & * # @ % , [ ] { } 1_000 1,000 "
    "0b11 0o7 +1 2001-01-01T00:00:00Z 12:30:45 :sym :'x' trueish nullx 1.2.3.4 0. .5 1. "
    "1.e3 -.5 +.inf é ☃ 😀 "
    "-a ?b :c a# \x7f a\x01b null. ~x 1a 0x 0b 099 1.5.2 NULL True oN ÄÖ "
    "日本語 -- 'a"
)
PHRASES = (
    "a: b", "a #b", "a:", " a", "a ", "x y", "a\nb", "a\n", "a\n\n", "\n", "\na", " a\nb", "a\n b",
    "a\tb", "\t", "it's", '"q"', "a \nb", "a\r\nb", "a'b\"c", "word " * 30, "w" * 140, "ä " * 60,
    "a\n\nb\n", "  x\n y\n", "- a", "? a", "a, b", "#a", "key: [1, 2]", "\u00a0x", "x\u2028y",
    "long line " * 12 + "\nb", "\\", "a\\b", "''", '""', "%a", "@a", "`a", "&a", "*a", "!a", "|a",
)  # fmt: skip
JSONS = (
    "", " ", "abc", "{", "[1,", "[1,]", '{"a"}', '{"a":}', '{"a":1,}', "{a:1}", "[1 2]", "nul",
    "NaN", "[NaN]", "-", "01", "1.", '"a', '{"a":1}x', "/* c */ 1", "[1] // x", "[-]", "[1.]",
    "tru", "[tru]", '{"a":tru}', '["\\u00e9\\x"]', "[01]", '"\\ud83d\\ude00"', "1 2", " 5 ",
    '{"a":1,"a":2}', "[[[[", '{"a":"b}', '["\\q"]', '{"a":[1,{"b":null}],"c":1.5e3}', "[]", "{}",
    "[true,false,null]", '"x"', "null", "false", "0", "-1.5", "[1e2]", '{"b":{"c":[]}}', "[1]]",
    '{"a" 1}', '[{"a":1},]', "[1][2]", '{"a":1} ', "[1.5.2]", "-0", '["a\\nb"]', "é", '["é"]',
)  # fmt: skip
YAML_TEXTS = (
    "a: 1\nb: [x, y]\n", "- 1\n- two\n- ~\n", "", "---\n", "x", "a: b: c", "[1, 2", "{a: 1}",
    "a: &x [1]\nb: *x\n", "1.5", "true", "a:\n  - b\n  - c: d\n", "'q'", "a: 2001-01-01\n",
    "? a\n: b\n", "a: |\n  x\n  y\n", "null", "false", "- yes\n- 0x1f\n- 010\n", "\t", "a: 'b",
)  # fmt: skip
SHELLS = (
    "a b c", "a 'b c' d", 'x "y z" w', "a\\ b", "it's", '"a\\"b"', "", "  a   b ", "a'b'c", '"',
    "a \\", "'a\nb'", "$x `y`", "é 'ü'", 'a"b\\$c"', "a;b|c", "\\'", "a\\\nb",
)  # fmt: skip
SETS = words("a-z a a-c ^a abc ^ - a- \\\\- 0-9 ^0-9 z-a \\\\^ é")
CODED = words("YWJj YQ== YQ YWI= YW=Jj *** 4pyT _-8= _-8 +/8= YWJj\\nZGVm 5 YWJjZA")


class Calls(Generator):
    """Fills the places of forms, with those that stdlib's functions need too."""

    def fill(self, form: str) -> str:
        return PLACE.sub(lambda match: ALL_PLACES[match[1]](self), form)

    def of(self, pool: Sequence[str]) -> str:
        if self.random.random() < 0.06:
            return self.any()
        return quoted(self.random.choice(pool))

    def address(self) -> str:
        return self.of([self.random.choice(ADDRESSES) + self.random.choice(MASKS)])

    def yaml(self) -> str:
        pool = YAMLS if self.random.random() < 0.6 else PHRASES
        return double_quoted(self.random.choice(pool))

    def yaml_value(self, depth: int = 3) -> str:
        pick = self.random.random()
        if depth and pick < 0.3:
            return f"[{self.several(lambda: self.yaml_value(depth - 1), 4)}]"
        if depth and pick < 0.6:
            pairs = (
                f"{self.yaml() if self.random.random() < 0.8 else self.random.randint(0, 9)} => "
                f"{self.yaml_value(depth - 1)}"
                for _ in range(self.random.randint(0, 3))
            )
            return "{" + ", ".join(pairs) + "}"
        return self.yaml() if pick < 0.85 else self.scalar()

    def nested(self) -> str:
        return self.random.choice(("{'a' => {'b' => [1, {'c' => 2}]}, 'd' => undef}", self.hash()))


def double_quoted(text: str) -> str:
    """A text as a literal of Puppet in double quotes."""
    for char, escape in (("\\", "\\\\"), ('"', '\\"'), ("$", "\\$")):
        text = text.replace(char, escape)
    for char, escape in (("\n", "\\n"), ("\t", "\\t"), ("\r", "\\r")):
        text = text.replace(char, escape)
    return f'"{text}"'


def pool(values: Sequence[str]) -> Callable[[Calls], str]:
    return lambda calls: calls.of(values)


ALL_PLACES: dict[str, Callable[[Calls], str]] = {
    **OWN_PLACES,
    "addr": Calls.address,
    "addrs": lambda calls: f"[{calls.several(calls.address, 4)}]",
    "coded": pool(CODED),
    "domain": pool(DOMAINS),
    "email": pool(EMAILS),
    "file": pool(FILES),
    "json": pool(JSONS),
    "mac": pool(MACS),
    "nested": Calls.nested,
    "range": pool(RANGES),
    "set": pool(SETS),
    "shell": pool(SHELLS),
    "size": pool(SIZES),
    "truth": pool(TRUTHS),
    "yaml": Calls.yaml,
    "yamltext": lambda calls: double_quoted(calls.random.choice(YAML_TEXTS)),
    "yamlvalue": Calls.yaml_value,
}


def generated(
    count: int, seed: int, only: Sequence[str] | None = None
) -> Iterator[tuple[str, str]]:
    """So many calls with the names of the functions, each function in its turn."""
    calls = Calls(seed)
    names = [name for name in FORMS if only is None or name in only]
    for i in range(count):
        name = names[i % len(names)]
        yield name, calls.fill(calls.random.choice(FORMS[name]))
