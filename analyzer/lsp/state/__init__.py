"""The state of the server: what is open, what is on disk, and a picture of both for features.

`positions` turns the editor's places into offsets, `document` is an open text with its edits,
`places` finds modules, `workspace` holds all and makes a `snapshot`, which features ask.
"""
