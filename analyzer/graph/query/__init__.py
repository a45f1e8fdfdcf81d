"""The query language, which selects resources or edges of a graph."""
