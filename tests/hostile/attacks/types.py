"""Types that are deep, wide, or defined by themselves."""

from __future__ import annotations

from tests.hostile.attacks.forms import Files, nest, site, times

ATTACKS: dict[str, Files] = {
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
            "type A{1} = Struct[{{a => A{0}, b => A{0}}}]\ntype B{1} = Struct[{{a => B{0}, b => B{0}}}]",  # noqa: E501
            "type A0 = Integer\ntype B0 = Integer",
            "$x = A30 < B30\n$y = A30 == B30",
        )
    ),
    "recursive aliases compared": site(
        "type A = Variant[Integer, Array[A], Hash[String, A]]\n"
        "type B = Variant[Integer, Array[B], Hash[String, B]]\n"
        "type C = Variant[B, Array[C], Hash[String, Variant[A, C]]]\n$x = A < B\n$y = C < A\n$z = A < C"  # noqa: E501
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
