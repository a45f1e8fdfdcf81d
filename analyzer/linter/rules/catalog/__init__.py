"""Rules about the resources and statements of a compiled catalog."""
