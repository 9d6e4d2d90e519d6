"""All headings with their layouts and rates."""

from dataclasses import make_dataclass

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


def load():
    layouts = {}
    for chapter in range(CHAPTERS):
        for heading in range(HEADINGS):
            code = code_of(chapter, heading)
            layouts[code] = layout(code, chapter * HEADINGS + heading)
    return layouts


LAYOUTS = load()
CODES = [code_of(4, 11), code_of(17, 2), code_of(22, 8)]


def form(code):
    return LAYOUTS[code]
