"""A recording of what each line of a call assigned."""
