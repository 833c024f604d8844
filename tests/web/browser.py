"""A browser without a script, as far as forms and links need one."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import quote_plus, urljoin

from starlette.testclient import TestClient

VOID = {"input", "meta", "link", "br", "hr", "img", "rect", "path", "use", "circle"}


@dataclass
class Control:
    """A button or field: its attributes, its text, and the form it lies in."""

    tag: str
    attributes: dict[str, str]
    form: str | None
    text: str = ""

    @property
    def owner(self) -> str | None:
        return self.attributes.get("form", self.form)


@dataclass
class Page(HTMLParser):
    """A page that was read: its controls, forms, ids, links and words."""

    html: str
    url: str
    controls: list[Control] = field(default_factory=list)
    forms: dict[str, dict[str, str]] = field(default_factory=dict)
    ids: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    tags: list[tuple[str, dict[str, str]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()
        self._open: list[str] = []
        self._form: str | None = None
        self.feed(self.html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.tags.append((tag, found))
        if tag not in VOID:
            self._open.append(tag)
        if "id" in found:
            self.ids.append(found["id"])
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        if tag == "form":
            self._form = found.get("id", f"form-{len(self.forms)}")
            self.forms[self._form] = found
        if tag in {"button", "input", "textarea"}:
            self.controls.append(Control(tag, found, self._form))

    def handle_endtag(self, tag: str) -> None:
        if tag in self._open:
            while self._open.pop() != tag:
                pass
        if tag == "form":
            self._form = None

    def handle_data(self, data: str) -> None:
        if "script" not in self._open:
            self.words.append(data)
        for tag in ("textarea", "button"):
            if tag in self._open and self.controls:
                self.controls[-1].text += data

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())

    def value(self, name: str) -> str:
        """What stands in a field; of a textarea without the line feed HTML drops."""
        found = next(c for c in self.controls if c.attributes.get("name") == name)
        if found.tag == "textarea":
            return found.text.removeprefix("\n")
        return found.attributes.get("value", "")

    def button(self, words: str) -> Control:
        """The first button that says this."""
        named = [c for c in self.controls if c.tag == "button" and words in c.text]
        assert named, f"no button says {words!r}"
        return named[0]


class Browser:
    """Goes to pages, types, and presses buttons."""

    def __init__(self, client: TestClient) -> None:
        self.client = client
        self.typed: dict[str, str] = {}
        self.page = Page("", "")
        self.status = 0

    def go(self, url: str) -> Page:
        response = self.client.get(url)
        self.status = response.status_code
        self.typed = {}
        self.page = Page(response.text, str(response.url))
        return self.page

    def type(self, name: str, text: str) -> None:
        self.page.value(name)
        self.typed[name] = text

    def press(self, words: str) -> Page:
        """Submit the form of a button as a browser does: line ends become CRLF."""
        button = self.page.button(words)
        assert button.owner is not None
        form = self.page.forms[button.owner]
        fields = [
            (c.attributes["name"], self.typed.get(c.attributes["name"], self._value(c)))
            for c in self.page.controls
            if c.owner == button.owner and c.tag != "button" and "name" in c.attributes
        ]
        if "name" in button.attributes:
            fields.append((button.attributes["name"], button.attributes.get("value", "")))
        action = button.attributes.get("formaction", form.get("action", ""))
        body = "&".join(f"{quote_plus(n)}={quote_plus(_crlf(v))}" for n, v in fields)
        response = self.client.post(
            urljoin(self.page.url, action),
            content=body,
            headers={
                "content-type": "application/x-www-form-urlencoded",
                "origin": str(self.client.base_url).rstrip("/"),
            },
        )
        self.status = response.status_code
        self.typed = {}
        self.page = Page(response.text, str(response.url))
        return self.page

    def _value(self, control: Control) -> str:
        if control.tag == "textarea":
            return control.text.removeprefix("\n")
        return control.attributes.get("value", "")


def _crlf(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\n", "\r\n")
