"""The rules of a class: pure functions over the nouns of `model/classes.py`.

No clock, no file, no database: what time it is and what was stored comes in as arguments, so that a
grade can be worked out again at any time and always comes out the same.
"""
