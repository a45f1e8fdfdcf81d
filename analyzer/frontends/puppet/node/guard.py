"""A program that runs another one, and ends all that one has started when either of us has gone.

Run by its path, without anything of the package: `guard.py LIFELINE STATUS PROGRAM ARGUMENT...`.
LIFELINE is a pipe that ends when whoever wants the program has gone, even by SIGKILL; to STATUS
goes the number of the error if the program cannot be run. What the program leaves behind when it
forks and leaves its session becomes a child of this process (PR_SET_CHILD_SUBREAPER), and is
found in /proc.
"""

from __future__ import annotations

import os
import select
import signal
import sys
from contextlib import suppress
from ctypes import CDLL

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36

# Milliseconds between two looks for children that have ended.
PAUSE = 200
# How often children are looked for at the end: each may have made another one meanwhile.
ROUNDS = 500


def main(lifeline: int, status: int, command: list[str]) -> int:
    """Run the program to its end, or ours; return what `waitpid` says of it."""
    control(PR_SET_CHILD_SUBREAPER, 1)
    child = os.fork()
    if child == 0:
        run(status, command)
    os.close(status)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nowhere, number)
    ended = wait(child, lifeline)
    end(child)
    return ended


def run(status: int, command: list[str]) -> None:
    """Become the program, in a session of its own."""
    try:
        os.set_inheritable(status, False)
        os.setsid()
        control(PR_SET_PDEATHSIG, signal.SIGKILL)
        os.execvp(command[0], command)
    except OSError as error:
        os.write(status, str(error.errno).encode())
    finally:
        os._exit(127)


def control(option: int, value: int) -> None:
    """Ask the kernel for something about this process; another kernel than Linux has no prctl."""
    with suppress(AttributeError, OSError):
        CDLL(None).prctl(option, value, 0, 0, 0)


def wait(child: int, lifeline: int) -> int:
    """Wait until the program or the lifeline ends; the others that end meanwhile are forgotten."""
    poll = select.poll()
    poll.register(lifeline, select.POLLIN)
    with suppress(AttributeError, OSError):
        poll.register(os.pidfd_open(child), select.POLLIN)
    while True:
        gone = any(number == lifeline for number, _ in poll.poll(PAUSE))
        while (found := reaped()) is not None:
            if found[0] == child:
                return found[1]
        if gone:
            return 0


def reaped() -> tuple[int, int] | None:
    """Return a child that has ended, with what `waitpid` says of it; None if there is none."""
    with suppress(ChildProcessError):
        found = os.waitpid(-1, os.WNOHANG)
        return found if found[0] else None
    return None


def end(child: int) -> None:
    """End the program and all it has started, until nothing of it is left."""
    for _ in range(ROUNDS):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(child, signal.SIGKILL)
        below = descendants()
        for number in below:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(number, signal.SIGKILL)
        while reaped() is not None:
            pass
        if not below:
            return
        select.select([], [], [], 0.01)


def descendants() -> list[int]:
    """Return the processes below this one."""
    above: dict[int, int] = {}
    for name in filter(str.isdigit, os.listdir("/proc") if os.path.isdir("/proc") else ()):
        with suppress(OSError, ValueError), open(f"/proc/{name}/stat", "rb") as file:
            # The name of a program may hold anything, parentheses too.
            above[int(name)] = int(file.read().rpartition(b")")[2].split()[1])
    found = [os.getpid()]
    for parent in found:
        found += [number for number, of in above.items() if of == parent]
    return found[1:]


if __name__ == "__main__":
    code = main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
    if os.WIFSIGNALED(code):
        with suppress(OSError):
            signal.signal(os.WTERMSIG(code), signal.SIG_DFL)
        os.kill(os.getpid(), os.WTERMSIG(code))
    os._exit(os.waitstatus_to_exitcode(code))
