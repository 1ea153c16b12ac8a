"""The doors: each way a change comes in, ending in two trees."""
