"""From a text or a syntax tree to a type; `parse.py` is the entry, `make.py` is shared with it."""
