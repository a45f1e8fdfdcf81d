"""The declarations and uses of each file, with places: from tokens, so also of half-written code.

`facts` has the values, `tokens` lexes unfinished text too, and `manifest`, `data` and `ruby` find
the facts of a text. `workspace_index` merges those of all files, and `store` keeps them on disk.
"""
