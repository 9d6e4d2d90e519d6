"""Asks a calculator at its prompt a list of questions."""
import sys

import pexpect

CALCULATOR = "while True: print(eval(input('? ')))"


def ask(questions):
    child = pexpect.spawn(sys.executable, ["-c", CALCULATOR], encoding="ascii", echo=False)
    child.expect_exact("? ")
    answers = []
    for question in questions:
        child.sendline(question)
        child.expect_exact("? ")
        answers.append(int(child.before.split()[-1]))
    child.close(force=True)
    return answers


print(sum(ask([f"{number} * 7" for number in range(int(sys.argv[1]))])))
