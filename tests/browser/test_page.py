"""The page as a browser shows it: drawing, links into it, clicks and keys, hostile titles."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path
from urllib.parse import quote

import pytest

from analyzer.escape import shown
from analyzer.export.graph.view import build_view
from analyzer.export.page.html_page import render
from analyzer.graph.relationship_graph import RelationshipGraph
from tests.export.graphs import graph_of, loop, nasty, resource, web

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
BROWSER = next((found for name in NAMES if (found := shutil.which(name))), None)
FLAGS = (
    "--force-prefers-reduced-motion",
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-dev-shm-usage", "--virtual-time-budget=3000", "--enable-logging=stderr",
    "--window-size=1400,900",
)  # fmt: skip

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(BROWSER is None, reason="no chromium or chrome is installed"),
]


class Shown:
    """What a browser makes of a page: its document and its console."""

    def __init__(
        self, folder: Path, graph: RelationshipGraph, hash: str = "", view: str = "", hand: str = ""
    ) -> None:
        file = folder / "page.html"
        text = render(graph, build_view(graph, view or "relationships"))
        if hand:
            # The page's own policy would not let a foreign script in.
            text = re.sub(r"<meta http-equiv[^>]*>", "", text)
            text = text.replace("</body>", f"<script>{hand}</script></body>")
        file.write_text(text, "utf-8")
        assert BROWSER is not None
        done = subprocess.run(
            [
                BROWSER, *FLAGS, f"--user-data-dir={folder / 'profile'}", "--dump-dom",
                f"file://{file}{hash}",
            ],
            capture_output=True, text=True, timeout=600, check=False,
        )  # fmt: skip
        self.text = done.stdout
        self.console = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
        body = re.search(r"<body[^>]*>", done.stdout)
        assert body, done.stderr[-2000:]
        self.status = {k: unescape(v) for k, v in re.findall(r'data-(\w+)="([^"]*)"', body[0])}

    @property
    def panel(self) -> str:
        """The text of the side panel."""
        found = re.search(r'<aside id="panel".*?</aside>', self.text, re.DOTALL)
        assert found
        return unescape(re.sub(r"<[^>]*>", "", found[0].replace("</li>", "\n")))

    def assert_clean(self) -> None:
        assert self.status["state"] == "drawn"
        assert self.status["errors"] == "0"
        assert self.console == []


def test_a_page_draws_from_disk(tmp_path: Path) -> None:
    shown = Shown(tmp_path, web())
    shown.assert_clean()
    assert (shown.status["scene"], shown.status["nodes"]) == ("all", "10")
    assert int(shown.status["edges"]) >= 6
    assert "No dependency cycle" in shown.panel


def test_a_link_selects_a_resource_and_says_who_ordered_it(tmp_path: Path) -> None:
    shown = Shown(tmp_path, web(), "#ref=" + quote("Service[nginx]"))
    shown.assert_clean()
    assert shown.status["selected"] == "Service[nginx]"
    assert "Service[nginx] subscribes to File[/etc/nginx/x]" in shown.panel
    assert "/code/site.pp:5" in shown.panel
    assert "in Class[Main] \u203a Class[Web]" in shown.panel


def test_a_class_before_it_counts_as_its_resources(tmp_path: Path) -> None:
    refs = ("Class[Two]", "Notify[a]", "Notify[b]", "Class[Empty]", "Define[d]", "Notify[c]")
    kinds = {"Class": "class", "Define": "defined_type"}
    rows = [resource(ref, kinds.get(ref.partition("[")[0], "compilable_type")) for ref in refs]
    rows.append(resource("Notify[last]", require=["Class[Two]", "Class[Empty]", "Notify[a]"]))
    inside = {"Notify[a]": "Class[Two]", "Define[d]": "Class[Two]", "Notify[b]": "Define[d]"}
    shown = Shown(tmp_path, graph_of(rows, inside), "#ref=" + quote("Notify[last]"))
    shown.assert_clean()
    assert re.search(r"Applied before it\s*2(?!\d)", shown.panel)
    assert re.search(r"Class\[Two\] 2 resources", shown.panel)
    assert re.search(r"Class\[Empty\] 0 resources", shown.panel)


def test_a_link_to_a_cycle_explains_it(tmp_path: Path) -> None:
    shown = Shown(tmp_path, loop(), "#cycle=1")
    shown.assert_clean()
    assert shown.status["scene"] == "cycle"
    assert "Class[Java] completes after Package[jre], which it contains" in shown.panel
    assert "To break the cycle, remove" in shown.panel


# A hand on the page: what it does to the page from outside, and what it saw after each step.
HAND = """
const canvas = document.getElementById("canvas"), seen = [];
const wait = (ms) => new Promise((done) => setTimeout(done, ms));
const status = document.body.dataset;
const see = (...more) => seen.push([status.scene, status.selected, ...more]);
const at = (type, x, y, more = {}) => canvas.dispatchEvent(new PointerEvent(type, {
  bubbles: true, pointerId: 1, clientX: canvas.getBoundingClientRect().left + x,
  clientY: canvas.getBoundingClientRect().top + y, ...more }));
