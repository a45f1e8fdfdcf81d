"""The compiler against catalogs that real Puppet made."""
