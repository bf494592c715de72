"""Turns camera frames into events at seats of a table; knows nothing of the game."""
