"""companion.rules"""
