"""Test integrity: what a change does to the tests themselves, seen without running anything."""
