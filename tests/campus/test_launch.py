"""Coming in from a course: what is believed, and what is refused in words with nothing kept."""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode
from collections.abc import Callable
from typing import Any

import jwt
import pytest
from starlette.testclient import TestClient

from app.campus.fetch import Fetched
from app.storage import registrations
from app.web.frames import COOKIE as SESSION
from tests.campus.conftest import Town
from tests.campus.platform import (
    CANVAS,
    CLAIM,
    MOODLE,
    TEMPERS,
    P,
    Platform,
    Temper,
    User,
    new_key,
)

Change = Callable[[dict[str, Any]], object]


def without(name: str) -> Change:
    return lambda said: said.pop(name)


def saying(name: str, value: object) -> Change:
    return lambda said: said.update({name: value})


def later(**seconds: int) -> Change:
    def change(said: dict[str, Any]) -> None:
        for name, by in seconds.items():
            said[name] += by

    return change


OF_THE_GUIDE: dict[str, Change] = {
    "version missing": without(CLAIM + "version"),
    "version wrong": saying(CLAIM + "version", "11.3"),
    "no LTI message": lambda said: [said.pop(n) for n in list(said) if n.startswith("https")],
    "claims missing": lambda said: said.clear(),
    "times long ago": lambda said: said.update(iat=11111, exp=22222),
    "message type missing": without(CLAIM + "message_type"),
    "roles missing": without(CLAIM + "roles"),
    "deployment missing": without(CLAIM + "deployment_id"),
    "resource link missing": without(CLAIM + "resource_link"),
    "sub missing": without("sub"),
}
OTHERS: dict[str, Change] = {
    "other issuer": saying("iss", "https://stranger.test"),
    "other audience": saying("aud", "somebody"),
    "two audiences without azp": saying("aud", ["client-1", "somebody"]),
    "azp of another": lambda said: said.update(aud=["client-1", "x"], azp="x"),
    "other nonce": saying("nonce", "another"),
    "no nonce": without("nonce"),
    "expired by 61 s": later(iat=-361, exp=-361),
    "iat an hour ahead": later(iat=3600, exp=3600),
    "iat is text": saying("iat", "now"),
    "iat is nan": saying("iat", float("nan")),
    "exp missing": without("exp"),
    "sub is a number": saying("sub", 7),
    "sub is empty": saying("sub", ""),
    "sub is long": saying("sub", "x" * 256),
    "roles are text": saying(CLAIM + "roles", "Instructor"),
    "other deployment than the login": saying(CLAIM + "deployment_id", "dep-2"),
    "target on another host": saying(CLAIM + "target_link_uri", "https://evil.test/lti/launch"),
    "target is no address": saying(CLAIM + "target_link_uri", "https://[1"),
    "link without id": saying(CLAIM + "resource_link", {}),
}


def unsigned(said: dict[str, Any]) -> str:
    """A token that says of itself that it needs no signature."""
    parts = ({"alg": "none", "kid": "key-1", "typ": "JWT"}, said)
    coded = (urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode() for part in parts)
    return ".".join((*coded, ""))


TOKENS: dict[str, Callable[[Platform, dict[str, Any]], str]] = {
    "no kid": lambda it, said: jwt.encode(said, it.key, algorithm="RS256"),
    "wrong kid": lambda it, said: it.sign(said, kid="imsstester_66067"),
    "wrong key": lambda it, said: it.sign(said, key=new_key()),
    "HS256": lambda it, said: it.sign(said, key="k" * 64, alg="HS256"),
    "alg none": lambda it, said: unsigned(said),
    "no token": lambda it, said: "no.token.at-all",
    "a letter": lambda it, said: "x",
    "very long": lambda it, said: it.sign({**said, "x": "y" * 70_000}),
    "a list": lambda it, said: it.sign(said)[:-9] + "AAAAAAAAA",
}


def rows(town: Town) -> list[str]:
    return town.dump("lti_states")


