"""Equal programs: by text, or but for names and layout; everything published is left out."""

from __future__ import annotations

from app.classroom.similar import Group, Sent, fingerprint, similar, without_words
from app.model import Slug, SubmissionId
from app.model.classes import EnrolmentId

ONE = "def softmax(x):\n    top = x.max(axis=-1, keepdims=True)\n    return np.exp(x - top)\n"
RENAMED = (
    '"""Mine."""\n'
    "def softmax(scores):\n"
    "  # the largest first\n"
    "  largest = scores.max( axis=-1, keepdims=True )\n"
    "\n"
    "  return np.exp(scores - largest)\n"
)
OTHER = ONE.replace("exp", "sin")


def sent(name: str, who: str, source: str, **of: object) -> Sent:
    made = {"accepted": False, "named": False, "exercise": Slug("softmax"), **of}
    return Sent(EnrolmentId(who), submission=SubmissionId(name), source=source, **made)  # type: ignore[arg-type]


def found(*programs: Sent, learners: int = 30, known: tuple[str, ...] = ()) -> tuple[Group, ...]:
    return similar(programs, known, learners)


def test_names_comments_and_layout_make_no_program() -> None:
    assert fingerprint(ONE)[0] == fingerprint(RENAMED)[0]
    assert fingerprint("x = 1.0 + 10")[0] == fingerprint("y = 1. + 1e1")[0]


def test_another_function_makes_another_program() -> None:
    assert fingerprint(ONE)[0] != fingerprint(OTHER)[0]
    assert fingerprint("a - b")[0] == fingerprint("c - d")[0]
    assert fingerprint("a - a")[0] != fingerprint("a - b")[0]


def test_the_same_text_of_two_is_shown_in_any_class() -> None:
    (group,) = found(sent("1", "ann", ONE), sent("2", "ben", ONE), learners=2)
    assert (group.kind, [one.enrolment for one in group.sent]) == ("text", ["ann", "ben"])
    assert group.tokens == fingerprint(ONE)[1] > 20


def test_the_same_program_is_shown_only_among_twenty() -> None:
    programs = (sent("1", "ann", ONE), sent("2", "ben", RENAMED))
    assert found(*programs, learners=19) == ()
    assert [group.kind for group in found(*programs, learners=20)] == ["program"]


def test_what_many_write_is_the_way_to_write_it() -> None:
    people = [sent(str(n), f"p{n}", ONE.replace("top", f"top{n}")) for n in range(4)]
    assert found(*people) == ()
    assert len(found(*people[:3])) == 1


def test_who_sends_their_own_again_is_alike_nobody() -> None:
    assert found(sent("1", "ann", ONE), sent("2", "ann", ONE)) == ()


def test_published_programs_are_left_out() -> None:
    programs = (sent("1", "ann", ONE), sent("2", "ben", ONE))
    assert found(*programs, known=(fingerprint(RENAMED)[0],)) == ()


def test_pairs_that_recur_come_first_then_what_is_wrong_in_no_known_way() -> None:
    programs = (
        sent("1", "ann", ONE, accepted=True),
        sent("2", "ben", ONE, accepted=True),
        sent("3", "ann", OTHER, exercise=Slug("norm"), accepted=True),
        sent("4", "ben", OTHER, exercise=Slug("norm"), accepted=True),
        sent("5", "cleo", ONE + "x = 1\n"),
        sent("6", "dee", ONE + "x = 1\n"),
        sent("7", "eve", ONE + "y = 1; z = 2\n", named=True),
        sent("8", "fay", ONE + "y = 1; z = 2\n", named=True),
    )
    groups = found(*programs)
    assert [group.recurs for group in groups] == [2, 2, 1, 1]
    assert [group.wrong for group in groups] == [False, False, True, False]


def test_any_text_can_be_compared() -> None:
    for source in ("", "\x00", "def (", "\ud800", "'" * 1000):
        assert len(fingerprint(source)[0]) == 64


def test_an_example_holds_no_comment_and_no_text() -> None:
    source = "def f(x):  # Ann Lee\n    '''by Ann'''\n\n    name = f'Ann {x}'\n    return x\n"
    assert without_words(source) == 'def f(x):\n    ""\n    name = f""\n    return x\n'
