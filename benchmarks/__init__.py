"""Measurements: each module is a command that writes a results file naming that command."""
