"""`python -m companion` is the command `cheating-moth`."""

from companion.cli import main

raise SystemExit(main())
