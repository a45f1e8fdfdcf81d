"""Resources while they are declared, and the Compilation that holds them."""
