"""Reflection as a control loop.

What a model is asked, how its answers are read, and what is learned from rejections.
"""
