"""The SAST layer's parts: scanner adapter, fingerprints, delta, suppressions."""
