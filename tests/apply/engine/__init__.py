"""The engine that simulates runs, against what real Puppet did."""
