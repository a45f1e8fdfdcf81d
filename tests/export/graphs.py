"""Small catalogs for the tests of views and formats."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from analyzer import load_catalog, relate
from analyzer.graph.relationship_graph import RelationshipGraph

NASTY = [
    "/a[b]",
    'with "quotes"',
    "it's",
    "back\\slash\\",
    "\\N \\G \\l",
    "two\nlines",
    "tab\there",
    "emoji \U0001f40d and ümläut",
    "</script><script>document.title='pwned'</script>",
    "<img src=x onerror=alert(1)>",
    "<!-- comment",
    "line\u2028separator\u2029",
    "a;b --> c",
    "end",
    "`markdown`",
    "#35; &amp; %%",
    "C:/Program Files",
    "bell\x07",
    "{{data}} {{script}}",
    "${x} $& $1",
    "",
]


def resource(
    ref: str, kind: str = "compilable_type", line: int | None = None, **parameters: Any
) -> dict[str, Any]:
    """A resource of a catalog by its reference."""
    name, _, title = ref.partition("[")
    row: dict[str, Any] = {"type": name, "title": title[:-1], "kind": kind}
    if line is not None:
        row.update(file="/code/site.pp", line=line)
    return {**row, "parameters": parameters}


def graph_of(
    resources: list[dict[str, Any]], inside: dict[str, str] | None = None
) -> RelationshipGraph:
    """The graph of a catalog; `inside` maps references to what contains them."""
    edges = [{"source": x, "target": v} for v, x in (inside or {}).items()]
    document = {"name": "node", "catalog_format": 2, "resources": resources, "edges": edges}
    catalog = load_catalog(document)
    # Only the containment that matters is given.
    catalog.gaps.clear()
    return relate(catalog)


def web() -> RelationshipGraph:
    """Two classes in order, one with a define; a refresh and an edge that others imply."""
    return graph_of(
        [
            resource("Class[Main]", "class"),
            resource("Class[Web]", "class", 1, before="Class[App]"),
            resource("Class[App]", "class", 20),
            resource("Package[nginx]", line=2, ensure="installed"),
            resource("File[/etc/nginx]", line=3, require="Package[nginx]"),
            resource("File[/etc/nginx/x]", line=4, require="Package[nginx]"),
            resource(
                "Service[nginx]", line=5, subscribe="File[/etc/nginx/x]", require="Package[nginx]"
            ),
            resource("App::Site[a]", "defined_type", 21),
            resource("Exec[deploy]", line=22, command="/bin/true", require="Service[nginx]"),
            resource("Notify[alone]", line=30),
        ],
        {
            "Class[Web]": "Class[Main]",
            "Class[App]": "Class[Main]",
            "Package[nginx]": "Class[Web]",
            "File[/etc/nginx]": "Class[Web]",
            "File[/etc/nginx/x]": "Class[Web]",
            "Service[nginx]": "Class[Web]",
            "App::Site[a]": "Class[App]",
            "Exec[deploy]": "App::Site[a]",
        },
    )


def loop() -> RelationshipGraph:
    """A class whose content waits for what waits for the class, and an edge out of the cycle."""
    return graph_of(
        [
            resource("Class[Java]", "class", 1),
            resource("Package[jre]", line=2, require="Service[engine]"),
            resource("Service[engine]", line=9, require="Class[Java]"),
            resource("Notify[done]", line=12, require="Service[engine]"),
        ],
        {"Package[jre]": "Class[Java]"},
    )


def nasty() -> RelationshipGraph:
    """Titles that are something else in every format, in a chain."""
    refs = [f"Notify[{title}]" for title in NASTY]
    rows = [
        resource(ref, line=number, require=refs[max(0, number - 1) : number])
        for number, ref in enumerate(refs)
    ]
    return graph_of(rows)


@st.composite
def edge_lists(draw: st.DrawFn, acyclic: bool = False) -> tuple[int, list[tuple[int, int]]]:
    """A number of nodes and edges between them."""
    count = draw(st.integers(1, 14))
    node = st.integers(0, count - 1)
    pairs = draw(st.lists(st.tuples(node, node), max_size=40))
    if acyclic:
        pairs = [(min(pair), max(pair)) for pair in pairs if pair[0] != pair[1]]
    return count, pairs


@st.composite
def graphs(draw: st.DrawFn) -> RelationshipGraph:
    """Notifies in nested classes, with relationships of all four kinds in any direction."""
    classes = draw(st.integers(0, 4))
    count = draw(st.integers(1, 10))
    refs = [f"Class[C{i}]" for i in range(classes)] + [f"Notify[{i}]" for i in range(count)]
    inside = {}
    for number, ref in enumerate(refs):
        holders = min(number, classes)
        if holders and draw(st.booleans()):
            inside[ref] = refs[draw(st.integers(0, holders - 1))]
    named = st.lists(st.sampled_from(refs), max_size=3)
    rows = []
    for number, ref in enumerate(refs):
        names = draw(
            st.sets(st.sampled_from(["require", "before", "notify", "subscribe"]), max_size=1)
        )
        kind = "class" if number < classes else "compilable_type"
        row = resource(ref, kind)
        row["parameters"] = {name: draw(named) for name in sorted(names)}
        rows.append(row)
    return graph_of(rows, inside)
