"""What a reviewer who knows the whole relationship graph would say about a change."""
