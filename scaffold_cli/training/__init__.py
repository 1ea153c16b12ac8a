"""Trajectory rewards (ReflexiCoder)."""
