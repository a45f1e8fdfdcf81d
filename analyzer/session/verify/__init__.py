"""Verification: the same nodes compiled by the real tool and by us, and what differs.

`tool` finds and asks the installed tool, `documents`, `refusals` and `graphs` compare its answers
with ours, `cases` compiles one case both ways, `shrink` and the modules beside it make a case that
differs small, and `report` joins them.
"""
