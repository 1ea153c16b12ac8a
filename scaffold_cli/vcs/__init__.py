"""Git: read changes, snapshot, commit, refs."""
