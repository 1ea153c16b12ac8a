"""Where candidates come from: an interface and one file for each implementation."""
