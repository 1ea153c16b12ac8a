"""Reflection measured: 21 programs to complete, each with functional tests and an executed attack."""
