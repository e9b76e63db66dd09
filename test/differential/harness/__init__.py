"""Compiles and runs random programs and compares what they print."""
