"""What a run does to a machine: a pure engine over events, and providers that touch a host."""
