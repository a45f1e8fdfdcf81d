"""Catalogs compared."""
