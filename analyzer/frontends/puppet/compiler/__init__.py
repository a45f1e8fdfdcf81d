"""From programs, facts and data to a catalog (Puppet::Parser::Compiler)."""
