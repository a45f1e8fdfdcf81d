"""Services, by the system that starts them."""
