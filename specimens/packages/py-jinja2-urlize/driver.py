"""Renders a message board: bodies are escaped, links in them made clickable."""
import sys

from jinja2 import Environment

PAGE = """<h1>{{ title }}</h1>
{% for note in notes %}<article><b>{{ note.author }}</b> {{ note.body | urlize(40) }}</article>
{% endfor %}"""


def notes(count):
    for number in range(count):
        body = f"See https://example.org/item/{number} for pictures, or write to team{number}@example.org."
        if number % 5 == 0:
            body += f" Contents: Chapter{'.' * 2500}{number}"
        yield {"author": f"user{number % 17}", "body": body}


def render(count):
    template = Environment().from_string(PAGE)
    return template.render(title="Board", notes=list(notes(count)))


page = render(int(sys.argv[1]))
print(page.count("<a href"))
