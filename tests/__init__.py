"""The tests of catgraph, by behaviour."""
