"""How fast the engine, the environment and an evaluation are, against what users would do otherwise."""
