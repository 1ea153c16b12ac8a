"""One file per command: options in, a call into the rooms, a report out."""
