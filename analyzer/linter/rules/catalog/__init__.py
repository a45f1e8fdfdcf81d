"""Rules about what a compile declares."""
