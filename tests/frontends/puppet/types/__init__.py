"""The type system against what Puppet says of types."""
