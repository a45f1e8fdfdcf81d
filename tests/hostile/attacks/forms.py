"""The files of an attack: an environment, and texts that repeat or are nested."""

from __future__ import annotations

Files = dict[str, str]
SITE = "manifests/site.pp"
MANY = "Integer[1, 1000000000000]"


def site(code: str, **files: str) -> Files:
    """Return an environment whose manifest has some code; the names of files have `/`."""
    return {SITE: code, **files}


def module(code: str, name: str = "manifests/init.pp", **files: str) -> Files:
    """Return an environment with a module `m` of one file, whose class is included."""
    return {SITE: "include m\n", f"modules/m/{name}": code, **files}


def data(text: str, code: str = "notify { String(lookup('a')).length: }", tail: str = "") -> Files:
    """Return an environment whose data are a text, and code that looks up `a`."""
    hiera = "version: 5\nhierarchy: [{name: a, path: a.yaml}]\n"
    return {SITE: code, "hiera.yaml": hiera, "data/a.yaml": text + tail}


def times(count: int, step: str, head: str, tail: str = "") -> str:
    """Return lines that each are made of the number before and their own number."""
    rows = (step.format(number, number + 1) for number in range(count))
    return f"{head}\n" + "".join(f"{row}\n" for row in rows) + tail


def nest(count: int, head: str, heart: str, tail: str) -> str:
    """Return something nested."""
    return "".join(head.replace("#", str(n)) for n in range(count)) + heart + tail * count
