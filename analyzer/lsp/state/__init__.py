"""The state of the server: open documents, files on disk, and a snapshot of both for features.

`positions` converts the editor's positions to offsets, `document` is an open text with its edits,
`places` finds modules, and `workspace` holds everything and makes the `snapshot` for features.
"""
