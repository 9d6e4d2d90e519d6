"""Started by slowpath in the target's own interpreter: writes at its end what its collector took and which calls repeat."""

# Events that the watch takes before it ends: about two seconds of its own time.
EVENTS = 3000000
# Calls of one function that are looked at.
CALLS = 5000
# Bytes of plain data that are compared in all: a tenth of a second.
BYTES = 100000000
# Results made of objects that are kept for one function, so that what they hold stays what it is.
KEPT = 64
# How far objects are looked into.
DEPTH = 3
# A result of fewer parts or letters is often the same by chance.
LARGE, LONG = 8, 64
# Whoever is handed a text this long makes something of it.
DOCUMENT = 256
# Types whose values never change, by their module.
VALUES = ("decimal", "_decimal", "datetime", "fractions", "uuid", "ipaddress")
# Functions without a frame of their own that match a pattern, or have a database execute a statement.
STEPS = {
    "match": "match", "search": "match", "fullmatch": "match", "findall": "match", "sub": "match", "subn": "match",
    "split": "match", "execute": "query",
}
# Such steps that are looked at.
MOST_STEPS = 200000
# Generators, coroutines and asynchronous generators are called once and entered often.
ENTERED_OFTEN = 0x20 | 0x80 | 0x200


def start(folder):
    import atexit
    import gc
    import marshal
    import os
    import re
    import sys
    import threading
    import time

    owner = os.getpid()
    root = os.path.abspath(os.environ.get("SLOWPATH_PROJECT", "") or ".") + os.sep
    now, get_ident = time.perf_counter_ns, threading.get_ident
    took = {"collections": 0, "taken": 0, "longest": 0, "from": None}

    def collected(phase, _):
        if phase == "start":
            took["from"] = now()
        elif took["from"] is not None:
            length = now() - took["from"]
            took["from"] = None
            took["collections"] += 1
            took["taken"] += length
            took["longest"] = max(took["longest"], length)

    plain, texts, parts = (int, float, complex, bool, type(None)), (str, bytes), (tuple, list, dict, set, frozenset)
    left = [BYTES]

    def told(value):
        """What a value is, as far as plain data tells; for anything else which object it is. None when it is too much."""
        if isinstance(value, plain):
            return value
        if type(value) in texts:
            return len(value), hash(value)
        if type(value).__module__ in VALUES:
            return type(value).__name__, hash(value)
        if type(value) is bytearray:
            # A buffer stays the same object, whatever is put into it.
            left[0] -= len(value)
            return len(value), hash(bytes(value))
        if type(value) in parts:
            if left[0] < 0 or len(value) > 100000:
                return None
            try:
                # Later forms tell how often an object is referred to, which is not what it is.
                text = marshal.dumps(value, 2)
            except ValueError:
                # Objects among them: which they are is told one by one.
                left[0] -= 64 * len(value)
                return None
            left[0] -= len(text)
            return len(text), hash(text)
        return id(value), type(value).__name__

    def held(value):
        """What an object holds: when that changes, it is not the same input any more."""
        state = getattr(value, "__dict__", None)
        if isinstance(value, type) or type(state) is not dict or len(state) > 50 or left[0] < 0:
            return None
        left[0] -= 64 * len(state)
        return tuple([told(one) or len(one) if type(one) in parts else told(one) for one in state.values()])

    def pure(value, depth):
        """What data is that is made of values which never change. None when anything else is among them."""
        if isinstance(value, plain) or type(value) in texts or type(value).__module__ in VALUES:
            return told(value)
        if not (type(value) in parts or isinstance(value, tuple)) or depth == 0 or left[0] < 0 or len(value) > 10000:
            return None
        found = []
        for one in value.items() if type(value) is dict else value:
            left[0] -= 64
            part = pure(one, depth - 1)
            if part is None:
                return None
            found.append(part)
        return type(value).__name__, tuple(found)

    def made(value, depth):
        """What a result is made of: objects by what they hold, down to those that are known only by which they are."""
        if isinstance(value, plain) or type(value) in texts:
            return told(value)
        if type(value) in parts:
            short = told(value)
            if short is not None or left[0] < 0 or len(value) > 10000 or depth == 0:
                return short
            items = value.items() if type(value) is dict else value
            return type(value).__name__, tuple([made(one, depth - 1) for one in items])
        if isinstance(value, tuple) and depth:
            return type(value).__name__, tuple([made(one, depth - 1) for one in value])
        if type(value).__module__ in VALUES:
            return told(value)
        state = getattr(value, "__dict__", None)
        # What can be closed is a thing of its own, however alike two of them look.
        known = isinstance(value, type) or hasattr(type(value), "close") or type(state) is not dict
        if known or len(state) > 50 or left[0] < 0 or depth == 0:
            return id(value), type(value).__name__
        left[0] -= 64 * len(state)
        return type(value).__name__, tuple([made(one, depth - 1) for one in state.values()])

    class Watched:
        __slots__ = ("code", "own", "calls", "same", "given", "known", "kept", "results")

        def __init__(self, code, own):
            self.code, self.own, self.calls, self.same, self.given = code, own, 0, 0, 0
            self.known, self.kept, self.results = {}, [], set()

    functions, running, events, began, ended = {}, {}, [0], now(), []
    # Steps by their kind, the program's own line behind them and who takes them for it: how often, and how long.
    steps, begun, step_count, matchers = {}, {}, [0], (type(re.compile("")), type(re.compile("").scanner("")))

    roots = [root]
    # Functions of packages that much of the time goes through, by file and name.
    packages = {tuple(line.split("\t")) for line in os.environ.get("SLOWPATH_PACKAGES", "").splitlines()}

    def is_own(name):
        if len(roots) == 1:
            # Known only once the script runs; it may lie elsewhere than the working directory.
            roots.append(os.path.dirname(os.path.abspath(sys.argv[0] or ".")) + os.sep)
        path = os.path.abspath(name)
        own = not name.startswith("<") and any(path.startswith(one) for one in roots)
        return own and "site-packages" not in name and name != start.__code__.co_filename

    def of(code):
        path = os.path.abspath(code.co_filename)
        own = is_own(code.co_filename)
        asked = own or (path, code.co_name) in packages
        asked = asked and not code.co_flags & ENTERED_OFTEN and not code.co_name.startswith("<")
        return Watched(code, own) if asked else None

    def input_of(frame):
        """Its arguments; where an object of some class is all that is given, with that and what it holds."""
        code = frame.f_code
        values = frame.f_locals
        given = [values.get(name) for name in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]]
        # An object that is being made is another one each time, whatever it is made of.
        given = given[code.co_name == "__init__" :]
        key = tuple([told(value) for value in given])
        # Too much to compare is new each time.
        if any(part is None and value is not None for part, value in zip(key, given)):
            return None
        document = any(type(value) in texts and len(value) >= DOCUMENT for value in given)
        if not given or any(isinstance(value, plain + texts + parts) for value in given):
            return key, None, document
        return (key, tuple([held(value) for value in given])), given, document

    def closed(value):
        """Whether nobody can see what an object of a compiled type holds; what can be closed is a thing of its own."""
        return not hasattr(value, "__dict__") and not hasattr(type(value), "close") and not callable(value)

    def compare(watched, key, value):
        """Whether a call had the input and the result of an earlier one."""
        key, objects, document = key
        # Without a result it was called for what it does, and doing it again is not in vain; a package that is handed
        # plain data for that long checks it.
        if value is None and (watched.own or objects is not None or not key):
            return
        # Whether an object goes on says nothing of what it did, and what changes it is not in vain.
        if objects and (isinstance(value, bool) or key[1] != tuple([held(one) for one in objects])):
            return
        data = isinstance(value, plain) or type(value) in texts or type(value) in parts
        result = "nothing" if value is None else told(value) if data else None
        if result is None and (data or isinstance(value, tuple)):
            result = pure(value, DEPTH)
        if result is None and document and not data and not isinstance(value, tuple) and closed(value):
            result = type(value).__name__
        whole = result is not None
        if not whole and (len(watched.kept) < KEPT or key in watched.known):
            result = made(value, DEPTH)
        if result is None:
            return
        if key in watched.known:
            # The very object again was kept by somebody already.
            known, one = watched.known[key]
            watched.same += known == result and (whole or one is not value)
        else:
            watched.known[key] = result, None if whole else value
            if not whole:
                watched.kept.append(value)
            note_given(watched, value, result if whole else made(value, DEPTH))

    def note_given(watched, value, result):
        """Whether a large result from a new input is one that an earlier call had given."""
        large = type(value) in parts and len(value) >= LARGE or type(value) in texts and len(value) >= LONG
        if large and result is not None:
            watched.given += result in watched.results
            watched.results.add(result)

    def own_line(frame):
        """The program's own function behind a frame, and the line it is at."""
        for _ in range(60):
            if frame is None:
                return None
            code = frame.f_code
            if code not in functions:
                functions[code] = of(code)
            known = functions[code]
            name = code.co_filename
            if known is not None and known.own or known is None and is_own(name):
                return code, frame.f_lineno
            frame = frame.f_back
        return None

    def reads(frame):
        """Whether a statement that asks for rows is at hand; who calls a function without a frame is not told with what."""
        texts = [value for value in frame.f_locals.values() if type(value) is str]
        return any(text[:60].lstrip().lower().startswith(("select", "with ")) for text in texts)

    def step(frame, event, value):
        """A function without a frame begins or ends."""
        thread = get_ident()
        if event == "c_call":
            kind = STEPS.get(value.__name__)
            of_pattern = isinstance(value.__self__, matchers)
            if kind is None or (kind == "match") != of_pattern or step_count[0] > MOST_STEPS:
                return
            if kind == "query" and not reads(frame):
                return
            step_count[0] += 1
            begun[thread] = frame.f_code, kind, own_line(frame), now()
            return
        inside, kind, own, at = begun.pop(thread, (None, None, None, 0))
        # What it calls itself begins and ends in between.
        if inside is not frame.f_code or own is None:
            return
        known, length = steps.setdefault((kind, own, inside), [0, 0, 0]), now() - at
        known[0] += 1
        known[1] += length
        known[2] = max(known[2], length)

    def watch(frame, event, value):
        events[0] += 1
        if events[0] > EVENTS or left[0] < 0:
            sys.setprofile(None)
            ended.append(now())
            return
        if event == "call":
            code = frame.f_code
            try:
                watched = functions[code]
            except KeyError:
                watched = functions[code] = of(code)
            if watched is None or watched.calls >= CALLS:
                return
            watched.calls += 1
            try:
                key = input_of(frame)
            except Exception:
                # An object may refuse to be looked at; the program must not notice.
                return
            if key is not None:
                running[id(frame)] = key
        elif event == "return":
            key = running.pop(id(frame), None)
            if key is None:
                return
            try:
                compare(functions[frame.f_code], key, value)
            except Exception:
                pass
        elif begun or event == "c_call" and value.__name__ in STEPS:
            try:
                step(frame, event, value)
            except Exception:
                pass

    def write():
        # A forked child has its parent's handlers, and ends in its own way.
        if os.getpid() != owner:
            return
        sys.setprofile(None)
        import json

        found = [one for one in functions.values() if one is not None and one.calls >= 2]
        found.sort(key=lambda one: -max(one.same, one.given))
        repeats = [
            {
                "function": getattr(one.code, "co_qualname", one.code.co_name),
                "file": os.path.abspath(one.code.co_filename),
                "line": one.code.co_firstlineno,
                "calls": one.calls,
                "same": one.same,
                "given": one.given,
            }
            for one in found[:50]
        ]
        def place(code, line):
            name = getattr(code, "co_qualname", code.co_name)
            return {"function": name, "file": os.path.abspath(code.co_filename), "line": line}

        taken = [
            {
                "kind": kind,
                "by": place(own, line),
                "inside": place(inside, inside.co_firstlineno),
                "calls": calls,
                "taken_ns": taken,
                "longest_ns": longest,
            }
            for (kind, (own, line), inside), (calls, taken, longest) in steps.items()
        ]
        taken.sort(key=lambda one: -one["taken_ns"])
        collector = {
            "collections": took["collections"],
            "taken_ns": took["taken"],
            "longest_ns": took["longest"],
            "beside": False,
            "allocated": None,
        }
        path = os.path.join(folder, "python.%d" % owner)
        with open(path, "w") as out:
            watched = (ended or [now()])[0] - began
            json.dump({"collector": collector, "repeats": repeats, "steps": taken[:50], "watched_ns": watched}, out)
        os.rename(path, path + ".json")

    gc.callbacks.append(collected)
    atexit.register(write)
    if os.environ.get("SLOWPATH_REPEATS"):
        threading.setprofile(watch)
        sys.setprofile(watch)
