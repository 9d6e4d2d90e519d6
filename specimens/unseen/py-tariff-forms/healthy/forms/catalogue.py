"""All headings with their layouts and rates."""

from dataclasses import make_dataclass
from functools import cache

from .fields import fields_of, rate_of

CHAPTERS = 24
HEADINGS = 45


def code_of(chapter, heading):
    return f"{chapter:02d}.{heading:02d}"


def duty(form):
    share, base = form.rate
    return form.value * share // base + form.weight // 50


def layout(code, heading):
    return make_dataclass("Form" + code.replace(".", "_"), fields_of(heading), order=True, frozen=True,
                          namespace={"duty": duty, "rate": rate_of(heading)})


CODES = [code_of(4, 11), code_of(17, 2), code_of(22, 8)]


@cache
def form(code):
    chapter, heading = map(int, code.split("."))
    return layout(code, chapter * HEADINGS + heading)
