"""Splits the scanned diaries of a family into sentences; some pages have a picture pasted in as text."""
import sys

from nltk.tokenize.punkt import PunktSentenceTokenizer

WORDS = "rain garden letter mother harvest river evening walk bread market snow horse church brother lamp".split()


def sentence(number):
    return "We saw the " + " ".join(WORDS[(number * 3 + step * 7) % len(WORDS)] for step in range(6 + number % 9)) + "."


def picture(page):
    return "data:image/png;base64," + "".join(WORDS[(page + step) % len(WORDS)][:4] for step in range(2500))


def pages(count):
    for page in range(count):
        text = [sentence(page * 40 + number) for number in range(40)]
        if page % 10 == 3:
            text.insert(20, picture(page))
        yield " ".join(text)


def main():
    splitter = PunktSentenceTokenizer()
    sentences = [sentence for page in pages(int(sys.argv[1])) for sentence in splitter.tokenize(page)]
    print(len(sentences), "sentences, longest", max(map(len, sentences)), "letters")


main()
