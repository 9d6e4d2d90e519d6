"""Sends a mail of plain text: the story comes as one long paragraph and is wrapped for the reader."""
import sys

import django
from django.conf import settings
from django.template import Context, Engine

MAIL = """Dear {{ reader }},

{{ story|wordwrap:72 }}

Yours, the editors
"""


def story(words):
    return " ".join(f"word{number % 977}" for number in range(words))


def mail(reader, words):
    template = Engine().from_string(MAIL)
    return template.render(Context({"reader": reader, "story": story(words)}, autoescape=False))


settings.configure(USE_I18N=False)
django.setup()
text = mail("Ada", int(sys.argv[1]))
print(text.count("\n"), max(map(len, text.splitlines())))
