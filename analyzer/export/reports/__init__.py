"""Findings in formats for programs and reviews: `formats` is the table, each format has a file.

Files that begin with `cycles_` write the findings of `catgraph cycles`, those that begin with
`lint_` the findings of `catgraph lint`; the other formats serve both.
"""
