"""No policy at all, for the tests of the wall: the operating-system layers must hold alone.

Loaded only where the test harness asks for it; no setting, variable or command reaches it.
"""

from __future__ import annotations

import ast
import builtins
import importlib
import sys
from codecs import BOM_UTF8
from types import CodeType
from typing import Any

import numpy as np

from app.jail.execute import MODULE, Language, Write
from app.jail.policy import compile as policy

ATTACKERS_MODULES = (
    "asyncio atexit concurrent.futures ctypes ctypes.util encodings.idna faulthandler fcntl gc"
    " inspect io linecache mmap multiprocessing multiprocessing.shared_memory numpy.ctypeslib"
    " numpy.f2py numpy.ma numpy.testing pickle pty random re resource select shutil signal socket"
    " sqlite3 ssl string subprocess tempfile threading time traceback urllib.request weakref"
).split()
"""A locked child opens no file, so what an attack imports must be there before."""


def prepare() -> Language:
    """The language, with everything loaded that an attack may import."""
    for name in ATTACKERS_MODULES:
        importlib.import_module(name)
    return Language(_compile, _namespace)


def _compile(text: bytes, filename: str, rewrite: policy.Rewrite | None = None) -> policy.Compiled:
    code: CodeType | None = None
    problems: list[dict[str, Any]] = []
    try:
        program = ast.parse(text.removeprefix(BOM_UTF8).decode("utf-8", "surrogatepass"), filename)
        if rewrite is not None:
            rewrite(program)
        code = compile(program, filename, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError) as error:
        where = {
            "line": getattr(error, "lineno", None),
            "column": getattr(error, "offset", None),
            "end_column": None,
        }
        said = {"kind": "syntax", "message": str(error)[:500], "instead": ""}
        problems.append({**where, **said})
    return policy.Compiled(code, problems, [])


def _namespace(write: Write) -> dict[str, Any]:
    sys.stdout = _Printer(write)
    return {"__name__": MODULE, "__builtins__": builtins, "np": np}


class _Printer:
    """Stands in for sys.stdout where no guard does the printing."""

    def __init__(self, write: Write) -> None:
        self.write = write

    def flush(self) -> None:
        """Nothing is ever held back."""