def rows_of_logins(town: Town) -> list[str]:
    return [line for line in town.dump() if line.startswith('INSERT INTO "lti_states"')]


@pytest.mark.parametrize("name", [*OF_THE_GUIDE, *OTHERS])
def test_a_message_that_is_off_is_refused_in_words_and_leaves_no_row(
    shared: tuple[Town, Platform], name: str
) -> None:
    town, platform = shared
    before = rows(town)
    answer = town.launch(platform, "1", change={**OF_THE_GUIDE, **OTHERS}[name])
    assert answer.status_code in (400, 401, 403), name
    assert SESSION not in answer.headers.get("set-cookie", "")
    assert answer.headers["x-request-id"] in answer.text
    assert "This link did not work." in answer.text
    assert rows(town) == before


@pytest.mark.parametrize("name", TOKENS)
def test_a_token_that_is_not_signed_as_it_should_be_is_refused(
    shared: tuple[Town, Platform], name: str
) -> None:
    town, platform = shared
    browser = town.browser()
    address = town.begin(browser, platform, "1", "link-1")
    form = platform.authorize(address)
    said = jwt.decode(form["id_token"], options={"verify_signature": False})
    before = rows(town)
    form["id_token"] = TOKENS[name](platform, said)
    answer = browser.post("/lti/launch", data=form)
    assert answer.status_code == 401
    assert SESSION not in answer.headers.get("set-cookie", "")
    assert answer.headers["x-request-id"] in answer.text
    assert rows(town) == before
    again = browser.post("/lti/launch", data=platform.authorize(address))
    assert again.status_code == 401, "the state was used up"


def test_a_launch_is_good_once(town: Town) -> None:
    platform, browser = town.platform(), town.browser()
    town.connected(platform)
    form = platform.authorize(town.begin(browser, platform, "1", "link-1"))
    assert browser.post("/lti/launch", data=form).status_code == 303
    before = town.dump()
    answer = browser.post("/lti/launch", data=form)
    assert answer.status_code == 401
    assert "used already" in answer.text
    assert town.dump() == before


def test_a_nonce_of_one_login_opens_no_other(town: Town) -> None:
    platform, browser = town.platform(), town.browser()
    first = platform.authorize(town.begin(browser, platform, "1", "link-1"))
    second = platform.authorize(town.begin(browser, platform, "1", "link-1"))
    answer = browser.post("/lti/launch", data={**second, "id_token": first["id_token"]})
    assert answer.status_code == 401
    assert "belongs to another login" in answer.text


def test_the_login_of_another_browser_opens_nothing_here(town: Town) -> None:
    platform, mine, theirs = town.platform(), town.browser(), town.browser()
    town.connected(platform)
    form = platform.authorize(town.begin(theirs, platform, "1", "link-1"))
    before = town.dump()
    answer = mine.post("/lti/launch", data=form)
    assert answer.status_code == 401
    assert "Open in a new tab" in answer.text
    assert SESSION not in answer.headers.get("set-cookie", "")
    assert town.dump() == before
    assert mine.post("/lti/launch", data={**form, "state": "made-up"}).status_code == 401


def test_a_login_that_took_more_than_ten_minutes_is_refused(town: Town) -> None:
    platform, browser = town.platform(), town.browser()
    address = town.begin(browser, platform, "1", "link-1")
    town.world.wait(minutes=10, seconds=1)
    answer = browser.post("/lti/launch", data=platform.authorize(address))
    assert answer.status_code == 401
    assert "took too long" in answer.text


def test_with_a_full_disk_no_login_begins_and_it_is_said(town: Town) -> None:
    platform, before = town.platform(), rows_of_logins(town)
    town.world.free_bytes = 500 * 1024 * 1024 - 1
    for answer in (
        town.browser().get("/lti/login", params=platform.login("1")),
        town.browser().post("/lti/login", data=platform.login("1")),
    ):
        assert answer.status_code == 503
        assert "The disk of this server is nearly full" in answer.text
        assert answer.headers["x-request-id"] in answer.text
    assert rows_of_logins(town) == before
    town.world.free_bytes = 500 * 1024 * 1024
    assert town.browser().get("/lti/login", params=platform.login("1")).status_code == 302


