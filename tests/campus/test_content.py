"""Content for a course by deep linking, and campuses that register themselves."""

from __future__ import annotations

import html
import json
import re
from typing import Any

import jwt
import pytest
from jwt.algorithms import RSAAlgorithm

from app.classroom.tool_configuration import NotTaken, platform
from app.service.school import Complaints
from tests.campus.conftest import ORIGIN, Town
from tests.campus.platform import CANVAS, CLAIM, D2L, MOODLE, TEMPERS, P, Platform, Temper, told


def message(town: Town, platform: Platform, page: Any) -> dict[str, Any]:
    """What the form on a page sends back to the campus, checked with our public key."""
    assert f'action="{platform.home}/deep"' in page.text
    token = html.unescape(re.findall(r'name="JWT" value="([^"]+)"', page.text)[0])
    listed = {one["kid"]: one for one in platform.tool_keys()["keys"]}
    key = RSAAlgorithm.from_jwk(json.dumps(listed[jwt.get_unverified_header(token)["kid"]]))
    said: dict[str, Any] = jwt.decode(
        token,
        key,  # type: ignore[arg-type]
        algorithms=["RS256"],
        options={"verify_aud": False, "verify_exp": False, "verify_iat": False},
    )
    return said


@pytest.mark.parametrize("temper", TEMPERS, ids=lambda one: one.name)
def test_what_is_chosen_goes_into_the_course_as_every_campus_takes_it(
    town: Town, temper: Temper
) -> None:
    """m."""
    platform = town.platform(temper)
    made = town.connected(platform)
    given = town.given(made)
    browser = town.browser()
    where = town.launch(platform, "9", "deep", browser).headers["location"]
    assert where.startswith("/lti/deep/")
    assert "Stable Softmax" in browser.get(where).text
    page = browser.post(where, data={f"item-{given.id}": "on", "class": "on"})
    policy = page.headers["content-security-policy"]
    assert f"form-action 'self' {platform.home};" in policy
    said = message(town, platform, page)
    assert (said["iss"], said["aud"]) == (platform.client_id, platform.issuer)
    assert isinstance(said["aud"], str)
    assert said["exp"] - said["iat"] >= 300
    assert said[P + "lti-dl/claim/data"] == {"opaque": [1, "two"]}
    assert said[CLAIM + "message_type"] == "LtiDeepLinkingResponse"
    item, whole = said[P + "lti-dl/claim/content_items"]
    assert item == {
        "type": "ltiResourceLink",
        "title": "Stable Softmax",
        "url": f"{ORIGIN}/lti/launch",
        "custom": {"exercise": "stable-softmax", "assignment": given.id},
        "lineItem": {
            "label": "Stable Softmax", "scoreMaximum": 10, "resourceId": given.id,
            "tag": "mlgrind",
        },
    }  # fmt: skip
    assert whole["url"] == f"{ORIGIN}/lti/launch"
    assert browser.post(where, data={}).status_code == 403, "a page of choices is good once"


def test_a_learner_can_put_nothing_into_a_course(town: Town) -> None:
    platform = town.platform()
    town.connected(platform)
    answer = town.launch(platform, "1", "deep")
    assert answer.status_code == 403
    assert "Only those who teach a course can add content to it." in answer.text


def test_a_course_that_is_not_connected_is_connected_first(town: Town) -> None:
    platform = town.platform()
    browser = town.browser()
    where = town.launch(platform, "9", "deep", browser).headers["location"]
    where = browser.get(where).headers["location"]
    assert where.startswith("/lti/connect/")
    answer = browser.post(where, data={"do": "new", "zone": "UTC"})
    assert answer.headers["location"].startswith("/lti/deep/")
    page = browser.get(answer.headers["location"])
    assert "The class has no assignment yet." in page.text


# ------------------------------------------------------------------ registering


def offered(town: Town, platform: Platform) -> str:
    town.platforms[platform.home] = platform
    return f"/lti/register/{town.school.campus.registering.offer('the host')}"


def unregistered(town: Town, temper: Temper = MOODLE) -> Platform:
    keys = town.school.campus.registering.jwks
    return Platform(temper, ORIGIN, lambda: dict(keys()), town.now)


@pytest.mark.parametrize("temper", TEMPERS, ids=lambda one: one.name)
def test_a_campus_registers_itself_and_waits_for_the_host(town: Town, temper: Temper) -> None:
    """n: D2L gives no token of registration."""
    platform = unregistered(town, temper)
    path, browser = offered(town, platform), town.browser()
    asked = {"openid_configuration": f"{platform.home}/configuration"}
    if temper.token_to_register:
        asked["registration_token"] = "once"
    page = browser.get(path, params=asked)
    assert "Register ML Grind" in page.text
    assert page.headers["cross-origin-opener-policy"] == "unsafe-none"
    assert page.headers["content-security-policy"].endswith("frame-ancestors https:")
    assert platform.asked == [], "nothing is asked before the button is pressed"
    form = {"configuration": asked["openid_configuration"]}
    form["token"] = asked.get("registration_token", "")
    answer = browser.post(path, data=form)
    assert answer.status_code == 200, answer.text
    assert "data-lti-close" in answer.text
    (found,) = town.school.campus.registering.all()
    assert (found.registration.state, found.registration.issuer) == ("pending", platform.home)
    assert browser.get("/lti/login", params={
        **platform.login("9"), "iss": platform.home
    }).status_code == 403  # fmt: skip
    assert browser.post(path, data=form).status_code == 404, "an offer is good once"


