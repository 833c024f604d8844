"""Copies of a reference with one small change each, by which an author tests the tests."""
