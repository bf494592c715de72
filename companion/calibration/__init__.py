"""Setting up: which camera, where the table is, who sits where; kept by camera and place and offered again."""