const click = (x, y) => { at("pointerdown", x, y); at("pointerup", x, y); };
canvas.setPointerCapture = () => {};
const middle = () => [canvas.clientWidth / 2, canvas.clientHeight / 2];
const key = (key, on = canvas) =>
  on.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
async function play() {
  STEPS
  document.body.dataset.seen = JSON.stringify(seen);
}
play();
"""


def played(
    folder: Path, graph: RelationshipGraph, hash: str, steps: str, view: str = ""
) -> list[list[str | bool]]:
    """What was seen while the steps were played on a page."""
    shown = Shown(folder, graph, hash, view, hand=HAND.replace("STEPS", steps))
    shown.assert_clean()
    seen: list[list[str | bool]] = json.loads(shown.status["seen"])
    return seen


def test_clicks_and_keys_select(tmp_path: Path) -> None:
    steps = """
      await wait(500); see();
      key("Escape"); see();
      click(...middle()); see();
      click(5, 5); see();
    """
    seen = played(tmp_path, web(), "#ref=" + quote("Service[nginx]"), steps)
    assert [selected for _, selected in seen] == ["Service[nginx]", "", "Service[nginx]", ""]


def test_something_is_on_the_canvas(tmp_path: Path) -> None:
    steps = """
      await wait(500);
      const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
      const colors = new Set(new Uint32Array(pixels.buffer));
      see(colors.size > 20);
    """
    for view in ("relationships", "containment", "expanded"):
        (tmp_path / view).mkdir()
        assert played(tmp_path / view, web(), "", steps, view) == [["all", "", True]]


def test_a_drag_moves_and_does_not_select(tmp_path: Path) -> None:
    steps = """
      await wait(500); key("Escape");
      const [x, y] = middle();
      at("pointerdown", x, y); at("pointermove", x + 300, y + 5); at("pointerup", x + 300, y + 5);
      see(); click(x, y); see(); click(x + 300, y + 5); see();
    """
    seen = played(tmp_path, web(), "#ref=" + quote("Service[nginx]"), steps)
    assert [selected for _, selected in seen] == ["", seen[1][1], "Service[nginx]"]
    assert seen[1][1] != "Service[nginx]"


def test_a_double_click_opens_a_class_and_closes_it(tmp_path: Path) -> None:
    steps = """
      await wait(500);
      const open = () => canvas.dispatchEvent(new MouseEvent("dblclick", {
        clientX: canvas.getBoundingClientRect().left + middle()[0],
        clientY: canvas.getBoundingClientRect().top + middle()[1], bubbles: true }));
      open(); await wait(100); see();
    """
    seen = played(tmp_path, web(), "#ref=" + quote("Class[Web]"), steps)
    assert seen == [["class", "Class[Web]"]]


def test_search_goes_to_the_chosen_hit(tmp_path: Path) -> None:
    steps = """
      const box = document.getElementById("search");
      const type = (text) => { box.value = text; box.dispatchEvent(new Event("input")); };
      const hits = () => [...document.querySelectorAll("#hits [role=option]")]
        .map((hit) => hit.firstChild.data);
      type("nginx type:file"); see(...hits());
      key("ArrowDown", box); key("Enter", box); see();
      type("file:site.pp:22"); see(...hits());
      type("no such thing"); see(document.getElementById("hits").textContent);
    """
    files = ["File[/etc/nginx]", "File[/etc/nginx/x]"]
    assert played(tmp_path, web(), "", steps) == [
        ["all", "", *files],
        ["all", files[1]],
        ["all", files[1], "Exec[deploy]"],
        ["all", files[1], "No resource matches"],
    ]


def test_the_panel_leads_on(tmp_path: Path) -> None:
    steps = """
      await wait(300);
      const link = [...document.querySelectorAll("#panel button")]
        .find((button) => button.textContent === "Exec[deploy]");
      link.click(); await wait(300); see(decodeURIComponent(location.hash));
      document.querySelector("#legend input").click(); await wait(50);
      document.getElementById("zoom-in").click(); document.getElementById("fit").click();
      canvas.dispatchEvent(new WheelEvent("wheel", { deltaY: -120, cancelable: true }));
      await wait(300); see();
    """
    seen = played(tmp_path, web(), "#ref=" + quote("Service[nginx]"), steps)
    assert seen == [["all", "Exec[deploy]", "#ref=Exec[deploy]"], ["all", "Exec[deploy]"]]


def test_titles_are_never_executed(tmp_path: Path) -> None:
    title = "</script><script>document.title='pwned'</script>"
    shown = Shown(tmp_path, nasty(), "#ref=" + quote(f"Notify[{title}]"))
    shown.assert_clean()
    assert "<title>pwned" not in shown.text
    assert shown.status["selected"] == f"Notify[{title}]"
    assert "<img" not in shown.text


@pytest.mark.parametrize("view", ["containment", "expanded"])
def test_other_views_draw_too(tmp_path: Path, view: str) -> None:
    shown = Shown(tmp_path, loop(), view=view)
    shown.assert_clean()
    assert int(shown.status["edges"]) > 0


def test_nothing_at_all_is_a_page_too(tmp_path: Path) -> None:
    Shown(tmp_path, graph_of([])).assert_clean()


def test_a_large_graph_starts_with_its_classes(tmp_path: Path) -> None:
    refs = [f"Notify[{i}]" for i in range(300)]
    rows = [resource("Class[A]", "class"), resource("Class[B]", "class", require="Class[A]")]
    rows += [resource("Class[C]", "class", require="Class[B]")]
    rows += [resource(ref) for ref in refs]
    graph = graph_of(rows, {ref: f"Class[{'ABC'[i % 3]}]" for i, ref in enumerate(refs)})
    shown = Shown(tmp_path, graph)
    shown.assert_clean()
    assert (shown.status["scene"], shown.status["nodes"]) == ("classes", "3")
    (tmp_path / "again").mkdir()
    inside = Shown(tmp_path / "again", graph, "#ref=" + quote("Notify[7]"))
    assert (inside.status["scene"], inside.status["selected"]) == ("class", "Notify[7]")


def test_the_selection_is_in_the_middle_of_all(tmp_path: Path) -> None:
    refs = [f"Notify[n{i}]" for i in range(5_000)]
    rows = [resource(f"Class[C{i}]", "class") for i in range(20)]
    rows += [resource(ref, require=refs[i - 100]) for i, ref in enumerate(refs)]
    graph = graph_of(rows, {ref: f"Class[C{i % 20}]" for i, ref in enumerate(refs)})
    steps = """
      const box = document.getElementById("search");
      box.value = "n4321"; box.dispatchEvent(new Event("input")); key("Enter", box); see();
      const button = [...document.querySelectorAll("#panel button")]
        .find((one) => one.textContent === "Show among all");
      button.click(); see();
      await wait(300);
      key("Escape"); click(...middle()); see();
    """
    seen = played(tmp_path, graph, "", steps)
    ref = "Notify[n4321]"
    assert seen == [["class", ref], ["all", ref], ["all", ref]]


def test_what_is_not_printable_is_shown_in_escapes(tmp_path: Path) -> None:
    ref = "Notify[\x1b]0;P\x07\x9b\u202e]"
    page = Shown(tmp_path, graph_of([resource(ref)]), "#ref=" + quote(shown(ref)))
    page.assert_clean()
    assert page.status["selected"] == shown(ref)
    assert not set("\x1b\x07\x9b\u202e") & set(page.text)
