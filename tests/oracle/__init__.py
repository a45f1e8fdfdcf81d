"""Differential tests: what real Puppet does with a catalog is the truth."""
