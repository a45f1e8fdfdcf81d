"""Converts tests of rspec-puppet to pytest; what cannot be converted stays as a comment."""
