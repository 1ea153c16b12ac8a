"""Rewrites of real code whose effect is known: some keep every behaviour, some take one protection away."""
