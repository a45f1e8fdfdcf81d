"""Classes, defines, functions and types that a compile can find by name."""
