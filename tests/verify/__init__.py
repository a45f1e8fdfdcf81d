"""Tests of `catgraph verify`."""
