"""docs/sentences.md holds every sentence there is, and is current."""

from __future__ import annotations

from tests.docs_sentences import COMMAND, DOCUMENT, document
from tests.sentences import programs, scripts, templates

PROGRAM = '''
"""The module."""
def told(count: "a number of things", name):
    """What it says."""
    log.warning("nobody reads this")
    if name == "never the same":
        raise ValueError("for our own eyes")
    first = f"Your {name} has {count.value} cells" + (" at least." if count else ".")
    return first, "exp sqrt log".split(), "one"
'''

PAGE = """
<h1 title="What it is">{{ page.title }}</h1>{# never seen #}
<p>You {% if passed %}passed{% else %}did not pass{% endif %} <b>all</b> {{ tests|count }}.</p>
<script>var unseen = "by nobody at all";</script>
<p>{{ "Compare both" if passed else "Show me" }} {% set x = "Not one word" %}</p>
"""

SCRIPT = r"""
// "No comment is read"
const address = /a "pattern" of text/;
say(`Line ${line} is ${left ? "left" : "gone"}.`, 'Don\'t stop');
find("[data-hint] .report p");
"""


def test_document_is_current() -> None:
    assert DOCUMENT.read_text() == document(), f"sentences changed; run: {COMMAND}"


def test_program_gives_what_a_reader_sees() -> None:
    assert list(programs.sentences(PROGRAM, raised=False)) == [
        "Your {name} has {value} cells{ at least. | .}",
    ]
    assert "for our own eyes" in programs.sentences(PROGRAM, raised=True)


def test_template_gives_texts_and_labels() -> None:
    assert list(templates.sentences(PAGE)) == [
        "What it is",
        "You passed / did not pass all {tests}.",
        "{Compare both | Show me}",
        "Not one word",
    ]


def test_script_gives_its_texts() -> None:
    assert list(scripts.sentences(SCRIPT)) == ["Line {line} is {left | gone}.", "Don't stop"]


def test_no_sentence_of_the_pages_the_jail_and_the_exercises_is_left_out() -> None:
    text = document()
    for sentence in (
        "No account, nothing to install.",  # a page
        "You can keep typing; {here}.",  # a script
        "Python spells it `elif`.",  # the policy
        "NumPy has no softmax: write it with np.exp, max and sum.",  # an explanation
        "There is no page at this address.",  # a refusal
        "**Always normalises the last axis** The last axis sums to 1",  # a mistake
        "##### A nudge",  # a hint
    ):
        assert sentence in text
