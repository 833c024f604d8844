"""A form with a file: multipart, read only after the wall let its sender in."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

from fastapi import Depends, Request
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException

from app.web.guard import notes
from app.web.html.text import whole_letters

MOST_FIELDS = 20


@dataclass(frozen=True)
class Upload:
    """The fields of a form as text, and its one file; b"" where none was chosen."""

    fields: dict[str, str] = field(default_factory=dict)
    data: bytes = b""
    name: str = ""

    def text(self, name: str) -> str:
        """A field, "" where it is missing."""
        return self.fields.get(name, "")

    def __contains__(self, name: str) -> bool:
        """Whether the form has such a field."""
        return name in self.fields


async def _upload(request: Request) -> Upload:
    """The form of a request. Raises 400 and 415 for what is none."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "multipart/form-data":
        raise HTTPException(415, "A file is sent as multipart/form-data.")
    try:
        async with request.form(
            max_files=1, max_fields=MOST_FIELDS, max_part_size=notes(request).body_bytes
        ) as form:
            fields = {k: whole_letters(v) for k, v in form.items() if isinstance(v, str)}
            for value in form.values():
                if isinstance(value, UploadFile):
                    return Upload(fields, await value.read(), value.filename or "")
            return Upload(fields)
    except MultiPartException as error:
        raise HTTPException(400, "This form could not be read.") from error


Uploaded = Annotated[Upload, Depends(_upload)]
