"""Every sentence a learner reads about a result, each kind in a file of its own."""
