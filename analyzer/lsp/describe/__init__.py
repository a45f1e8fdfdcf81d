"""Descriptions of names in Markdown, for hover.

`definitions` takes them from files, `catalogs` from the last compile. `values` has the values of
variables, facts and keys of data.
"""