def test_of_too_many_logins_the_oldest_is_forgotten(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert registrations.MOST_LOGINS == 20_000
    monkeypatch.setattr(registrations, "MOST_LOGINS", 3)
    platform, browser = town.platform(), town.browser()
    begun = []
    for _ in range(4):
        begun.append(town.begin(browser, platform, "9", "link-1"))
        town.world.wait(seconds=1)
    assert len(rows_of_logins(town)) == 3
    first, *_, last = (platform.authorize(address) for address in begun)
    refused = browser.post("/lti/launch", data=first)
    assert refused.status_code == 401
    assert "This login did not start here." in refused.text
    assert browser.post("/lti/launch", data=last).status_code == 303


def test_logins_that_ran_out_an_hour_ago_are_forgotten_though_no_other_begins(town: Town) -> None:
    town.begin(town.browser(), town.platform(), "9", "link-1")
    town.world.wait(minutes=69)
    town.school.campus.round()
    assert len(rows_of_logins(town)) == 1
    town.world.wait(minutes=11)
    town.school.campus.round()
    assert rows_of_logins(town) == []


def test_a_form_of_a_mebibyte_is_refused_and_no_state_is_used(town: Town) -> None:
    platform, browser = town.platform(), town.browser()
    town.connected(platform)
    form = platform.authorize(town.begin(browser, platform, "1", "link-1"))
    before = town.dump()
    answer = browser.post("/lti/launch", data={**form, "more": "x" * 2**20})
    assert answer.status_code == 413
    assert answer.headers["x-request-id"] in answer.text
    assert town.dump() == before
    assert browser.post("/lti/launch", data=form).status_code == 303


def test_a_registration_that_is_off_begins_nothing(town: Town) -> None:
    platform, browser = town.platform(), town.browser()
    address = town.begin(browser, platform, "1", "link-1")
    registering = town.school.campus.registering
    registering.set_state(registering.all()[0].registration.id, "off", "the host")
    answer = browser.post("/lti/launch", data=platform.authorize(address))
    assert answer.status_code == 403
    assert "Moodle is registered here, but not switched on." in answer.text
    answer = browser.get("/lti/login", params=platform.login("1"))
    assert answer.status_code == 403


def test_a_new_deployment_waits_for_the_host_and_says_so(town: Town) -> None:
    platform = town.platform()
    platform.deployment = "dep-7"
    answer = town.launch(platform, "9")
    assert answer.status_code == 403
    assert "at a new place (dep-7)" in answer.text
    registering = town.school.campus.registering
    found = registering.all()[0]
    assert [(one.deployment, one.state) for one in found.deployments] == [
        ("dep-1", "allowed"), ("dep-7", "seen")
    ]  # fmt: skip
    registering.set_deployment(found.registration.id, "dep-7", "allowed", "the host")
    assert town.launch(platform, "9").status_code == 303


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"iss": "https://stranger.test"}, "is not registered here"),
        ({"client_id": "other"}, "is not registered here"),
        ({"login_hint": ""}, "did not say who is signing in"),
        ({"target_link_uri": "https://evil.test/"}, "an address on another server"),
        ({"target_link_uri": ""}, "an address on another server"),
        ({"lti_message_hint": "x" * 9000}, "more than a login holds"),
    ],
)
def test_a_login_that_is_off_is_refused_in_words(
    shared: tuple[Town, Platform], change: dict[str, str], sentence: str
) -> None:
    town, platform = shared
    for method in ("GET", "POST"):
        fields = {**platform.login("1"), **change}
        key = "params" if method == "GET" else "data"
        answer = town.browser().request(method, "/lti/login", **{key: fields})  # type: ignore[arg-type]
        assert answer.status_code == 400
        assert sentence in answer.text
        assert answer.headers["x-request-id"] in answer.text


