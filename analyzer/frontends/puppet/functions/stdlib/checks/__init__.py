"""Functions of stdlib that check values: `is_*`, `validate_*`, addresses."""
