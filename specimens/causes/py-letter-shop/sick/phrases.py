"""Catalogues of phrases, one JSON file for each language."""

import json
import os

KEYS = ("greeting.loyal", "greeting.plain", "delivery", "unit.day", "unit.days", "thanks", "closing")


def write_catalogues(folder, languages):
    for language in languages:
        catalogue = {key: f"[{language}] {key.replace('.', ' ')}" for key in KEYS}
        for number in range(350):
            catalogue[f"page.{number}.title"] = f"title {number} in {language} \u00e9\u00fc"
        with open(os.path.join(folder, language + ".json"), "w", encoding="utf-8") as file:
            json.dump(catalogue, file, indent=1)


def read_catalogue(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


class Phrases:
    def __init__(self, folder):
        self.folder = folder
        self.fallback = "en"

    def phrase(self, language, key):
        catalogue = read_catalogue(os.path.join(self.folder, language + ".json"))
        if key not in catalogue and language != self.fallback:
            return self.phrase(self.fallback, key)
        return catalogue[key]
