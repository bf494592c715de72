"""Train the seat net on rendered footage: not part of the wheel, needs torch and a virtual environment of its own."""
