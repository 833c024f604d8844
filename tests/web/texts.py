"""Authors' texts as the site makes them, their formulas set in this process: only our own ones."""

from __future__ import annotations

from app.web.html.markdown import Markdown
from tests.fakes import FakeSandbox

MARKDOWN = Markdown(FakeSandbox().typeset)