def test_a_login_may_leave_the_client_out_where_one_registration_is_meant(town: Town) -> None:
    platform = town.platform()
    fields = platform.login("1")
    fields.pop("client_id")
    assert town.browser().post("/lti/login", data=fields).status_code == 302


@pytest.mark.parametrize("temper", TEMPERS, ids=lambda one: one.name)
def test_every_campus_brings_a_learner_into_the_class_and_back(town: Town, temper: Temper) -> None:
    platform = town.platform(temper)
    made = town.connected(platform)
    browser, path = town.enter(platform, "1")
    assert path == f"/classes/{made.id}"
    page = browser.get(path)
    assert page.status_code == 200
    assert "Ann Lee" in page.text
    first = town.learner(platform, "1")
    town.enter(platform, "1")
    assert town.learner(platform, "1") == first


VALID: dict[str, Change] = {
    "no context": without(CLAIM + "context"),
    "only e-mail": without("name"),
    "only names": without("email"),
    "nothing personal": lambda said: [said.pop("name"), said.pop("email")],
    "short role": saying(CLAIM + "roles", ["urn:lti:role:ims/lis/Learner"]),
    "unknown role": saying(CLAIM + "roles", ["urn:example:Wizard"]),
    "several roles": lambda said: said[CLAIM + "roles"].append("urn:x:Wizard"),
    "no roles": saying(CLAIM + "roles", []),
    "audience as a list": saying("aud", ["client-1"]),
    "two audiences with azp": lambda said: said.update(aud=["client-1", "x"], azp="client-1"),
}


@pytest.mark.parametrize("name", VALID)
def test_a_valid_launch_of_the_guide_comes_in(shared: tuple[Town, Platform], name: str) -> None:
    town, platform = shared
    made = town.school.classes.all()[0]
    browser, path = town.enter(platform, "1", change=VALID[name])
    assert path == ("/" if name == "no context" else f"/classes/{made.id}")
    assert browser.get(path).status_code == 200


# ------------------------------------------------------------------ 32, by its letters


def test_a_blocked_cookie_gives_a_new_tab_and_never_a_bare_401(town: Town) -> None:
    """a."""
    platform, browser = town.platform(), town.browser()
    town.connected(platform)
    address = town.begin(browser, platform, "1", "link-1")
    browser.cookies.clear()
    answer = browser.post("/lti/launch", data=platform.authorize(address))
    assert answer.status_code == 401
    again = answer.text.partition('href="/lti/login?')[2].partition('"')[0]
    assert "Open in a new tab" in answer.text
    tab = town.browser()
    answer = tab.get("/lti/login?" + again.replace("&amp;", "&"))
    form = platform.authorize(answer.headers["location"])
    assert tab.post("/lti/launch", data=form).status_code == 303


def test_with_platform_storage_the_page_carries_what_the_script_needs(town: Town) -> None:
    """a."""
    platform, browser = town.platform(), town.browser()
    town.connected(platform)
    fields = platform.login("1", lti_storage_target="_parent")
    answer = browser.post("/lti/login", data=fields)
    assert answer.status_code == 200
    address = answer.text.partition('class="button main" href="')[2].partition('"')[0]
    assert '"origin": "https://moodle.test"' in answer.text
    form = platform.authorize(address.replace("&amp;", "&"))
    browser.cookies.clear()
    answer = browser.post("/lti/launch", data=form)
    assert answer.status_code == 401
    assert 'action="/lti/confirm"' in answer.text
    foreign = {"sec-fetch-site": "cross-site"}
    kept = {**form, "kept": form["state"]}
    assert browser.post("/lti/confirm", data=kept, headers=foreign).status_code == 403
    assert browser.post("/lti/confirm", data=form).status_code == 400
    own = {"sec-fetch-site": "same-origin"}
    assert browser.post("/lti/confirm", data=kept, headers=own).status_code == 303


