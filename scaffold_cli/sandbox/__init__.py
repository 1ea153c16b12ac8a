"""Give a candidate the user's tree without touching it."""
