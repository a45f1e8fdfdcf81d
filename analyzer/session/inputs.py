"""Reads catalogs and runs from files, and compiles manifests: every command begins here."""

from __future__ import annotations

import gc

from analyzer.frontends import catalog_json, json_document
from analyzer.graph.relationship_graph import RelationshipGraph, relate
from analyzer.model.catalog import recurses
from analyzer.reach import LINKED_OUT, leads_out, user_files
from analyzer.reading import NO_FILE, read_bytes, read_standard_input

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike
    from typing import Any, Literal

    from analyzer.apply.report.run import ReportedRun
    from analyzer.compiles.outcomes import Own, PathOutcome, Stored
    from analyzer.compiles.unreached import Share
    from analyzer.diagnostics import InputError
    from analyzer.frontends.puppet.node.environment import Settings
    from analyzer.frontends.puppet.node.modules import Module
    from analyzer.graph.automatic.rules import Rules
    from analyzer.model.catalog import Catalog

    # What an input is: a CFEngine policy, Puppet manifests to compile, or a file of data.
    Kind = Literal["policy", "manifests", "data"]

RUN_WORDS = (
    b"resource_statuses",
    b'"failed_deps"',
    b'"start_time"',
    b'{"catgraph_journal":',
)
MANIFEST, POLICY = ".pp", ".cf"
RUN_BEGINS = (b"---", b'{"catgraph_journal":')


def load_catalog(
    source: str | PathLike[str] | dict[str, Any],
    settings: Settings | None = None,
    data: bytes | None = None,
    kind: Kind | None = None,
) -> Catalog:
    """Read one catalog from a file or a parsed document; compile manifests.

    `kind` is the kind of the input, if the caller knows it already.

    Raises:
        InputError: the file cannot be read, is not a catalog, or holds several.
    """
    if isinstance(source, dict):
        return writable(catalog_json.from_document(source, "<dict>"))
    path = str(source)
    kind = kind or kind_of(path)
    with user_files():
        catalogs = load_catalogs(path, settings, data, kind=kind, one=True)
    if len(catalogs) > 1:
        raise several(path, catalogs, compiled=kind == "manifests")
    return writable(catalogs[0])


def several(path: str, catalogs: list[Catalog], *, compiled: bool) -> InputError:
    """Return the error for several catalogs where one was expected."""
    from analyzer.diagnostics import InputError
    from analyzer.source import Span

    message = f"the file holds {len(catalogs)} catalogs, but this takes only one"
    if compiled:
        names = ", ".join(catalog.name for catalog in catalogs[:5])
        message = f"there are {len(catalogs)} nodes ({names}); choose one with --node NAME"
    return InputError(message, Span(path), "bad-catalog")


def writable(catalog: Catalog) -> Catalog:
    """Return a catalog whose `to_json` writes the output of `catgraph compile`."""
    catalog.writer = to_json
    return catalog


def to_json(catalog: Catalog) -> str:
    """Return a catalog in the JSON that Puppet prints."""
    from analyzer.export.catalog_json import to_json

    return to_json(catalog)


def load_catalogs(
    path: str,
    settings: Settings | None = None,
    data: bytes | None = None,
    *,
    kind: Kind | None = None,
    one: bool = False,
) -> list[Catalog]:
    """Read all catalogs of a file (`-`: standard input), whose content decides its format.

    Manifests (`.pp`) and folders are compiled with `settings`. The run of a CFEngine policy (`.cf`,
    or a folder of such files) is simulated. `data` is the content of the file, and `kind` the kind
    of the input, if they are known already. `one` refuses several classes before they are compiled.

    The garbage collector is off meanwhile: it would scan every value of the document repeatedly and
    free nothing.

    Raises:
        InputError: the file cannot be read, or is not a catalog.
        CompileError: the manifests cannot be compiled.
    """
    kind = kind or kind_of(path)
    if kind == "manifests":
        return compile_manifests(path, settings, one=one).all()
    enabled = gc.isenabled()
    gc.disable()
    try:
        if kind == "policy":
            from analyzer.session.policies import policy_catalog

            return [policy_catalog(path)]
        if data is None:
            data = read_input(path)
        if is_dot(data):
            from analyzer.frontends import dot

            return [dot.load(data, path)]
        # Without a name here, the bytes are freed as soon as they are decoded.
        held, data = [data], None
        return json_catalogs(held.pop(), path)
    finally:
        if enabled:
            gc.enable()


