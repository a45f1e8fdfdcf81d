"""Limits of time and memory for work on what nobody may have reviewed yet."""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from math import inf
from time import monotonic, process_time
from types import FrameType, TracebackType
from typing import Any

from analyzer.model.room import Room, memory_message

# Seconds from one look to the next.
TICK = 0.25
# Part of the memory that is left when a look should end a compile: without any, all may fail.
RESERVE = 4
# The errors of Python without memory; its own code forgets to set one now and then.
NO_MEMORY = (MemoryError, SystemError)
# Seconds that may pass for each second of CPU time: other programs need the machine, too.
PATIENCE = 4

# New objects that are worth a collection of garbage: some 50 MB.
MANY_OBJECTS = 500_000

# Finds what was being done: in frames, the innermost first.
Locate = Callable[[Iterable[FrameType]], Any]


class TooMuch(BaseException):
    """Ends work that takes too long or too much; no rule of a language rescues from it.

    `place` is what was being done, if that can be located.
    """

    def __init__(self, message: str, place: Any) -> None:
        super().__init__(message)
        self.message = message
        self.place = place


def collect_garbage() -> None:
    """Collect what earlier compiles left, if it is much.

    They have reference cycles, and commands run without the garbage collector.
    """
    if gc.get_count()[0] > MANY_OBJECTS:
        gc.collect(1)


def spent() -> float:
    """Return the CPU seconds of this process so far."""
    return process_time()


@contextmanager
def limited(seconds: float, memory: int, locate: Locate = lambda _: None) -> Iterator[None]:
    """End what is done within if it takes more CPU time or bytes of memory; 0 is without limit.

    A timer looks now and then, so that nothing is paid for it on the way; a single value that is
    larger than all of it is not made (MemoryError). Only the main thread of a process can be
    interrupted so, and only where there are such timers; elsewhere only what is asked for at once
    has a limit (`check_room`).
    """
    if Room.exceeded:
        # Commands run without the garbage collector, and a compile has reference cycles.
        Room.exceeded = False
        gc.collect()
    before, allowed = Room.most, memory and min(memory, of_machine() // 2)
    Room.most = allowed or sys.maxsize
    try:
        with watched(seconds, allowed, locate) if can_watch() else nullcontext():
            yield
    except TooMuch:
        Room.exceeded = True
        raise
    except NO_MEMORY as error:
        Room.exceeded = True
        place = locate(frames_of_trace(error.__traceback__))
        error.__traceback__ = None
        raise TooMuch(memory_message(Room.most), place) from None
    finally:
        Room.most = before


def can_watch() -> bool:
    """Return whether a timer can interrupt this thread."""
    return threading.current_thread() is threading.main_thread() and hasattr(signal, "setitimer")


@contextmanager
def watched(seconds: float, allowed: int, locate: Locate) -> Iterator[None]:
    """Look at the clock and at the memory now and then."""
    from resource import RLIMIT_AS, getrlimit, setrlimit

    end = process_time() + seconds if seconds else inf
    late = monotonic() + PATIENCE * seconds if seconds else inf
    most = resident() + allowed if allowed else inf

    def look(number: int, frame: FrameType | None) -> None:
        if process_time() > end or monotonic() > late:
            message = f"this takes longer than {seconds:g} seconds (--time-limit N)"
        elif resident() > most:
            message = memory_message(allowed)
        else:
            return
        # What was begun is put in order first; an error in a finalizer is not passed on.
        signal.setitimer(signal.ITIMER_REAL, 4 * TICK, TICK)
        raise TooMuch(message, locate(frames_above(frame)))

    soft, hard = before = getrlimit(RLIMIT_AS)
    if allowed and (addressed := memory_of(0)):
        setrlimit(RLIMIT_AS, (lower(soft, hard, addressed + allowed + allowed // RESERVE), hard))
    handler = signal.signal(signal.SIGALRM, look)
    timer = signal.setitimer(signal.ITIMER_REAL, TICK, TICK)
    try:
        yield
    finally:
        # No look may end this, and without memory nothing else can be done.
        end = late = most = inf
        setrlimit(RLIMIT_AS, before)
        signal.setitimer(signal.ITIMER_REAL, *timer)
        signal.signal(signal.SIGALRM, signal.SIG_DFL if handler is None else handler)


def lower(*limits: int) -> int:
    """Return the lowest of some limits, one of which may be none."""
    return min(limit for limit in limits if limit >= 0)


def of_machine() -> int:
    """Return the bytes of memory that the machine has, or the group of processes may have."""
    found = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    try:
        with open("/sys/fs/cgroup/memory.max", "rb", buffering=0) as file:
            return min(found, int(file.read()))
    except (OSError, ValueError):
        return found


def resident() -> int:
    """Return the bytes of memory that the process has, 0 where that is not told."""
    return memory_of(1)


def memory_of(column: int) -> int:
    """Return a figure of the process's memory: 0 is what it addresses, 1 what it has."""
    try:
        with open("/proc/self/statm", "rb", buffering=0) as file:
            return int(file.read().split()[column]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0


def frames_above(frame: FrameType | None) -> Iterator[FrameType]:
    """Yield a frame and its callers."""
    while frame is not None:
        yield frame
        frame = frame.f_back


def frames_of_trace(trace: TracebackType | None) -> list[FrameType]:
    """Return the frames of an error, the innermost first."""
    frames = []
    while trace is not None:
        frames.append(trace.tb_frame)
        trace = trace.tb_next
    return frames[::-1]
