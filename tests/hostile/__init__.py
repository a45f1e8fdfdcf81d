"""Documents that nobody's Puppet would write, through every command."""
