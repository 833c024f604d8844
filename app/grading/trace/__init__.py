"""Where a call first leaves the right way, from the recording of its lines; and labelled cells."""
