"""cycles."""
