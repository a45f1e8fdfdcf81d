"""declared."""
