"""The relationship graph with provenance: built as Puppet builds it, and asked questions."""
