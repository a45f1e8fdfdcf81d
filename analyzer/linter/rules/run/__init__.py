"""Rules about how a run would go."""
