"""The names for the editor come from the jail's own program, and every one can be shown."""

from app.sandbox.offered_names import offered_names


def test_names_are_listed_with_how_they_are_called_and_what_they_do() -> None:
    names = {(each["module"], each["name"]): each for each in offered_names()}
    einsum = names["numpy", "einsum"]
    assert einsum["signature"].startswith("(subscripts, *operands")
    assert einsum["kind"] == "function"
    assert einsum["doc"]
    assert ("", "open") not in names
    assert ("numpy", "load") not in names


def test_every_name_is_text_and_bounded() -> None:
    for each in offered_names():
        assert set(each) == {"module", "name", "signature", "kind", "doc"}
        assert max(map(len, each.values())) <= 300
