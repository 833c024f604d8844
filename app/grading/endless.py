"""The loop that takes too long: one that cannot end, read off the source, or one seen at work.

Of the first kind only what is certain is told: a `while` whose condition is made of constants and
plain names, none of which its body assigns, passes on or changes, with no `break`, `return` or
`raise` in it.
"""

from __future__ import annotations

import ast
import warnings
from dataclasses import dataclass, replace

from app.grading.sentences.phrases import listed, seconds
from app.model import Limits, Report, ShapeTrace, TestResult, Verdict

_LEAVES = (ast.Break, ast.Return, ast.Raise, ast.Yield, ast.YieldFrom, ast.Assert)
_PLAIN = (ast.Name, ast.Constant, ast.Compare, ast.BoolOp, ast.UnaryOp, ast.BinOp)
_SIGNS = (ast.cmpop, ast.boolop, ast.unaryop, ast.operator, ast.expr_context)


@dataclass(frozen=True)
class EndlessLoop:
    """Where it stands, and the names in its condition; none where the condition is a constant."""

    line: int
    names: tuple[str, ...]

    def why(self) -> str:
        """Why it never ends, as a sentence."""
        if not self.names:
            return "This loop never ends: there is no break or return in it."
        names = listed([f"`{name}`" for name in self.names], "or")
        return f"This loop never ends: nothing in it changes {names}."


def endless_loop(source: bytes) -> EndlessLoop | None:
    """The one loop of a source that cannot end; None where there is none, or more than one.

    >>> endless_loop(b"h = 0\\nwhile h < 4:\\n    x = 1")
    EndlessLoop(line=2, names=('h',))
    >>> endless_loop(b"h = 0\\nwhile h < 4:\\n    h += 1")
    """
    try:
        with warnings.catch_warnings(action="ignore"):
            tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    nodes = list(ast.walk(tree))
    if any(isinstance(node, (ast.Global, ast.Nonlocal)) for node in nodes):
        return None  # another function may change the names
    loops = [node for node in nodes if isinstance(node, ast.While)]
    found = [one for one in map(_endless, loops) if one is not None]
    return found[0] if len(found) == 1 else None


def _endless(loop: ast.While) -> EndlessLoop | None:
    condition = list(ast.walk(loop.test))
    if not all(isinstance(node, (*_PLAIN, *_SIGNS)) for node in condition):
        return None
    names = tuple(dict.fromkeys(node.id for node in condition if isinstance(node, ast.Name)))
    if not names and not (isinstance(loop.test, ast.Constant) and loop.test.value):
        return None
    inside = [node for statement in loop.body for node in ast.walk(statement)]
    if any(isinstance(node, _LEAVES) for node in inside) or _touches(inside, set(names)):
        return None
    return EndlessLoop(loop.lineno, names)


def _touches(inside: list[ast.AST], names: set[str]) -> bool:
    """Whether a body may change one of the names: by assigning it, or by handing it on."""
    for node in inside:
        if isinstance(node, ast.Name) and node.id in names and not isinstance(node.ctx, ast.Load):
            return True
        if isinstance(node, ast.Call) and names & _read(node):
            return True
        if isinstance(node, (ast.Subscript, ast.Attribute)) and names & _read(node.value):
            return True
    return False


def _read(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def at_line(test: TestResult, loop: EndlessLoop, limits: Limits) -> TestResult:
    """A test that took too long, told by the line of its loop."""
    if test.verdict is not Verdict.TIME_LIMIT:
        return test
    return replace(test, line=loop.line, message=still_running(loop, limits), help=loop.why())


def still_running(loop: EndlessLoop, limits: Limits) -> str:
    """ "Line 12 was still running after 2 s." """
    return f"Line {loop.line} was still running after {seconds(limits.cpu_s)}."


PASSES = 32
"""A loop that was seen to go round fewer times is not called slow."""


def slow_loop(source: bytes, seen: ShapeTrace) -> int | None:
    """The line of the innermost loop in which a traced call spent its time until it was ended.

    None where the trace was not cut for its time, or no line in a loop was run that often.
    """
    busiest = max(seen.lines, key=lambda line: line.passes, default=None)
    if not seen.cut or busiest is None or busiest.passes < PASSES:
        return None
    try:
        with warnings.catch_warnings(action="ignore"):
            nodes = list(ast.walk(ast.parse(source)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    loops = [node for node in nodes if isinstance(node, (ast.For, ast.While))]
    around = [n for n in loops if n.lineno <= busiest.line <= (n.end_lineno or n.lineno)]
    return max((node.lineno for node in around), default=None)


def with_slow_loop(report: Report, source: bytes, seen: ShapeTrace) -> Report:
    """The report with the line of the loop that its subject, which took too long, was seen in."""
    subject = next((test for test in report.tests if test.name == seen.case), None)
    if subject is None or subject.verdict is not Verdict.TIME_LIMIT or subject.line is not None:
        return report
    line = slow_loop(source, seen)
    if line is None:
        return report
    told = f"A second look found the time in the loop on line {line}. Could a single matmul do it?"
    test = replace(subject, line=line, help=told)
    tests = tuple(test if one is subject else one for one in report.tests)
    return replace(report, tests=tests, help=told if report.subject == seen.case else report.help)
