"""How each function is called; `@name` is a place for a value of a kind (see `generate.py`)."""

from __future__ import annotations

_LETTERS = ("NAME(@str)", "NAME(@str)", "NAME(@strs)", "NAME(@num)", "NAME(@arr)", "NAME(@list)")
_LOOPS = (
    "NAME(@it) @one",
    "NAME(@it) @two",
    "NAME(@hash) @one",
    "NAME(@hash) @two",
    "NAME(@arr) @one",
    "NAME(@arr) @two",
)
_GROUPS = ("NAME(@arr) @one", "NAME(@arr) @two", "NAME(@hash) @one", "NAME(@hash) @two")
_BEST = (
    "NAME(@num, @num, @num)",
    "NAME(@nums)",
    "NAME(@str, @str)",
    "NAME(@numeral, @numeral)",
    "NAME(@strs)",
    "NAME(@arr)",
    "NAME(@scalar, @scalar)",
    "NAME(@num, @numeral, @str)",
    "NAME(@arr) @order",
    "NAME(@num, @str, @num) @order",
    "NAME()",
)
_ROUND = ("NAME(@num)", "NAME(@float)", "NAME(@numeral)", "NAME(@any)")


def _named(name: str, forms: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(form.replace("NAME", name) for form in forms)


# Tried with every function: arguments it may not take. (No integers: all of them would be gone
# through.)
ANY_FORMS = ("NAME()", "NAME(@no)", "NAME(@no, @no)", "NAME(@no) @one", "NAME(@no) @two")
FORMS: dict[str, tuple[str, ...]] = {
    **{
        name: _named(name, _LETTERS)
        for name in ["camelcase", "capitalize", "chomp", "chop", "lstrip", "rstrip", "strip"]
    },
    **{
        name: _named(name, (*_LETTERS[:4], "NAME(@hash)", "NAME([[@str], {@str => @str}])"))
        for name in ("downcase", "upcase")
    },
    **{name: _named(name, _LOOPS) for name in ["all", "any", "each", "filter", "index", "map"]},
    **{name: _named(name, _GROUPS) for name in ("group_by", "partition")},
    **{name: _named(name, _BEST) for name in ("max", "min")},
    **{name: _named(name, _ROUND) for name in ["abs", "ceiling", "floor", "round"]},
    "compare": (
        "compare(@num, @num)",
        "compare(@str, @str)",
        "compare(@str, @str, @bool)",
        "compare(@any, @any)",
    ),
    "dig": ("dig(@hash, @key, @key)", "dig(@arr, @key, @key)", "dig(@any, @key)", "dig(@arr)"),
    "digest": ("digest(@str)", "md5(@str)", "sha1(@str)", "sha256(@str)", "md5(@any)"),
    "empty": ("empty(@any)", "empty(@str)", "empty(@arr)"),
    "flatten": ("flatten(@any, @arr)", "flatten(@arr)", "flatten([[@arr], @hash])"),
    "fqdn_rand": (
        "fqdn_rand(@int)",
        "fqdn_rand(@int, @str)",
        "fqdn_rand(@int, @any, @scalar)",
        "fqdn_rand(@numeral, @int)",
        "fqdn_rand(@num)",
    ),
    "get": (
        "get(@hash, @path)",
        "get(@arr, @path, @scalar)",
        "get(@any, @path)",
        "getvar('given', 4)",
        "getvar('given.1.a')",
        "getvar(\"given.1.${['a', 'b'][0]}\", @any)",
    ),
    "index of": (
        "index(@it, @scalar)",
        "index(@str, @str)",
        "index(@str, @re)",
        "index(@arr, @num)",
    ),
    "join": ("join(@arr)", "join(@arr, @str)", "join(@strs, ',')", "join([@any, @hash], '-')"),
    "keys": ("keys(@hash)", "values(@hash)"),
    "length": ("length(@any)", "size(@any)", "length(@str)", "size(@hash)"),
    "match": (
        "match(@str, @re)",
        "match(@str, @pat)",
        "match(@strs, @re)",
        "match(@str, [@re, @pat])",
    ),
    "reduce": (
        "reduce(@it) @two",
        "reduce(@arr) @two",
        "reduce(@it, @scalar) @two",
        "reduce(@ints, 1) |$x, $y| { $x + $y }",
    ),
    "regsubst": (
        "regsubst(@str, @pat, @repl)",
        "regsubst(@str, @pat, @repl, 'G')",
        "regsubst(@str, @pat, @repl, 'GIM')",
        "regsubst(@str, @re, @repl, 'G')",
        "regsubst(@strs, @re, @repl)",
        "regsubst(@str, @re, {'a' => @str, 'b' => 'B'}, 'G')",
    ),
    "reverse_each": ("reverse_each(@it)", "reverse_each(@it) |$x| { notice($x) }"),
    "shellquote": ("shellquote(@str)", "shellquote(@str, @str, @strs)", "shellquote(@any)"),
    "slice": (
        "slice(@it, @small)",
        "slice(@it, @small) |$x| { notice($x) }",
        "slice(@it, 2) |$x, $y| { notice($x, $y) }",
        "slice(@it, 3) |$x, $y, $z| { notice($x, $y, $z) }",
        "slice(@it, 3) |*$x| { notice($x) }",
        "slice(@hash, @small)",
    ),
    "sort": (
        "sort(@nums)",
        "sort(@strs)",
        "sort(@str)",
        "sort(@arr)",
        "sort(@ints) @order",
        "sort(@words) @order",
        "sort(@str) @order",
        "sort([@nums, @nums, @ints])",
    ),
    "split": ("split(@str, @pat)", "split(@str, @re)", "split(@str, @str)"),
    "sprintf": (
        "sprintf(@fmt, @num, @num, @num)",
        "sprintf(@fmt, @int)",
        "sprintf(@fmt, @any, @any)",
        "sprintf(@fmt, @str, @float, @int)",
        "sprintf(@fmt, {'a' => @scalar})",
        "sprintf(@fmt, @numeral)",
        "sprintf(@fmt, @float)",
    ),
    "step": ("step(@it, @small)", "step(@it, @small) |$x| { notice($x) }"),
    "then": ("then(@any) @one", "lest(@any) || { 7 }", "with(@any) @one", "with(@any, @any) @two"),
    "tree_each": (
        "tree_each(@arr)",
        "tree_each(@hash)",
        "tree_each([@arr, [@hash]], {'order' => 'breadth_first'})",
        "tree_each([@arr, [@hash]], {'include_containers' => @bool, 'include_values' => @bool})",
        "tree_each([@arr, [@hash]], {'include_root' => @bool, 'container_type' => Array})",
        "tree_each(@arr) |$x| { notice($x) }",
        "tree_each(@hash) |$x, $y| { notice($x, $y) }",
    ),
    "unique": (
        "unique(@arr)",
        "unique(@str)",
        "unique(@hash)",
        "unique(@words) @one",
        "unique(@it)",
    ),
    "versioncmp": ("versioncmp(@ver, @ver)", "versioncmp(@ver, @ver, @bool)"),
}
