"""Which Python a program may be written in: bytes become a code object, or problems in words."""
