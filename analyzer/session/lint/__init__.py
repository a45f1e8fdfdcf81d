"""Checks manifests, catalogs and policies with the rules of the lint, and tests fixes."""
