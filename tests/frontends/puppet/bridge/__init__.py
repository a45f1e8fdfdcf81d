"""The bridge to Ruby."""
