"""automatic."""
