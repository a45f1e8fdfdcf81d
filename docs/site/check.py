"""Checks a built site: every link and anchor leads somewhere, and nothing comes from elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

# Attributes whose value a browser fetches by itself.
FETCHED = {
    ("script", "src"),
    ("img", "src"),
    ("link", "href"),
    ("iframe", "src"),
    ("source", "src"),
}
# Links that only name an address.
NAMED = ("canonical", "edit", "alternate", "prev", "next")


class Page(HTMLParser):
    """The links and the anchors of a page, and what it fetches."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.fetched: list[str] = []
        self.anchors: set[str] = {""}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the attributes of an element."""
        values = {name: value or "" for name, value in attrs}
        self.anchors.add(values.get("id", ""))
        if tag == "a":
            self.anchors.add(values.get("name", ""))
            self.links.append(values.get("href", ""))
        for name, value in values.items():
            if (tag, name) in FETCHED and values.get("rel") not in NAMED:
                self.fetched.append(value)


def problems(folder: Path) -> Iterator[str]:
    """Yield what is wrong with a site."""
    pages = {path: Page(path.read_text("utf-8")) for path in sorted(folder.rglob("*.html"))}
    for path, page in pages.items():
        name = path.relative_to(folder)
        for address in (*page.links, *page.fetched):
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                if address in page.fetched and parts.scheme != "data":
                    yield f"{name}: fetches {address}"
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if target.is_dir():
                target /= "index.html"
            if parts.path.startswith("/") or not target.is_file():
                # Material's page for errors is served at any address.
                if name.name != "404.html":
                    yield f"{name}: {address} leads nowhere"
            elif target in pages and unquote(parts.fragment) not in pages[target].anchors:
                yield f"{name}: {address} has no such anchor"