def compile_manifests(
    path: str,
    settings: Settings | None = None,
    *,
    one: bool = False,
    shared: Share | None = None,
    own: Own | None = None,
    stored: Stored | None = None,
    beside: Module | None = None,
) -> PathOutcome:
    """Compile manifests; keep the catalogs of some nodes even if others fail.

    The garbage collector is off, as in `load_catalogs`. `shared`, `own`, `stored` and `beside` are
    those of `compile_path`.

    Raises:
        InputError: something cannot be read.
        CompileError: a manifest cannot be read or parsed.
    """
    from analyzer.compiles.outcomes import compile_path
    from analyzer.frontends.puppet.node.environment import Settings as Defaults

    enabled = gc.isenabled()
    gc.disable()
    try:
        return compile_path(
            path,
            settings or Defaults(),
            one=one,
            shared=shared,
            own=own,
            stored=stored,
            beside=beside,
        )
    finally:
        if enabled:
            gc.enable()


def json_catalogs(data: bytes, path: str) -> list[Catalog]:
    """Read the catalogs of a JSON document; refuse a run with a message of its own.

    Raises:
        InputError: it is not a catalog.
    """
    if data.startswith(RUN_BEGINS):
        refuse_run(data, path)
    text = json_document.decode(data, path)
    data = b""
    try:
        found = catalog_json.load(text, path)
    except Exception:
        if maybe_run(data := text.encode()):
            refuse_run(data, path)
        raise
    if not found[0].resources and maybe_run(data := text.encode()):
        refuse_run(data, path)
    return found


def read_input(path: str) -> bytes:
    """Return the bytes of a file or of standard input, gzip unpacked.

    Raises:
        InputError: it cannot be read or is empty.
    """
    try:
        if path != "-" and leads_out(path):
            json_document.reject(f"cannot be read: {LINKED_OUT}", path)
        data = read_standard_input() if path == "-" else read_bytes(path)
    except OSError as error:
        hint = "; '-' is standard input" if error.strerror == NO_FILE else ""
        json_document.reject(f"cannot be read: {error.strerror}{hint}", path)
    if data[:2] == b"\x1f\x8b":
        data = json_document.gunzip(data, path)
    if not data or data.isspace():
        json_document.reject("the file is empty", path)
    return data


def maybe_run(data: bytes) -> bool:
    """Return whether a file may hold a run: each run has one of these beginnings or words."""
    return data.startswith(RUN_BEGINS) or any(word in data for word in RUN_WORDS)


def refuse_run(data: bytes, path: str) -> None:
    """Refuse a run where a catalog was expected.

    Raises:
        InputError: it is one.
    """
    from analyzer.apply.report.runs import holds_run

    if holds_run(data, path):
        json_document.reject(
            "this is the report of a run, not a catalog; use 'catgraph order' or 'catgraph diff'",
            path,
        )


def load_run(path: str, data: bytes | None = None) -> ReportedRun:
    """Read a recorded or simulated run: a report of Puppet or PuppetDB, or simulated outcomes.

    Raises:
        InputError: the file cannot be read, or holds something else.
    """
    from analyzer.apply.report.runs import load
    from analyzer.diagnostics import InputError

    if data is None:
        try:
            data = read_input(path)
        except InputError as error:
            raise InputError(error.message, error.span, "bad-report") from None
    return load(data, path)


def kind_of(path: str) -> Kind:
    """Return the kind of an input, from the extension of a file or the names in a folder.

    A folder with policy files on top and no manifests is a policy.
    """
    import os

    if path.endswith((POLICY, MANIFEST)):
        return "policy" if path.endswith(POLICY) else "manifests"
    if not os.path.isdir(path):
        return "data"
    try:
        names = os.listdir(path)
    except OSError:
        return "manifests"
    found = any(name.endswith(POLICY) for name in names)
    if found and not any(name.endswith(MANIFEST) or name == "manifests" for name in names):
        return "policy"
    return "manifests"


def is_manifest(path: str) -> bool:
    """Return whether an input must be compiled: a manifest, or a folder that is not a policy."""
    return kind_of(path) == "manifests"


def is_policy(path: str) -> bool:
    """Return whether an input is a policy of CFEngine: a file, or a folder of policy files."""
    return kind_of(path) == "policy"


def is_dot(data: bytes) -> bool:
    """Return whether the text is a DOT graph, as Puppet's --graph writes."""
    return data[:64].lstrip()[:7] in (b"digraph", b"strict ")


def graph_of(catalog: Catalog, rules: Rules | None = None) -> RelationshipGraph:
    """Build the graph of a catalog; `rules` as `rules_for` returns them."""
    return relate(catalog, rules)


def whole(catalog: Catalog, path: str = "", modulepath: Sequence[str] = ()) -> Catalog:
    """Return a catalog with the files that folders get from modules; a run adds them itself.

    For a catalog that was not compiled here, `path` is its file and `modulepath` has the modules.
    """
    if recurses(catalog):
        from analyzer.apply.served import with_served

        with_served(catalog, path, modulepath)
    return catalog
