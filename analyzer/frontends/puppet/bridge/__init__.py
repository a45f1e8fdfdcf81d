"""Ruby templates and functions, evaluated by a helper process over an installed Puppet."""
