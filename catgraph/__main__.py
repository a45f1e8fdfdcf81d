"""`python -m catgraph` and the command `catgraph`."""

import sys

from analyzer.cli import main

if __name__ == "__main__":
    sys.exit(main())
