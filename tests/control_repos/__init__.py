"""Nodes of the sample control repos, as real Puppet compiles them."""
