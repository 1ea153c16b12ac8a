"""Verdicts and ledgers as text, JSON and SARIF."""
