"""Values that resource types refuse before anything is applied (validate and munge).

`refused_values` is the entry: it looks at a catalog's resources by the tables in `core` (types of
Puppet itself) and `modules` (types of its core modules). A row names a parameter and a check of
`checks`; `ruby` words what Ruby says where Puppet does not look at a value first.
"""
