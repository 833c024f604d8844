"""The trusted side of the wall: has calls executed in a jail and reports what it saw."""