def test_without_a_session_cookie_a_ticket_opens_a_new_tab_once(town: Town) -> None:
    """a."""
    platform, browser = town.platform(), town.browser()
    made = town.connected(platform)
    answer = town.launch(platform, "1", browser=browser)
    where = answer.headers["location"]
    browser.cookies.clear()
    page = browser.get(where)
    assert page.status_code == 200
    assert "Open in a new tab" in page.text
    tab = town.browser()
    answer = tab.get(f"{where}?tab=1")
    assert answer.status_code == 303
    answer = tab.get(answer.headers["location"])
    assert answer.headers["location"] == f"/classes/{made.id}"
    assert tab.get(answer.headers["location"]).status_code == 200
    again = town.browser().get(f"{where}?tab=1")
    assert again.status_code == 403
    assert "opened before" in again.text


def test_a_ticket_in_somebody_elses_link_signs_nobody_in(town: Town) -> None:
    platform, browser = town.platform(), town.browser()
    town.connected(platform)
    where = town.launch(platform, "1", browser=browser).headers["location"]
    for site in ("none", "cross-site", "same-site"):
        victim, sent = town.browser(), {"sec-fetch-site": site, "sec-fetch-dest": "document"}
        for address in (where, f"{where}?tab=1"):
            answer = victim.get(address, headers=sent)
            assert answer.status_code == 403
            assert "set-cookie" not in answer.headers
            assert "Open in a new tab" not in answer.text
    ours = {"sec-fetch-site": "same-origin", "sec-fetch-dest": "document"}
    assert town.browser().get(f"{where}?tab=1", headers=ours).status_code == 303


def test_a_browser_without_any_cookie_is_told_so(town: Town) -> None:
    """a."""
    platform, browser = town.platform(), town.browser()
    town.connected(platform)
    where = town.launch(platform, "1", browser=browser).headers["location"]
    browser.cookies.clear()
    answer = browser.get(f"{where}?tab=1")
    browser.cookies.clear()
    page = browser.get(answer.headers["location"])
    assert page.status_code == 403
    assert "keeps no cookie of this site" in page.text


def test_an_error_of_the_campus_is_said_in_its_words_with_the_way_back(town: Town) -> None:
    """b."""
    platform, browser = town.platform(), town.browser()
    address = town.begin(browser, platform, "1", "link-1")
    state = platform.authorize(address)["state"]
    said = {"error": "login_required", "error_description": "Not signed in", "state": state}
    answer = browser.post("/lti/launch", data=said)
    assert answer.status_code == 400
    assert "Moodle did not sign you in. It says: “Not signed in”" in answer.text
    assert 'href="https://moodle.test" target="_top"' in answer.text
    short = browser.post("/lti/launch", data={"error": "launch_no_longer_valid"})
    assert "It says: “launch_no_longer_valid”" in short.text


def test_an_unknown_key_is_looked_up_once_and_at_most_once_a_minute(town: Town) -> None:
    """c."""
    platform = town.platform(CANVAS)
    assert town.launch(platform, "9").status_code == 303
    town.steady[0] += 61
    platform.key, platform.key_name = new_key(), "key-2"
    assert town.launch(platform, "9").status_code == 303
    platform.key_name = "key-3"
    assert town.launch(platform, "9").status_code == 401
    assert town.launch(platform, "9").status_code == 401
    assert platform.asked.count("GET https://canvas.test/jwks") == 2
    town.steady[0] += 61
    assert town.launch(platform, "9").status_code == 303


def test_keys_without_alg_and_odd_ones_beside_them_do(town: Town) -> None:
    """c: CANVAS lists odd keys, D2L's have no alg."""
    for temper in TEMPERS:
        assert town.launch(town.platform(temper), "9").status_code == 303


