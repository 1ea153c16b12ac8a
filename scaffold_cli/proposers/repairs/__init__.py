"""Small safe repairs of Python source: one file each, with examples that are run as tests."""
