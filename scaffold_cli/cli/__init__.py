"""The typer app: one file per command; no logic."""
