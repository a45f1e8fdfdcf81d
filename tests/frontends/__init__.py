"""Readers of catalogs."""
