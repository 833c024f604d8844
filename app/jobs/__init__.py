"""The line of jobs: who is graded next, and in which lane."""
