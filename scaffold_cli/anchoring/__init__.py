"""Mine, match and compare protections; load the catalogue."""
