"""The playground: a page with catgraph in it, for a browser."""