@pytest.mark.parametrize(
    ("roles", "comes_to"),
    [
        ((), "learner"),
        (("http://purl.imsglobal.org/vocab/lis/v2/institution/person#Instructor",), "learner"),
        (("http://purl.imsglobal.org/vocab/lis/v2/institution/person#Faculty",), "learner"),
        (("http://purl.imsglobal.org/vocab/lis/v2/system/person#Administrator",), "learner"),
        (("urn:lti:instrole:ims/lis/Instructor",), "learner"),
        (("Instructor",), "staff"),
        (("urn:lti:role:ims/lis/Instructor",), "staff"),
        (("TeachingAssistant",), "staff"),
        (("http://purl.imsglobal.org/vocab/lis/v2/membership/Instructor#TeachingAssistant",),
         "staff"),
        (("Administrator",), "staff"),
        (("Learner", "http://purl.imsglobal.org/vocab/lis/v2/institution/person#Faculty"),
         "learner"),
    ],
)  # fmt: skip
def test_only_roles_in_the_course_make_somebody_staff(
    shared: tuple[Town, Platform], roles: tuple[str, ...], comes_to: str
) -> None:
    """d."""
    town, platform = shared
    made = town.school.classes.all()[0]
    who = f"d{len(platform.users)}"
    platform.users[who] = User("Kim", "", roles)
    _, path = town.enter(platform, who, "course")
    assert path == (f"/classes/{made.id}" if comes_to == "learner" else f"/classes/{made.id}/board")


def test_an_assistant_of_the_course_is_no_instructor_of_its_class(town: Town) -> None:
    """d."""
    platform = town.platform()
    made = town.connected(platform)
    platform.users["5"] = User("Kim", "", ("TeachingAssistant",))
    browser, _ = town.enter(platform, "5")
    assert browser.get(f"/classes/{made.id}/board").status_code == 200
    assert browser.get(f"/classes/{made.id}/settings").status_code == 404
    assert [one.role for one in town.school.classes.staff(made.id)] == ["instructor", "assistant"]


def test_who_teaches_a_course_no_longer_loses_its_class(town: Town) -> None:
    """d."""
    platform = town.platform()
    made = town.connected(platform)
    platform.users["5"] = User("Kim", "", ("TeachingAssistant",))
    browser, _ = town.enter(platform, "5")
    platform.users["5"] = User("Kim", "", ("Learner",))
    town.enter(platform, "5")
    assert browser.get(f"/classes/{made.id}/board").status_code == 404


def test_a_launch_without_a_person_is_refused_with_a_sentence(town: Town) -> None:
    """e."""
    platform = town.platform()
    town.connected(platform)
    answer = town.launch(platform, "1", change=without("sub"))
    assert answer.status_code == 403
    assert "does not say who you are" in answer.text


def test_without_a_name_there_is_a_number_that_the_instructor_can_replace(town: Town) -> None:
    """e."""
    platform = town.platform()
    made = town.connected(platform)
    platform.users |= {"3": User(), "4": User()}
    town.enter(platform, "1")
    town.enter(platform, "3")
    town.enter(platform, "4")
    names = {one.name: one.id for one in town.school.people.all(made.id)}
    assert set(names) == {"Ann Lee", "Learner 2", "Learner 3"}
    town.school.people.rename(made.id, names["Learner 2"], "Cy Roe", "the host")
    town.enter(platform, "3")
    assert "Cy Roe" in {one.name for one in town.school.people.all(made.id)}
    platform.users["4"] = User("Di Fox")
    town.enter(platform, "4")
    assert "Di Fox" in {one.name for one in town.school.people.all(made.id)}


def test_a_link_that_is_the_course_leads_to_the_class_and_has_no_column(town: Town) -> None:
    """g."""
    platform = town.platform()
    made = town.connected(platform)
    town.given(made)

    def with_column(said: dict[str, Any]) -> None:
        said[P + "lti-ags/claim/endpoint"]["lineitem"] = "https://moodle.test/course/1/lineitem"

    _, path = town.enter(platform, "1", "course", with_column)
    assert path == f"/classes/{made.id}"
    course = town.school.campus.course_of(made.id)
    assert course is not None
    assert town.kept.courses.links(course.id) == ()


