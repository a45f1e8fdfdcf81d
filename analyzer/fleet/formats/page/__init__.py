"""The page of a fleet: template, style and script."""
