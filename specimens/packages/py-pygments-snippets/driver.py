"""Colours the snippets of a forum; some were cut off where the page's preview ended."""
import sys

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name

WHOLE = 'var folder = "%s"\nfor each file in list(folder) { print(file.name, %d) }\n'
SHARE = "\\\\\\\\server\\\\share\\\\teams\\\\north\\\\reports\\\\%d\\\\old\\\\drafts\\\\2019\\\\q3\\\\mail\\\\sent\\\\2020\\\\a\\\\b\\\\c"


def snippets(count):
    for number in range(count):
        text = WHOLE % (SHARE % number, number)
        yield text if number % 4 else text[:text.index("\n") - 1]


def colour(count):
    lexer = get_lexer_by_name("javascript")
    formatter = HtmlFormatter(nowrap=True)
    return sum(highlight(text, lexer, formatter).count("<span") > 3 for text in snippets(count))


print(colour(int(sys.argv[1])))
