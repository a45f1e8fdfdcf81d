"""An exploration as one self-contained HTML page without scripts."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterator, Sequence
from hashlib import sha256
from html import escape
from importlib.resources import files

from analyzer.escape import shown
from analyzer.model.documents import JsonObject
from analyzer.model.nouns import counted

Row = JsonObject

STATES = ("ok", "cycle", "missing", "refused", "incomplete")

# The colours in the style of the graph page.
COLOURS = "* { box-sizing: border-box; }"

PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} - catgraph explore</title>
<style>{style}</style>
</head>
<body>
<main>
{body}
</main>
</body>
</html>
"""


def render(title: str, found: Row) -> str:
    """Return the page of an exploration, with the rows of its JSON."""
    folder = files("analyzer.export.page")
    colours, _, _ = folder.joinpath("page.css").read_text(encoding="utf-8").partition(COLOURS)
    style = colours + COLOURS + "\n" + folder.joinpath("exploration.css").read_text("utf-8")
    digest = b64encode(sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'"
    body = "\n".join(parts(title, found))
    return PAGE.format(policy=policy, title=text(title), style=style, body=body)


def text(value: object) -> str:
    """Return a value as text of the page."""
    return escape(shown(value if isinstance(value, str) else json.dumps(value)))


def parts(title: str, found: Row) -> Iterator[str]:
    """Yield the parts of the page: the table of nodes, findings, worlds, and branches."""
    nodes = found["nodes"]
    findings = [
        (number, place, one)
        for number, node in enumerate(nodes)
        for place, one in enumerate(node["findings"])
    ]
    worlds = sum(len(node["worlds"]) for node in nodes)
    yield f"<h1>{text(title)}</h1>"
    yield (
        f'<p class="summary">{counted(len(nodes), "node")}, {counted(worlds, "world")}, '
        f"{counted(len(findings), 'finding')}</p>"
    )
    yield "<h2>Nodes</h2>"
    heads = ["node", "from", "worlds", *STATES, ""]
    yield table(heads, (node_cells(number, node) for number, node in enumerate(nodes)))
    if findings:
        yield '<h2 id="findings">Findings</h2>'
        for number, place, one in findings:
            yield finding_part(nodes[number], f"finding-{number}-{place}", one)
    yield "<h2>Worlds</h2>"
    for number, node in enumerate(nodes):
        yield from worlds_part(number, node)
    yield from branches_part(found["decisions"])
    unread = [one for one in found["incomplete"] if one["kind"] == "unread"]
    if unread:
        yield "<h2>Not read</h2>"
        rows = (text(f"{one['name']}: {one['reason']}") for one in unread)
        yield f"<p>{'<br>'.join(rows)}</p>"
    if found["not_explored"]:
        yield "<h2>Not explored because --total was used up</h2>"
        yield f"<p>{text(', '.join(found['not_explored']))}</p>"
    if found["not_alone"]:
        yield "<h2>Classes that cannot be compiled alone</h2>"
        yield f"<p>{text(', '.join(found['not_alone']))}</p>"


def table(heads: Sequence[str], rows: Iterator[Sequence[str]]) -> str:
    """Return a table; its cells are HTML."""
    numbers = {"worlds", "resources", "relationships", *STATES}
    marks = [' class="number"' if head in numbers else "" for head in heads]
    head = "".join(f"<th{mark}>{one}</th>" for mark, one in zip(marks, heads, strict=True))
    body = "\n".join(
        "<tr>" + "".join(f"<td{m}>{c}</td>" for m, c in zip(marks, row, strict=True)) + "</tr>"
        for row in rows
    )
    return (
        f'<div class="scroll"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>\n{body}\n</tbody></table></div>"
    )


def node_cells(number: int, node: Row) -> list[str]:
    """Return the cells of a node: its worlds by state, and the extent of the search."""
    states = [world["state"] for world in node["worlds"]]
    counts = [states.count(state) for state in STATES]
    cells = [
        f'<span class="{state}">{count}</span>' if count else '<span class="muted">-</span>'
        for state, count in zip(STATES, counts, strict=True)
    ]
    found = node["findings"]
    notes = [f'<a href="#finding-{number}-0">{counted(len(found), "finding")}</a>'] if found else []
    if node["like"]:
        notes.append(f"does the same as {text(node['like'])}")
    elif not node["complete_search"]:
        notes.append("the search stopped at a limit")
    name = f'<a href="#node-{number}"><code>{text(node["name"])}</code></a>'
    return [name, text(node["from"]), str(len(states)), *cells, "; ".join(notes)]


def finding_part(node: Row, anchor: str, one: Row) -> str:
    """Return a finding: its place, its condition, and a world that has it."""
    place = f"{one['file']}:{one['line']}" if one["file"] else ""
    rows = [f'<section id="{anchor}">', f"<h3>{text(one['kind'])} {text(one['if'])}</h3>"]
    rows.append(f"<p><code>{text(node['name'])}</code>: {text(one['message'])}</p>")
    if place:
        rows.append(f"<p><code>{text(place)}</code></p>")
    if one.get("path"):
        rows.append(f"<p><code>{text(' => '.join(one['path']))}</code></p>")
    if one.get("statements"):
        items = "".join(f"<li><code>{text(made)}</code></li>" for made in one["statements"])
        rows.append(f"<p>Statements:</p><ul>{items}</ul>")
    rows.append(f'<p class="muted">for example with {inputs(one["witness"])}</p></section>')
    return "\n".join(rows)


def inputs(values: Row) -> str:
    """Return the inputs of a world."""
    return ", ".join(f"<code>{text(name)}: {text(value)}</code>" for name, value in values.items())


def worlds_part(number: int, node: Row) -> Iterator[str]:
    """Yield the worlds of a node, folded."""
    yield f'<details id="node-{number}"><summary><code>{text(node["name"])}</code></summary>'
    heads = ["world", "state", "resources", "relationships", "gaps, or the error"]
    yield table(heads, map(world_cells, node["worlds"]))
    yield "</details>"


def world_cells(world: Row) -> list[str]:
    """Return the cells of a world."""
    state = f'<span class="{world["state"]}">{world["state"]}</span>'
    said = [world["error"]] if world["error"] else world["unknown"]
    return [
        inputs(world["facts"]),
        state,
        str(world["resources"]),
        str(world["relationships"]),
        "<br>".join(map(text, said)),
    ]


def branches_part(decisions: Row) -> Iterator[str]:
    """Yield the branches that no world took, with the reasons."""
    if not decisions["reachable"]:
        return
    yield '<h2 id="branches">Branches</h2>'
    taken, total = decisions["taken"], counted(decisions["reachable"], "branch", "branches")
    yield f"<p>{taken} of {total} were taken.</p>"
    if decisions["never"]:
        yield table(["never taken", "branch", "reason"], map(branch_cells, decisions["never"]))


def branch_cells(one: Row) -> list[str]:
    """Return the cells of a branch: its construct, its number there, and the reason."""
    place = f"<code>{text(one['file'])}:{one['line']}</code>"
    return [place, str(one["arm"] + 1), text(one["reason"])]
