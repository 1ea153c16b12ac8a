"""SARIF 2.1.0 as other scanners write it: reading, running such a scanner, comparing two of its reports."""
