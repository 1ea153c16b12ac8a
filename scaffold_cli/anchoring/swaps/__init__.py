"""Swaps of one line that leave a check where it is and take what it does: other operands, amounts, texts, names."""
