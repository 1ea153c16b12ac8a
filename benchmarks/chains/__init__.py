"""Many chains of the same tasks under each of the ways of gating the paper compares (SCAFFOLD-CEGIS)."""
