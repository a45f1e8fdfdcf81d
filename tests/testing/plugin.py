"""How the tests load the pytest plugin, which an installed catgraph brings by itself."""

from importlib.metadata import entry_points

NAME = "catgraph.analyzer.testing.pytest_plugin"
INSTALLED = any(one.value == NAME for one in entry_points(group="pytest11"))

# The arguments that load it where catgraph was installed before it had the plugin.
PLUGIN = () if INSTALLED else ("-p", NAME)
