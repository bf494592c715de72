"""companion.session"""
