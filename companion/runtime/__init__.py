"""Start and supervise: the web server, the watcher process, and what passes between it and the session."""
