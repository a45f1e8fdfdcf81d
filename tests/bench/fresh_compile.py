"""Compiles many resources in a process of its own; prints what that took, as JSON."""

from __future__ import annotations

import gc
from time import process_time

from .compiler import RESOURCES, compiled, program
from .fresh import peak_memory

gc.disable()
start = process_time()
compiler = compiled(program(RESOURCES))
spent = process_time() - start
print(f'{{"cpu": {spent}, "memory": {peak_memory()}, "cycles": 0}}')
