"""The names a program finds: its globals and guards, and the modules it may import, each frozen."""
