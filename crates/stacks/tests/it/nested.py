"""What the tests of the Python reader look at. The first argument says what to do."""

import functools
import os
import sys
import threading
import time


class Machine:
    def run(self):
        return self.step()  # line: Machine.run

    def step(self):
        return list(numbers())  # line: Machine.step


def numbers():
    yield sum(ordered(n) for n in range(1))  # line: numbers


def ordered(n):
    return len(sorted([n], key=by_key))  # line: ordered


def by_key(n):
    return functools.reduce(fold, [n, 1])  # line: by_key


def fold(a, b):
    pause()  # line: fold
    return a + b


def pause():
    say("ready", sys.version_info[1], threading.get_native_id(), *others)
    time.sleep(1000)  # line: pause


class Worker:
    def loop(self):
        others.append(threading.get_native_id())
        begun.set()
        never.wait()  # line: Worker.loop


others = []
begun = threading.Event()
never = threading.Event()


def say(*words):
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


def start(what):
    threading.Thread(target=what, daemon=True).start()
    begun.wait()


def sleep():
    start(Worker().loop)
    Machine().run()  # line: sleep


def spin():
    say("ready")
    count = 0
    while True:
        odd(3)
        even(2)
        sum(square(n) for n in range(3))
        count += 1
        if count % 20 == 0:
            made(count)


def small():
    say("ready")
    while True:
        top(3)


def top(n):
    return middle(n) + middle(n + 1)


def middle(n):
    return leaf(n) * leaf(n + 1)


def leaf(n):
    return n + 1


def deep():
    say("ready")
    while True:
        node(10)


def node(left):
    return first(left) and sequence(left)


def sequence(left):
    return first(left) + item(left - 1) + first(left)


def item(left):
    return node(left)


def first(left):
    return leaf(left) - 1


def collect():
    import gc

    gc.disable()
    kept = [[n] for n in range(400000)]
    say("ready")
    while kept:
        gc.collect()


def odd(n):
    return n and even(n - 1)


def even(n):
    return n and odd(n - 1)


def square(n):
    return n * n


def made(count):
    name = "made_%d" % count
    space = {"square": square}
    exec(compile("def %s():\n    return square(2)" % name, "<made>", "exec"), space)
    return space[name]()


def hog():
    others.append(threading.get_native_id())
    begun.set()
    while True:
        square(3)


def hold():
    start(hog)
    pause()


def fork():
    if os.fork() == 0:
        say("child", os.getpid())
        pause()
    os.wait()


if __name__ == "__main__":
    globals()[sys.argv[1]]()  # line: <module>
