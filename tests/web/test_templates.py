"""The templates stay readable: a line fits on a screen, whatever is in it."""

from pathlib import Path

TEMPLATES = Path(__file__).resolve().parents[2] / "templates"
LONGEST = 140


def test_no_line_of_a_template_is_longer_than_140_characters() -> None:
    lines = [
        (f"{file.relative_to(TEMPLATES)}:{number}", len(line))
        for file in TEMPLATES.rglob("*.html")
        for number, line in enumerate(file.read_text().splitlines(), 1)
    ]
    assert len(lines) > 500
    assert [(where, length) for where, length in lines if length > LONGEST] == []
