"""Expressions as Python closures: a tree is compiled once and evaluated in any number of scopes."""
