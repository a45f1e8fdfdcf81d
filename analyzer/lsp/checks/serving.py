"""The process that compiles: it receives jobs, and sends findings."""

from __future__ import annotations

import gc
import os
from multiprocessing import parent_process
from multiprocessing.connection import Connection
from threading import Thread

from analyzer.diagnostics import Finding, InputError, words_of
from analyzer.lsp.checks.reach import CompiledPart
from analyzer.lsp.state.pictures import CatalogPicture
from analyzer.lsp.state.turns import RARELY
from analyzer.reach import user_files

# The answer to a job: its number, the findings, the catalogs, the nodes of a manifest that were
# compiled, and the error.
Answer = tuple[int, list[Finding], list[CatalogPicture], CompiledPart, str]


def serve(pipe: Connection) -> None:
    """Answer jobs until the other end is closed; discard printed output.

    An idle job ends without an answer when anything else comes, even None.
    """
    from analyzer.lsp.checks.compiling import Interrupted, compile_job
    from analyzer.lsp.checks.tracing import trace_job
    from analyzer.lsp.checks.worlds import explore_job

    be_quiet()
    user_files().__enter__()
    while True:
        try:
            number, job = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            if job is None:
                continue
            if job.worlds:
                answer: Answer = number, explore_job(job, pipe.poll), [], CompiledPart(), ""
            elif job.traced:
                answer = number, [], [], trace_job(job, pipe.poll), ""
            else:
                answer = number, *compile_job(job, pipe.poll), ""
        except Interrupted:
            continue
        except InputError as error:
            answer = number, [*error.findings], [], CompiledPart(), ""
        except Exception as error:
            answer = number, [], [], CompiledPart(), words_of(error)
        try:
            pipe.send(answer)
        except OSError:
            return


def be_quiet() -> None:
    """Leave the streams between server and editor alone, and end with the server."""
    gc.set_threshold(*RARELY)
    Thread(target=end_with_parent, daemon=True).start()
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1):
        os.dup2(nowhere, number)


def end_with_parent() -> None:
    """Wait for the end of the server, which may be killed while something is compiled."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
