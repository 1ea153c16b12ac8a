"""Front-ends: source text to one neutral outline, a file per language."""
