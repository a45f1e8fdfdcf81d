"""Real runs: what they leave, and what is left when something goes wrong."""
