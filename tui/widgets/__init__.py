"""The widgets: each draws only those lines of pieces that are in view. Read `rows` first.

`painting` draws pieces in their styles, `rows` is the list that `tree` and `source_rows` extend,
`neighbourhood` the graph, `timebar` the timeline; `detail` and `cycle_pane` combine several.
`bars`, `panel` and `prompt` are at the edges of every screen.
"""
