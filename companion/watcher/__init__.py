"""companion.watcher"""
