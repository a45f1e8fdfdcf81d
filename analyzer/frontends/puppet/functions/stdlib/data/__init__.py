"""Functions of stdlib that read and write data formats and literals of other languages."""