def test_a_refusal_of_either_shape_is_said_in_the_campuss_words(town: Town) -> None:
    """n."""
    for temper, words in ((MOODLE, "no redirect uri"), (CANVAS, "redirect_uris is invalid")):
        platform = unregistered(town, temper)
        platform.tool = "https://other.test"
        path = offered(town, platform)
        form = {"configuration": f"{platform.home}/configuration", "token": "once"}
        answer = town.browser().post(path, data=form)
        assert answer.status_code == 502
        assert f"It says: “{words}”" in answer.text
        assert answer.headers["x-request-id"] in answer.text
    assert town.school.campus.registering.all() == ()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"issuer": "https://bank.test"}, "which is not its own"),
        ({"token_endpoint": "https://evil.example/token"}, "which is not its own"),
        ({"jwks_uri": "http://d2l.test/jwks"}, "which is not its own"),
        ({"registration_endpoint": None}, "is incomplete"),
        ({"issuer": 7}, "is incomplete"),
        ({"issuer": "https://["}, "which is not its own"),
        ({"token_endpoint": "https://["}, "which is not its own"),
    ],
)
def test_nobody_registers_in_anothers_name(
    town: Town, change: dict[str, object], sentence: str
) -> None:
    """n."""
    platform = unregistered(town, D2L)
    whole = json.loads(platform._get_configuration("", b"", {}).body)
    platform.answers = [("GET https://d2l.test/configuration", lambda: told(200, whole | change))]
    form = {"configuration": "https://d2l.test/configuration", "token": ""}
    answer = town.browser().post(offered(town, platform), data=form)
    assert answer.status_code == 502
    assert sentence in answer.text
    assert town.school.campus.registering.all() == ()


def test_a_canvas_of_the_cloud_may_name_both_of_its_domains() -> None:
    """n."""
    said = {
        "issuer": "https://canvas.instructure.com",
        "authorization_endpoint": "https://sso.canvaslms.com/api/lti/authorize_redirect",
        "token_endpoint": "https://sso.canvaslms.com/login/oauth2/token",
        "jwks_uri": "https://sso.canvaslms.com/api/lti/security/jwks",
        "registration_endpoint": "https://uni.instructure.com/api/lti/registrations",
    }
    found = platform(said, "https://canvas.instructure.com/api/lti/security/openid-configuration")
    assert found.auth_url == "https://sso.canvaslms.com/api/lti/authorize_redirect"
    with pytest.raises(NotTaken, match="which is not its own"):
        platform({**said, "jwks_uri": "https://evil.ac.uk/k"}, "https://moodle.uni.ac.uk/c")


def test_the_host_registers_by_hand_and_switches_everything_with_one_click(town: Town) -> None:
    """29."""
    host = town.host()
    link = town.school.accounts.link(host.id, "the host")
    browser = town.browser()
    token = town.school.accounts.set_password(link, "correct horse").token
    browser.cookies.set("mlgrind-staff", token)
    page = browser.get("/staff/campus").text
    assert f"{ORIGIN}/lti/login" in page
    assert f"{ORIGIN}/lti/jwks" in page
    answer = browser.post("/staff/campus", data={"do": "add", "issuer": "x"})
    assert answer.status_code == 422
    assert "Write the whole address, from https:// on." in answer.text
    platform = unregistered(town)
    town.platforms[platform.home] = platform
    fields = platform.fields() | {"do": "add", "deployment": ""}
    assert browser.post("/staff/campus", data=fields).status_code == 303
    assert browser.post("/staff/campus", data=fields).status_code == 422
    assert town.launch(platform, "9").status_code == 403
    assert "waits for you" in browser.get("/staff/campus").text
    which = town.school.campus.registering.all()[0].registration.id
    allow = {"do": "allow", "registration": which, "deployment": "dep-1"}
    assert browser.post("/staff/campus", data=allow).status_code == 303
    assert town.launch(platform, "9").status_code == 303
    off = {"do": "off", "registration": which}
    assert browser.post("/staff/campus", data=off).status_code == 303
    assert town.browser().get("/lti/login", params=platform.login("9")).status_code == 403
    made = browser.post("/staff/campus", data={"do": "offer"})
    assert f"{ORIGIN}/lti/register/" in made.text
    odd = {"do": "origins", "registration": which, "origins": "https://a.test *"}
    refused = browser.post("/staff/campus", data=odd)
    assert refused.status_code == 422
    assert "Write origins only, such as https://uni.example.edu." in refused.text
    assert 'value="https://a.test *"' in refused.text


def test_an_address_that_is_none_is_a_complaint_on_the_hosts_form(town: Town) -> None:
    fields = unregistered(town).fields()
    for name, sentence in (
        ("issuer", "Write the issuer as your campus shows it."),
        ("auth_url", "Write the whole address, from https:// on."),
        ("token_url", "Write the whole address, from https:// on."),
        ("jwks_url", "Write the whole address, from https:// on."),
    ):
        with pytest.raises(Complaints) as said:
            town.school.campus.registering.add({**fields, "name": "", name: "https://["}, "host")
        assert said.value.fields == {name: sentence}
    assert town.school.campus.registering.all() == ()


def test_a_new_key_is_shown_a_day_before_it_signs_and_the_old_one_a_month_after(
    town: Town,
) -> None:
    """29."""
    registering = town.school.campus.registering

    def shown() -> list[str]:
        return [one["kid"] for one in registering.jwks()["keys"]]

    (first,) = shown()
    registering.new_key("the host")
    assert len(shown()) == 2
    second = next(kid for kid in shown() if kid != first)
    assert registering.signing_key().kid == first
    town.world.wait(hours=25)
    assert registering.signing_key().kid == second
    assert set(shown()) == {first, second}
    town.world.wait(days=31)
    assert shown() == [second]
    answer = town.browser().get("/lti/jwks").json()
    assert set(answer["keys"][0]) == {"kty", "n", "e", "kid", "alg", "use"}
