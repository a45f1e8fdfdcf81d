"""Installing modules: a Forge on this machine, repositories of git, and what is wrong with them."""
