"""Programs that use modules which are declared and not installed."""
