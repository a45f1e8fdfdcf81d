"""Serve the relationship graph to editors by the Language Server Protocol."""
