"""Names in Markdown, for hover: `definitions` by what files say, `catalogs` by the last compile.

`values` are those of variables, facts and keys of data.
"""
