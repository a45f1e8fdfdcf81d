"""How long catgraph takes, as ratios to Puppet, other libraries and itself."""
