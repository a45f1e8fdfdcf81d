"""Ruby's regular expressions: checked as Ruby checks them, and translated to Python's."""
