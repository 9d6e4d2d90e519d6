"""Answers requests of a shop: the browser keeps the basket in a cookie, as JSON in quotes."""
import json
import sys

from tornado.httputil import HTTPHeaders, HTTPServerRequest


def basket(articles):
    return {f"article-{number}": {"pieces": number % 9 + 1, "colour": "blue"} for number in range(articles)}


def header(shopper, articles):
    text = json.dumps(basket(articles), separators=(",", ":")).replace('"', '\\"')
    return f'shopper={shopper}; theme=light; basket="{text}"'


def pieces_of(request):
    kept = json.loads(request.cookies["basket"].value)
    return sum(line["pieces"] for line in kept.values())


def serve(count, articles):
    total = 0
    for shopper in range(count):
        headers = HTTPHeaders({"Host": "shop.test", "Cookie": header(shopper, articles)})
        total += pieces_of(HTTPServerRequest(method="GET", uri="/basket", headers=headers))
    return total


print(serve(int(sys.argv[1]), 900))
