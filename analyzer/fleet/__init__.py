"""The same questions over all catalogs of a site: `catgraph fleet`.

A source (`sources/`, a file each) lists nodes and gives their catalogs. `work` is what a worker
does: a pure function from a source, some nodes and a question (`questions/`, a file each) to small
results. `engine` runs it on an Executor of `executors`, `store` keeps the results, `causes` puts
the findings of one cause together, `run` is the whole way, and `formats/` writes the answer.
"""
