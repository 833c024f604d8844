"""The judge: pure functions from what was run to a report; no process, no clock, no file."""
