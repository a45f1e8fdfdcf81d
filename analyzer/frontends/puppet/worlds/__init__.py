"""The worlds that code distinguishes: what it asks of facts, variables, parameters and data."""
