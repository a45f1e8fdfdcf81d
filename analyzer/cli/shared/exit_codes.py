"""Exit codes: 0 clean, 1 findings, 2 usage or unreadable input, 3 not compiled, or too much unknown
to call it clean.
"""

from __future__ import annotations

CLEAN, FINDINGS, USAGE, CANNOT_COMPILE = range(4)
BROKEN_PIPE, INTERRUPTED = 141, 130
