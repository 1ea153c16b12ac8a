"""What people reported about tools of this kind, acted out with the real program."""
