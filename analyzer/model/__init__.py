"""Puppet's nouns as plain values: references, resources, catalogs, relationships."""
