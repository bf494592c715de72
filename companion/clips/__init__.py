"""companion.clips"""
