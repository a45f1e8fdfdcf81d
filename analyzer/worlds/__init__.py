"""What was found of nodes and classes in the worlds that their code distinguishes."""
