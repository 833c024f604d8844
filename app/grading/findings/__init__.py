"""What is true of a wrong array where no known mistake fits."""
