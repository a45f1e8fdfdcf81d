"""What each file declares and uses, with places: found in tokens, so half-written code has it too.

`facts` are the values, `tokens` lexes whatever is written, `manifest`, `data` and `ruby` find the
facts of a text. `workspace_index` merges those of all files, and `store` keeps them on disk.
"""
