"""Functions in Ruby that are evaluated without Ruby."""
