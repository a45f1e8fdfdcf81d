"""Finds resources that fail on a new machine if another resource comes later.

They are related only by a name. Each finder yields a resource, another one that fails without it or
works on something else, and the thing that the first one provides.
"""
