"""Packages, by package manager."""
