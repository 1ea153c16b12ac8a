"""The facts every room speaks of: frozen dataclasses and enums that import nothing else of ours."""
