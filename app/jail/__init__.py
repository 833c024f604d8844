"""The untrusted side of the wall: a program of its own that runs what learners write."""
