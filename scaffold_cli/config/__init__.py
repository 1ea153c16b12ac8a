"""Settings: their schema, where they come from, and how to explain them."""
