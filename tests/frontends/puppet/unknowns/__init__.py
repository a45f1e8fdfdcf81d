"""Nothing that is Unknown ends an evaluation in an error of our own."""
