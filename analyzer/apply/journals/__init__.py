"""Journals: runs written down as they happen (`recorder`, `journal`), and read (`recordings`).

`event_rows` turns events into data and back; `state_folder` is where real runs keep them.
"""
