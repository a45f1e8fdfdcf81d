"""The process that compiles: jobs come, findings go."""

from __future__ import annotations

import os
from multiprocessing.connection import Connection

from analyzer.diagnostics import Finding, InputError, words_of
from analyzer.lsp.state.pictures import Picture

# What is sent for a job: its number, the findings, the catalogs, and what went wrong.
Answer = tuple[int, list[Finding], list[Picture], str]


def serve(pipe: Connection) -> None:
    """Answer jobs until the other end is closed; what is printed goes nowhere.

    A search of worlds ends without an answer when anything else comes, were it only None.
    """
    from analyzer.lsp.checks.compiling import compile_job
    from analyzer.lsp.checks.worlds import Interrupted, explore_job

    be_quiet()
    while True:
        try:
            number, job = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            if job is None:
                continue
            if job.worlds:
                answer: Answer = number, explore_job(job, pipe.poll), [], ""
            else:
                answer = number, *compile_job(job), ""
        except Interrupted:
            continue
        except InputError as error:
            answer = number, [*error.findings], [], ""
        except Exception as error:
            answer = number, [], [], words_of(error)
        try:
            pipe.send(answer)
        except OSError:
            return


def be_quiet() -> None:
    """Read and write nothing where the server speaks with the editor."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1):
        os.dup2(nowhere, number)
