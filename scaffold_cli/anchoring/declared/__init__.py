"""Protections that are declared rather than programmed: in files of deployment, build, CI, templates and settings."""
