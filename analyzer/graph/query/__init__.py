"""The query language: which resources, or which edges, of a graph."""
