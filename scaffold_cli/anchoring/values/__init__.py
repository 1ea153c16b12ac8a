"""Values: what became of the expressions of a unit between its two versions."""