def test_every_launch_keeps_the_services_that_it_grants(town: Town) -> None:
    """o: a deep linking launch too."""
    platform = town.platform()
    platform.granted = ()
    made = town.connected(platform)
    course = town.school.campus.course_of(made.id)
    assert course is not None
    assert (course.scopes, course.nrps_url) == ((), None)
    platform.granted = Platform(MOODLE, "", dict).granted
    assert town.launch(platform, "9", "deep").status_code == 303
    course = town.school.campus.course_of(made.id)
    assert course is not None
    assert len(course.scopes) == 3
    assert course.nrps_url == "https://moodle.test/course/members"
    assert course.lineitems_url == "https://moodle.test/course/lineitems?type_id=7"


def test_pages_may_be_framed_by_the_campus_of_the_session_and_by_nobody_else(town: Town) -> None:
    platform = town.platform()
    made = town.connected(platform)
    browser, path = town.enter(
        platform,
        "1",
        change=saying(CLAIM + "launch_presentation", {"return_url": "https://eu.moodle.test/x"}),
    )
    policy = browser.get(path).headers["content-security-policy"]
    assert policy.endswith("frame-ancestors https://moodle.test https://eu.moodle.test")
    stranger = town.browser().get(f"/classes/{made.id}")
    assert stranger.headers["content-security-policy"].endswith("frame-ancestors 'none'")


def test_what_the_own_cookie_of_staff_opens_is_framed_by_no_campus(town: Town) -> None:
    platform = town.platform()
    made = town.connected(platform)
    browser, _ = town.enter(platform, "1")
    link = town.school.accounts.link(town.host().id, "the host")
    token = town.school.accounts.set_password(link, "correct horse").token

    def framed_by(path: str, browser: TestClient = browser) -> str:
        answer = browser.get(path)
        assert answer.status_code == 200, path
        return str(answer.headers["content-security-policy"]).partition("frame-ancestors ")[2]

    assert framed_by(f"/classes/{made.id}") == "https://moodle.test"
    browser.cookies.set("mlgrind-staff", token)
    for path in ("/staff/campus", "/classes", f"/classes/{made.id}/board"):
        assert framed_by(path) == "'none'", path
    taught, _ = town.enter(platform, "9")
    board = f"/classes/{made.id}/board"
    assert framed_by(board, taught) == "https://moodle.test", "the campus itself signed in"
    taught.cookies.set("mlgrind-staff", token)
    assert framed_by("/staff/campus", taught) == "'none'"


def test_a_session_ends_when_its_campus_is_switched_off(town: Town) -> None:
    platform = town.platform()
    made = town.connected(platform)
    browser, path = town.enter(platform, "1")
    registering = town.school.campus.registering
    registering.set_state(registering.all()[0].registration.id, "off", "the host")
    assert browser.get(path).status_code == 404
    assert made.id in path


@pytest.mark.parametrize("hint", ["connect", "choose", "deep"])
@pytest.mark.parametrize("shut", ["campus", "account"])
def test_a_page_of_a_course_is_shut_with_its_campus_and_its_account(
    town: Town, hint: str, shut: str
) -> None:
    platform = town.platform()
    if hint != "connect":
        town.connected(platform)
    browser, path = town.enter(platform, "9", hint)
    assert path.startswith(f"/lti/{hint}/")
    assert browser.get(path).status_code == 200
    (known,) = town.school.campus.registering.all()
    identity = town.kept.courses.identity(known.registration.id, "9")
    assert identity is not None
    assert identity.account is not None
    if shut == "campus":
        town.school.campus.registering.set_state(known.registration.id, "off", "the host")
    else:
        town.school.accounts.disable(identity.account, "the host")
    before = rows(town)
    for answer in (browser.get(path), browser.post(path, data={"do": "new", "zone": "UTC"})):
        assert answer.status_code == 403
        assert "This page was opened before, too long ago, or it is closed." in answer.text
    assert rows(town) == before


