"""Decides when to make diagnostics: of a text soon, of its catalogs after a longer pause."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import replace

from lsprotocol import types

from analyzer.diagnostics import Finding
from analyzer.lsp.checks.moved import moved
from analyzer.lsp.checks.reach import MOST_OF_MANIFEST, CompiledPart, Job, job_for
from analyzer.lsp.checks.shown import diagnostics_of, same_file
from analyzer.lsp.checks.worker import BackgroundCompiles
from analyzer.lsp.languages.table import LANGUAGES
from analyzer.lsp.state.pictures import CatalogPicture
from analyzer.lsp.state.workspace import Workspace

# Seconds without a change: before the text is checked, and before it is compiled.
PAUSE, LONG_PAUSE = 0.01, 0.5

# The ends of the names of files that are compiled.
COMPILED = (".pp", ".cf")

Publish = Callable[[str, int | None, list[types.Diagnostic]], None]


class Publishing:
    """Makes the diagnostics of open documents, and publishes them.

    `compiled` has the findings of the last compile by path, each with the text that was compiled.
    `worlds` has those of the last search of worlds, and `earlier` those of nodes that will be
    compiled again. They stay until the next compile or search, and move with the lines.
    """

    def __init__(
        self,
        files: Workspace,
        publish: Publish,
        log: Callable[[str], None],
        refresh: Callable[[], None],
        working: Callable[[str], None],
    ) -> None:
        self.files = files
        self.publish = publish
        self.log = log
        self.refresh = refresh
        # Is called with a text about the compile, and with an empty text at its end.
        self.working = working
        self.worker = BackgroundCompiles(self.answered)
        self.compiled: dict[str, tuple[str, list[Finding]]] = {}
        self.worlds: dict[str, tuple[str, list[Finding]]] = {}
        self.earlier: dict[str, tuple[str, list[Finding]]] = {}
        # The messages that were logged about manifests with many nodes.
        self.told: set[str] = set()
        self.timers: dict[tuple[str, str], asyncio.TimerHandle] = {}

    def soon(self, path: str) -> None:
        """Check a document once it has not changed for a moment."""
        self.drop(path)
        if path.endswith(COMPILED) and self.files.options.get("compile", True):
            self.worker.warm()
        self.later("text", path, PAUSE, self.send)
        self.later("catalogs", path, LONG_PAUSE, self.compile_now)

    def drop(self, path: str) -> None:
        """End a compile or search whose result is out of date."""
        if self.worker.drop(path):
            self.working("")

    def later(self, what: str, path: str, pause: float, do: Callable[[str], None]) -> None:
        """Schedule an action on a document after a pause, in place of the one of the same kind."""
        known = self.timers.pop((what, path), None)
        if known is not None:
            known.cancel()
        loop = asyncio.get_running_loop()
        self.timers[what, path] = loop.call_later(pause, do, path)

    def now(self, path: str) -> list[types.Diagnostic]:
        """Return the current diagnostics of a document."""
        # Loading the rules would delay the start of the server.
        from analyzer.lsp.checks.languages import diagnostics
        from analyzer.lsp.checks.manifests import of_catalogs

        snapshot = self.files.snapshot
        found = diagnostics(snapshot, path)
        there: list[Finding] = []
        kept = (self.compiled, self.earlier, self.worlds)
        for text, findings in (one[path] for one in kept if path in one):
            later = moved(of_catalogs(findings), path, text, snapshot.text(path))
            known = {(one.code, one.span) for one in there}
            fresh = [one for one in later if (one.code, one.span) not in known]
            # Two catalogs may have the same finding.
            there += {(one.code, one.span, one.message): one for one in fresh}.values()
        return [*found, *diagnostics_of(snapshot, path, there)]

    def send(self, path: str) -> None:
        """Send the diagnostics of a document, if it is still open."""
        document = self.files.documents.get(path)
        if document is not None:
            self.publish(document.uri, document.version, self.now(path))

    def compile_now(self, path: str) -> None:
        """Compile the catalogs that a document belongs to, if it is complete and open."""
        from analyzer.lsp.checks.languages import is_compiled

        snapshot = self.files.snapshot
        document = snapshot.documents.get(path)
        if document is None or not document.is_saved or not is_compiled(snapshot, path):
            return
        if not self.files.options.get("compile", True):
            return
        job = job_for(snapshot, path)
        if job is not None:
            self.worker.submit(replace(job, line=self.files.lines.get(path, 0)))
            names = [name for _, classes in job.classes for name in classes]
            self.working(", ".join(names) or ("policy" if path.endswith(".cf") else "nodes"))

    def saved(self, path: str) -> None:
        """Compile a saved document at once, after the documents whose findings name it."""
        for other, (_, findings) in [*self.compiled.items()]:
            spans = [step.span for one in findings for step in one.steps]
            if other != path and any(span and same_file(span.file, path) for span in spans):
                self.compile_now(other)
        self.compile_now(path)

    def answered(
        self,
        job: Job,
        findings: list[Finding],
        pictures: list[CatalogPicture],
        part: CompiledPart,
        problem: str,
    ) -> None:
        """Receive the findings of a compile; drop those of a text that changed since."""
        self.working("")
        if problem:
            self.log(f"cannot compile for {job.path}: {problem}")
        document = self.files.documents.get(job.path)
        if document is None or document.text != job.overlay.get(job.path):
            return
        if job.worlds:
            self.worlds[job.path] = document.text, findings
            self.trace(replace(job, worlds=False))
        elif job.traced:
            self.files.add_traced(job.path, part.traced, part.of, further=bool(job.done))
            self.trace_further(job, part)
        else:
            self.take(job, document.text, findings, pictures)
            self.go_on(job, part)
        self.send(job.path)
        self.refresh()

    def take(
        self, job: Job, text: str, findings: list[Finding], pictures: list[CatalogPicture]
    ) -> None:
        """Store the findings of a compile, in addition to those of the nodes that are done."""
        snapshot = self.files.snapshot
        if job.done:
            findings = [*self.compiled.get(job.path, (text, []))[1], *findings]
            pictures = [*snapshot.pictures.get(job.path, ()), *pictures]
        else:
            self.earlier.pop(job.path, None)
            if job.path in self.compiled:
                self.earlier[job.path] = self.compiled[job.path]
        self.compiled[job.path] = text, findings
        self.files.set_pictures(job.path, pictures)
        self.files.set_fixes(job.path, [one for one in findings if one.fixes])

    def go_on(self, job: Job, part: CompiledPart) -> None:
        """Compile the next nodes of a manifest that has many, then search other worlds."""
        done = (*job.done, *part.nodes)
        if part.nodes and len(done) < min(part.of, MOST_OF_MANIFEST):
            text, earlier = self.earlier.get(job.path, ("", []))
            self.earlier[job.path] = text, [one for one in earlier if not is_of(one, done)]
            self.worker.submit(replace(job, done=done))
            self.working(f"{len(done)} of {part.of} nodes")
            return
        self.earlier.pop(job.path, None)
        if len(done) < part.of:
            self.tell(
                f"{job.path}: {len(done)} of its {part.of} nodes are compiled here, those nearest"
                " to where you edit; `catgraph lint` compiles all"
            )
        self.explore(replace(job, done=()))

    def tell(self, message: str) -> None:
        """Log a message once."""
        if message not in self.told:
            self.told.add(message)
            self.log(message)

    def explore(self, job: Job) -> None:
        """Search other worlds of the compiled catalogs, unless the user has disabled that."""
        if not job.path.endswith(".pp"):
            return
        if self.files.options.get("worlds", True):
            self.worker.submit(replace(job, worlds=True))
            self.working("other worlds")
        else:
            self.trace(job)

    def trace(self, job: Job) -> None:
        """Compile once more when there is nothing else to do, to know where values come from."""
        self.worker.submit(replace(job, traced=True))

    def trace_further(self, job: Job, part: CompiledPart) -> None:
        """Trace the next compiles that a file of data may reach, up to a limit."""
        done = (*job.done, *part.nodes)
        of_data = job.path.endswith(LANGUAGES["data"])
        if of_data and part.nodes and len(done) < min(part.of, MOST_OF_MANIFEST):
            self.worker.submit(replace(job, done=done))

    def all_open(self) -> None:
        """Check all open documents again."""
        for path in self.files.documents:
            self.soon(path)

    def forget(self, path: str) -> None:
        """Forget a closed document."""
        self.compiled.pop(path, None)
        self.worlds.pop(path, None)
        self.earlier.pop(path, None)
        self.drop(path)
        for what in ("text", "catalogs"):
            known = self.timers.pop((what, path), None)
            if known is not None:
                known.cancel()

    def stop(self) -> None:
        """End all background work."""
        self.worker.stop()


def is_of(finding: Finding, nodes: Iterable[str]) -> bool:
    """Return whether a finding is in the catalog of one of some nodes."""
    return any(f"({one})" in finding.input or f"({one}, " in finding.input for one in nodes)
