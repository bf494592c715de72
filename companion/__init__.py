"""Companion for the card game Cheating Moth: rules, table watching, and the Guard's review."""
