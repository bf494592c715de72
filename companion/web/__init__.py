"""companion.web"""
