"""Runner, stop rules, ledger, metrics."""