def test_a_launch_under_way_switches_no_campus_on_again(town: Town) -> None:
    platform = town.platform()
    registering = town.school.campus.registering
    (before,) = registering.all()

    def meanwhile() -> Fetched:
        registering.set_state(before.registration.id, "off", "the host")
        platform.answers = []
        return platform.fetch("GET", f"{platform.home}/jwks", None, {})

    platform.answers = [(f"GET {platform.home}/jwks", meanwhile)]
    back = {"return_url": "https://elsewhere.moodle.test/back"}
    town.launch(platform, "9", change=saying(CLAIM + "launch_presentation", back))
    (after,) = registering.all()
    assert after.registration.state == "off"


def test_a_site_that_is_learned_changes_nothing_else_of_its_campus(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whenever the host switches the campus off: also between our reading and our writing."""
    town.platform()
    registering = town.school.campus.registering
    (before,) = registering.all()
    kept, known = town.kept.registrations, before.registration
    add = kept.add_origin

    def meanwhile(*asked: Any) -> None:
        registering.set_state(known.id, "off", "the host")
        add(*asked)

    monkeypatch.setattr(kept, "add_origin", meanwhile)
    after = registering.learn_origin(known, "https://eu.moodle.test/x")
    assert after.state == "off"
    assert after.origins == ("https://moodle.test", "https://eu.moodle.test")
    assert registering.all()[0].registration == after


def test_a_campus_names_twenty_sites_at_most(town: Town) -> None:
    town.platform()
    registering = town.school.campus.registering
    known = registering.all()[0].registration
    for number in range(25):
        known = registering.learn_origin(known, f"https://a{number}.moodle.test/")
    assert len(known.origins) == 20
    assert known.origins[-1] == "https://a18.moodle.test"


def test_two_first_launches_at_once_are_one_person(town: Town) -> None:
    platform = town.platform()
    made = town.connected(platform)
    persons, (known,) = town.school.campus.persons, town.school.campus.registering.all()
    first = persons.new_learner(known.registration.id, "1")
    assert persons.new_learner(known.registration.id, "1") == first, "nobody was known before"
    town.enter(platform, "1")
    assert [one.learner for one in town.school.people.all(made.id)] == [first]


def test_work_in_the_frame_is_the_learners(town: Town) -> None:
    platform = town.platform()
    made = town.connected(platform)
    town.given(made)
    platform.links["link-1"] = '{"exercise": "stable-softmax"}'
    browser, path = town.enter(platform, "1")
    assert path == "/exercises/stable-softmax"
    town.service.start()
    town.school.campus.close(0)
    sent = browser.post(f"/api{path}/submissions", json={"source": "x = 1"})
    assert sent.status_code in (200, 201, 202)
    who = town.learner(platform, "1")
    assert len(town.service.submissions.history(who, "stable-softmax")) == 1  # type: ignore[arg-type]


def test_a_roster_seat_is_taken_by_the_person_with_its_mail(town: Town) -> None:
    platform = town.platform()
    made = town.connected(platform)
    roster = b"name,email\nAnn L.,ANN@uni.test\nOther,o@uni.test\n"
    town.school.rosters.apply_file(made.id, roster, "the host")
    town.enter(platform, "1")
    found = {one.name: one.state for one in town.school.people.all(made.id)}
    assert found == {"Ann L.": "active", "Other": "invited"}


def test_our_clock_and_theirs_may_differ_by_a_minute(town: Town) -> None:
    platform = town.platform()
    for seconds in (-59, 59):
        answer = town.launch(platform, "9", change=later(iat=seconds, exp=seconds))
        assert answer.status_code == 303
