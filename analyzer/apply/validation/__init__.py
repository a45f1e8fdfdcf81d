"""Values that resource types refuse before anything is applied (validate and munge).

Read `refused_values` first: it looks at a catalog's resources by the tables in `file`, `exec`,
`accounts`, `others` and `modules`. A row names a parameter and its check, many of which are made
by `checks`; `ruby` words Ruby's own errors, which Puppet passes on.
"""
