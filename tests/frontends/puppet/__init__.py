"""The Puppet front end against real Puppet: trees, errors, every manifest of the modules."""
