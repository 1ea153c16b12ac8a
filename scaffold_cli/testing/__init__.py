"""Run a test command and read its outcomes."""
