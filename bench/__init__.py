"""The figures behind "instant": `make bench`, or `python -m bench NAME… --json`."""
