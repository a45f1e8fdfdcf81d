"""Finds what fails on a new machine if another resource comes later: by name, no relationship.

Each finder yields a resource, another one that fails without it or works on something else, and
the thing that the first one brings.
"""
