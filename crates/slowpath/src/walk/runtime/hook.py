"""Started by slowpath in the target's own interpreter: writes at its end what its collector took, which calls repeat and
which take longer the more there is."""

# Events that the watch takes before it ends: about two seconds of its own time.
EVENTS = 3000000
# Calls of one function that are all timed.
CALLS = 5000
# Nanoseconds from which on calls of a function are timed by the time that their thread had: where others want the CPU, a long call
# loses it more often than a short one, as if it took longer the more there is. Asking for that time takes a hundredth of this.
LONG_CALL = 100_000
# To ask about one call takes no longer; who takes longer was not on a CPU.
ASKING = 1_000_000
# Later calls that are timed, too, one of so many: the last may take longest.
LATER = 16
# Calls of one of them that are all watched; later ones stand for others.
NATIVE_CALLS = 50000
# The first calls are all asked whether they repeat, later on so many of each so many.
EAGER, TURN, ASKED = 8000, 10000, 500
# Of what calls are given half is left out after so many calls, always the same half: what comes again is known again. What has so
# large a part of the calls stays, and is counted apart; so few inputs are not halved.
HALVED, OFTEN, INPUTS = 1000, 0.05, 16
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
# Bytes of an array that is compared by what it holds.
ARRAY = 4000000
# Calls of one function that are asked whether they put arrays together anew.
ANEW = 400
# Modules of arrays, which are known by what they hold.
ARRAYS = ("numpy", "array")
# Types whose values never change, by their module.
VALUES = ("decimal", "_decimal", "datetime", "fractions", "uuid", "ipaddress")
# Functions without a frame of their own that match a pattern, or have a database execute a statement.
STEPS = {
    "match": "match", "search": "match", "fullmatch": "match", "findall": "match", "sub": "match", "subn": "match",
    "split": "match", "execute": "query",
}
# Such steps that are looked at.
MOST_STEPS = 200000
# A match that takes longer, in nanoseconds, may go through all the text there is.
LONG_STEP = 5000
# Turns over the same text that show whether they take longer or less the further they are, and by how much then.
TURNS, TREND = 30, 3
# Fewer letters at its ends do not tell whether a text is the one of before with more, or less, of it.
ENDS = 64
# Larger numbers are no places in anything.
LARGEST = 1 << 53
# A container gets or loses up to so many from one call to the next, or a quarter.
STEP = 8
# Different things that calls are given by turns: a list for each day, a node for each shelf.
RECENT = 64
# Calls and lengths that show whether time goes with them, and calls of about one length.
COSTED, LENGTHS, ALIKE = 24, 3, 4
# Of all calls, where something holds for them but for a few.
MOSTLY = 0.8
# Functions of the program that are told behind one that has no frame.
BEHIND = 4
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
    import weakref

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
        if type(value).__module__ in ARRAYS:
            return array(value)
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

    def array(value):
        """What an array holds; of a large one which it is, and pieces of it. One without memory that can be looked at is an object."""
        try:
            view = memoryview(value)
        except (TypeError, ValueError, BufferError):
            return id(value), type(value).__name__
        size = view.nbytes
        if size > ARRAY or size > left[0]:
            return id(value), str(pieces(value))
        left[0] -= size
        return view.format, view.shape, hash(view.tobytes())

    def note_anew(watched, source, before, length, value):
        """Notes what a call has put together anew: the arrays of its object, or one that it gives."""
        given = given_to(source)
        state = getattr(given[0], "__dict__", None) if given else None
        state = state if type(state) is dict else {}
        held = [is_anew(one, state.get(name)) for name, one in before.items() if type(name) is str]
        gave = [is_anew(one, value) for name, one in before.items() if type(name) is int]
        watched.anew[0] += 1
        # Arrays of one object go together: a column of ones beside one of numbers.
        watched.anew[1] += sum([size for size, _ in held]) if any([tells for _, tells in held]) else 0
        watched.anew[1] += max([size for size, tells in gave if tells] or [0])
        watched.anew[2] += length

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
        if isinstance(value, type) or callable(value) and type(state) is not dict:
            return type(value).__name__, getattr(value, "__qualname__", None)
        if type(state) is not dict:
            # What can be closed is a thing of its own, however alike two of them look; whoever has one is, too.
            own = hasattr(type(value), "close") or depth == DEPTH
            return id(value) if own else None, type(value).__name__
        if len(state) > 50 or left[0] < 0 or depth == 0:
            # Too deep to tell two apart that were made of the same input and are alike so far.
            return type(value).__name__
        left[0] -= 64 * len(state)
        return type(value).__name__, tuple([made(one, depth - 1) for one in state.values()])

    class Watched:
        __slots__ = (
            "code", "own", "seen", "asked", "often", "mask", "since", "known", "kept", "results", "running", "last", "gave", "fed",
            "costs", "native", "by", "anew", "clock", "turn",
        )

        def __init__(self, code, own, native=None):
            self.code, self.own, self.seen, self.native = code, own, 0, native
            # What its calls are timed by.
            self.clock = now
            # Calls that were asked for it, and the bytes of arrays that these put together anew; how long they took.
            self.anew = [0, 0, 0]
            # How long calls of a function without a frame took, by the program's own function behind them.
            self.by = {}
            # How often which input was given, as far as it is asked for: those whose number has none of these bits.
            self.asked, self.often, self.mask, self.since = {}, set(), 0, 0
            self.known, self.kept, self.results = {}, 0, set()
            # Of calls that are not inside another call of it: what each was given, and how long it took; what the last gave, and how
            # many in a row were given what the one before them gave.
            self.running, self.last, self.costs, self.gave, self.fed = 0, None, [], None, 1
            # How often the last of them had been given what it goes on with.
            self.turn = 0

        def halve(self):
            """Leaves half of the inputs out, but for those that come often."""
            self.since, mask = 0, self.mask << 1 | 1
            least = OFTEN * sum(self.asked.values())
            often = self.often | {number for number, count in self.asked.items() if count >= least}
            staying = {number: count for number, count in self.asked.items() if not number & mask or number in often}
            if len(staying) - len(often) >= INPUTS:
                self.mask, self.asked, self.often = mask, staying, often
                self.known = {key: known for key, known in self.known.items() if known.number in staying}
                self.kept = sum([known.one is not None for known in self.known.values()])

        def repeats(self):
            """Of the calls that were asked, those with the input and result of an earlier one, and with the result of another input.
            What was left out is like what was not, but for what comes often."""

            def weight(number):
                return 1 if number in self.often else self.mask + 1

            whole = sum([count * weight(number) for number, count in self.asked.items()])
            looked, known = sum(self.asked.values()), self.known.values()
            same = sum([one.same * weight(one.number) for one in known])
            given = sum([one.given * weight(one.number) for one in known])
            return looked, round(looked * same / (whole or 1)), round(looked * given / (whole or 1))

    class Known:
        __slots__ = "number", "result", "one", "others", "same", "given"

        def __init__(self, number, result, one, others, given):
            self.number, self.result, self.one, self.others = number, result, one, others
            self.same, self.given = 0, given

    def about(given):
        """A number that is the same for the same input, and quickly found."""
        return hash(tuple([about_one(value) for value in given])) >> 3

    def about_one(value):
        if isinstance(value, plain):
            return value
        if type(value) in texts:
            return len(value), value[-8:]
        if type(value) in (list, tuple) and value or type(value) is dict and value:
            last = value[-1] if type(value) is not dict else next(iter(value))
            return len(value), last if type(last) in plain or type(last) in texts else None
        if type(value) in parts or type(value) is bytearray:
            return len(value)
        return hash(value) if type(value).__module__ in VALUES else id(value)

    def sign(value):
        """What tells one element from another: addresses of texts and numbers come back."""
        return hash(value) if isinstance(value, plain) or type(value) in texts else id(value)

    def extent(value):
        """A number; or which object it is, how much it holds, and what stands at its ends. A text is known by its ends alone."""
        kind = type(value)
        if kind is int:
            # A number beyond any length counts nothing.
            return value if -LARGEST < value < LARGEST else None
        if kind in texts:
            return "text", len(value), value[:ENDS], value[-ENDS:]
        if kind is bytearray:
            return id(value), len(value), bytes(value[:ENDS]), bytes(value[-ENDS:])
        if kind in (list, tuple) and value:
            return id(value), len(value), sign(value[0]), sign(value[-1])
        if kind is dict and value:
            return id(value), len(value), sign(next(iter(value))), None
        if kind in parts:
            return id(value), len(value), None, None
        return None if isinstance(value, plain) else (id(value), None, None, None)

    def goes_on(before, after, value):
        """Whether what is given is what was given before: the same object, or a text that has more or less of it. Where one
        object goes, the next may come; it has other things at its ends, and more or fewer of them."""
        if type(before) is not tuple or type(after) is not tuple or before[0] != after[0]:
            return False
        if before[1] is None or after[1] is None:
            return before[1] is after[1]
        least, most = sorted((before[1], after[1]))
        if after[0] != "text":
            near = most - least <= max(STEP, most // 4)
            return near and (before[2] == after[2] or before[3] == after[3])
        if least < 2 * ENDS:
            return False
        more = before[2] == after[2] and value[before[1] - ENDS : before[1]] == before[3]
        return more or before[1] > after[1] and before[3] == after[3]

    def given_again(watched, given):
        """What a call is given, whether that goes on from what one of the last was given, for each argument, and how often it has."""
        extents = [extent(one) for one in given]
        if watched.last is None:
            watched.last = [{} for _ in given]
        again, most = [], 1
        for recent, after, value in zip(watched.last, extents, given):
            before = recent.pop(after[0], None) if type(after) is tuple else None
            goes = before is not None and goes_on(before[0], after, value)
            again.append(goes)
            if type(after) is tuple:
                turn = before[1] + 1 if goes else 1
                most = max(most, turn)
                if len(recent) >= RECENT:
                    del recent[next(iter(recent))]
                recent[after[0]] = after, turn
        # What the call before gave has become what this one goes on with: a total, an area that each part is joined to.
        gave = watched.gave and watched.gave()
        fed = [gave is not None and one is gave for one in given]
        watched.fed = watched.fed + 1 if any(fed) else 1
        for argument, is_fed in enumerate(fed):
            if is_fed:
                again[argument], extents[argument] = True, ("fed",) + extents[argument][1:]
        return extents, again, max(most, watched.fed)

    def medians(pairs):
        """The median time of calls of about one length."""
        alike = {}
        for length, time in pairs:
            if length > 0:
                alike.setdefault(length.bit_length(), []).append((time, length))
        found = []
        for _, times in sorted(alike.items()):
            if len(times) >= ALIKE:
                lengths = sorted([length for _, length in times])
                times.sort()
                middle = len(times) // 2
                found.append({"size": lengths[middle], "calls": len(times), "median_ns": times[middle][0]})
        return found

    def gives_more(costs):
        """Whether later calls give more than earlier ones."""
        lengths = [length for _, _, length in costs if length is not None]
        part = len(lengths) // 4
        return part > 0 and sum(lengths[-part:]) >= 2 * sum(lengths[:part])

    def grows(extents):
        """Whether most calls are given something that there was less of at another time. Texts were compared already."""
        ends = {}
        for one in extents:
            least, most = ends.get(one[0], (one[1], one[1]))
            ends[one[0]] = min(least, one[1]), max(most, one[1])
        grown = [one[0] == "text" or ends[one[0]][1] >= 2 * ends[one[0]][0] for one in extents]
        return sum(grown) >= MOSTLY * len(extents)

    def costs_of(watched):
        """By what of its input the time of a function might go: each with the time at several lengths."""
        costs, code = watched.costs, watched.code
        names = watched.native.names if watched.native else code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        # Functions without a frame may be given more or less at each call.
        costs = [one for one in costs if len(one[0][0]) == len(names)]
        if len(costs) < COSTED:
            return
        kept = [any(again) for (_, again, _), _, _ in costs]

        def told_of(over, argument, pairs, count):
            sizes = medians(pairs)
            if len(sizes) >= LENGTHS:
                yield {"over": over, "argument": argument, "again": count, "sizes": sizes}

        fresh = 0
        for argument, name in enumerate(names):
            given = [one[argument] for (one, _, _), _, _ in costs]
            sized = [type(one) is tuple and one[1] is not None for one in given]
            count = sum([again[argument] for (_, again, _), _, _ in costs])
            if sum(sized) >= COSTED:
                pairs = [(one[1], time) for one, (_, time, _), is_sized in zip(given, costs, sized) if is_sized]
                whole = count >= MOSTLY * len(costs) and grows([one for one in given if type(one) is tuple and one[1] is not None])
                for found in told_of("kept" if whole else "given", name, pairs, count):
                    fresh += not whole
                    yield found
            if sum([type(one) is int for one in given]) >= COSTED:
                numbers = [(at, one) for at, one in enumerate(given) if type(one) is int]
                steps = [
                    (one > before) - (one < before)
                    for (_, before), (at, one) in zip(numbers, numbers[1:])
                    if kept[at]
                ]
                in_order = max(steps.count(1), steps.count(-1))
                # Each place of something is asked for in turn; a number that goes up and down is an amount, and so is one
                # that as much is made of.
                in_turn = in_order >= COSTED / 2 and in_order >= MOSTLY * (len(steps) - steps.count(0))
                if in_turn and not gives_more(costs):
                    pairs = [(abs(one), costs[at][1]) for at, one in numbers]
                    for found in told_of("place", name, pairs, in_order):
                        yield found
        pairs = [(turn, time) for (_, _, turn), time, _ in costs]
        # Where each call is given more than the one before, that is why it takes longer.
        if not fresh and sum(kept) >= MOSTLY * len(costs):
            for found in told_of("turn", None, pairs, sum(kept)):
                yield found
        results = [(length, time) for _, time, length in costs if length is not None]
        if len(results) >= COSTED:
            for found in told_of("result", None, results, 0):
                yield found

    functions, running, events, began, ended, concluded = {}, {}, [0], now(), [], {}
    # By thread: how long it was asked about its calls.
    spent = {}
    finds_at_once = {}
    # Functions without a frame that are watched, and who is told that a module was loaded, and by which function.
    frameless, natives, begun_natives = [], [], {}
    # Code that stands in the place of theirs, and what tells from its variables which one it is, what it is given and as what.
    stands = {}
    # Arrays that calls began with.
    anew = {}
    loads = getattr(getattr(sys.modules.get("_frozen_importlib"), "_find_and_load", None), "__code__", None)
    # Steps by their kind, the program's own line behind them and who takes them for it: how often and how long; and on a CPU, the
    # longest, those that go through the same text again, and all.
    rounds = {}
    steps, begun, step_count, matchers = {}, {}, [0], (type(re.compile("")), type(re.compile("").scanner("")))

    roots = [root]
    # Compiles patterns that the library has not kept.
    compilers = getattr(re, "_compiler", None) or getattr(re, "sre_compile", None)
    compiles = getattr(getattr(compilers, "compile", None), "__code__", None)
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
        if code in stands:
            return stands
        path = os.path.abspath(code.co_filename)
        own = is_own(code.co_filename)
        asked = own or code is compiles or (path, code.co_name) in packages
        asked = asked and not code.co_flags & ENTERED_OFTEN and not code.co_name.startswith("<")
        return Watched(code, own) if asked else None

    def given_to(frame):
        code, values = frame.f_code, frame.f_locals
        return [values.get(name) for name in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]]

    def made_of(code, given):
        """What is given, but for an object that is being made: it is another one each time, whatever it is made of."""
        return given[code.co_name == "__init__" :]

    def input_of(given):
        """Its arguments; where objects are all that is given, with what they hold."""
        key = tuple([told(value) for value in given])
        # Too much to compare is new each time.
        if any(part is None and value is not None for part, value in zip(key, given)):
            return None
        document = any(type(value) in texts and len(value) >= DOCUMENT for value in given)
        data = any(isinstance(value, texts + parts) for value in given)
        asked = data or any(type(value) is int for value in given)
        objects = [value for value in given if not isinstance(value, plain + texts + parts)]
        alone = len(objects) == len(given)
        return (key, tuple([held(value) for value in objects]) if alone else None), objects, (data, asked, document)

    def closed(value):
        """Whether nobody can see what an object of a compiled type holds; what can be closed is a thing of its own."""
        return not hasattr(value, "__dict__") and not hasattr(type(value), "close") and not callable(value)

    def compare(watched, number, key, value):
        """Whether a call had the input and the result of an earlier one."""
        key, objects, (data, asked, document) = key
        # Without a result it was called for what it does, and doing it again is not in vain; a package that is handed
        # plain data for that long checks it. What is made of plain data is made again of the same.
        if value is None and (watched.own and watched.code.co_name != "__init__" or not data):
            return
        # Whether an object goes on says nothing of what it did, and what changes it is not in vain.
        if objects and isinstance(value, bool) and not asked:
            return
        if key[1] is not None and key[1] != tuple([held(one) for one in objects]):
            return
        is_data = isinstance(value, plain) or type(value) in texts or type(value) in parts
        is_data = is_data or type(value).__module__ in ARRAYS
        result = "nothing" if value is None else told(value) if is_data else None
        if type(value) is matchers[0]:
            result = "pattern"
        if result is None and (is_data or isinstance(value, tuple)):
            result = pure(value, DEPTH)
        if result is None and document and not is_data and not isinstance(value, tuple) and closed(value):
            result = type(value).__name__
        whole = result is not None
        if not whole and (watched.kept < KEPT or key in watched.known):
            result = made(value, DEPTH)
        if result is None:
            return
        known = watched.known.get(key)
        if known:
            # Where one object goes, the next may come.
            there = all([other is None or other() is mine for other, mine in zip(known.others, objects)])
            # The very object again was kept by somebody already.
            known.same += there and known.result == result and (whole or known.one() is not value)
        else:
            others = [pointer(one) for one in objects]
            given = is_given(watched, value, result if whole else made(value, DEPTH))
            watched.known[key] = Known(number, result, None if whole else holder(watched, value), others, given)

    def pointer(value):
        """Leads to an object for as long as the program has it. None where that cannot be known."""
        try:
            return weakref.ref(value)
        except TypeError:
            return None

    def led_to(value):
        """Leads to what a call gave until the next one. Small values are the same object wherever they come from; what can be
        closed must end when the program lets go of it."""
        if isinstance(value, plain) or type(value) in texts:
            return None
        return pointer(value) or (None if hasattr(type(value), "close") else lambda: value)

    def holder(watched, value):
        """Gives a result back. What can be closed ends when the program lets go of it."""
        watched.kept += 1
        if not hasattr(type(value), "close"):
            return lambda: value
        return pointer(value) or (lambda: None)

    def is_given(watched, value, result):
        """Whether a large result from a new input is one that an earlier call had given."""
        large = type(value) in parts and len(value) >= LARGE or type(value) in texts and len(value) >= LONG
        if not large or result is None:
            return False
        given = result in watched.results
        watched.results.add(result)
        return given

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
            if known is not None and known is not stands and known.own or known is None and is_own(name):
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
                kind = "statement"
            step_count[0] += 1
            begun[thread] = frame.f_code, kind, own_line(frame), time.thread_time_ns(), now()
            return
        ended_at, computed = now(), time.thread_time_ns()
        inside, kind, own, before, at = begun.pop(thread, (None, None, None, 0, 0))
        # What it calls itself begins and ends in between.
        if inside is not frame.f_code or own is None:
            return
        # What others have of the CPU meanwhile says nothing of a pattern.
        length, computed, key = ended_at - at, computed - before, (kind, own, inside)
        known = steps.setdefault(key, [0, 0, 0, 0, 0])
        known[0] += 1
        known[1] += length
        known[2] = max(known[2], computed)
        known[4] += computed
        if kind == "match" and computed >= LONG_STEP:
            text = max([len(one) for one in frame.f_locals.values() if type(one) in texts] or [0])
            if rounds.get(key, (None,))[0] != (id(frame), text):
                end_round(key)
                rounds[key] = (id(frame), text), []
            rounds[key][1].append(computed)

    def matched(found):
        """What a pattern finds one by one, each timed. What the watch itself takes meanwhile is known by a pattern that finds at once."""
        caller, least = sys._getframe(1), at_once()
        own, clock, key = own_line(caller), time.thread_time_ns, None
        before = clock()
        for one in found:
            took = max(clock() - before - least, 0)
            step_count[0] += 1
            if own is None or step_count[0] > MOST_STEPS:
                yield one
                break
            if key is None:
                key = "match", own, caller.f_code
            known = steps.setdefault(key, [0, 0, 0, 0, 0])
            known[0] += 1
            known[1] += took
            known[2] = max(known[2], took)
            known[4] += took
            yield one
            before = clock()
        # The rest is like those, and goes through without us.
        yield from found

    def at_once():
        """What timing one find takes, once for each thread: others may have other watches."""
        thread = get_ident()
        if thread not in finds_at_once:
            times, clock = [], time.thread_time_ns
            before = clock()
            for _ in re.compile("a").finditer("a" * 99):
                times.append(clock() - before)
                before = clock()
            finds_at_once[thread] = sorted(times)[len(times) // 2]
        return finds_at_once[thread]

    def end_round(key):
        """Notes matches in one text that take less, or more, the further they are: each goes through all that is left."""
        _, lengths = rounds.pop(key, (None, []))
        third = len(lengths) // 3
        if len(lengths) >= TURNS:
            first, last = [sorted(part)[third // 2] for part in (lengths[:third], lengths[-third:])]
            if max(first, last) >= TREND * min(first, last):
                steps[key][3] += sum(lengths)

    def enter(watched, code, given_by, source):
        """A call begins: what it is given, as far as it is asked, and when. None where it is not."""
        watched.seen += 1
        timed = watched.seen <= CALLS or watched.seen % LATER == 0 and len(watched.costs) < 2 * CALLS
        asks = left[0] >= 0 and (watched.seen <= EAGER or watched.seen % TURN < ASKED)
        if not timed and not asks:
            return None
        number = key = extents = None
        try:
            given = given_by(source)
            told_by = made_of(code, given)
            try:
                number = about(told_by) if asks else None
            except Exception:
                number = 0
            if number is not None and number & watched.mask and number not in watched.asked:
                number = None
            if not timed and number is None:
                return None
            if number is not None:
                watched.asked[number] = watched.asked.get(number, 0) + 1
                watched.since += 1
            extents = given_again(watched, given) if timed and not watched.running else None
            if extents is not None and watched.seen <= CALLS:
                watched.turn = extents[2]
            elif extents is not None:
                # In between were others, which nobody counted; but where nearly all went on so far, these did, too.
                goes_on_still = extents[2] > 1 and watched.turn >= MOSTLY * CALLS
                extents = extents[0], extents[1], watched.seen if goes_on_still else 0
            if number is not None:
                key = input_of(told_by)
                if watched.since >= HALVED:
                    watched.halve()
        except Exception:
            # An object may refuse to be looked at; the program must not notice.
            pass
        watched.running += 1
        clock = watched.clock
        return number, key, extents, clock, clock()

    def leave(watched, entered, length, value):
        """A call ends."""
        number, key, extents = entered[:3]
        watched.running -= 1
        if length > LONG_CALL:
            watched.clock = time.thread_time_ns
        try:
            if extents is not None:
                watched.gave = led_to(value)
                sized = type(value) in texts or type(value) in parts
                watched.costs.append((extents, length, len(value) if sized else None))
            if key is not None:
                compare(watched, number, key, value)
        except Exception:
            pass

    def spend(thread, before):
        """Counts what a thread was kept since then. Who lost the CPU meanwhile was kept by others."""
        so_far = spent[thread] = spent.get(thread, 0) + min(now() - before, ASKING)
        return so_far

    def watch(frame, event, value):
        events[0] += 1
        if events[0] > EVENTS:
            sys.setprofile(None)
            ended.append((now(), time.process_time_ns()))
            try:
                conclude()
            except Exception:
                # Another thread has changed something meanwhile; at the end nobody does.
                pass
            return
        if event == "call":
            code = frame.f_code
            try:
                watched = functions[code]
            except KeyError:
                watched = functions[code] = of(code)
            if watched is None:
                return
            if watched is stands:
                try:
                    begin_native(frame)
                except Exception:
                    pass
                return
            before, thread = now(), get_ident()
            entered = enter(watched, code, given_to, frame)
            if entered is not None:
                if watched.anew[0] < ANEW:
                    try:
                        # On a busy machine only the thread's own time tells what copying takes.
                        anew[id(frame)] = arrays_of(given_to(frame)), time.thread_time_ns()
                    except Exception:
                        pass
                running[id(frame)] = (*entered[:4], entered[3](), spend(thread, before))
            else:
                spend(thread, before)
        elif event == "return":
            known = running.pop(id(frame), None)
            if known is None:
                if begun_natives and id(frame) in begun_natives:
                    end_native(frame, value)
                elif natives and frame.f_code is loads:
                    natives[0](frame.f_locals.get("name"))
                return
            length, before, thread = known[3]() - known[4], now(), get_ident()
            # What was asked of the calls inside it is most of what a small one takes, and less of the later ones.
            length = max(length - spent.get(thread, 0) + known[5], 0)
            watched = functions.get(frame.f_code)
            if watched is not None:
                leave(watched, known, length, value)
                arrays, at = anew.pop(id(frame), (None, 0))
                if arrays:
                    try:
                        note_anew(watched, frame, arrays, time.thread_time_ns() - at, value)
                    except Exception:
                        pass
            spend(thread, before)
        elif begun or event == "c_call" and value.__name__ in STEPS:
            try:
                step(frame, event, value)
            except Exception:
                pass

    def place(code, line):
        name = getattr(code, "co_qualname", code.co_name)
        return {"function": name, "file": os.path.abspath(code.co_filename), "line": line}

    def conclude():
        """What was learnt, once. All that it was learnt from is let go of: the collector would go through it until the end."""
        if concluded:
            return
        watched = [one for one in list(functions.values()) if one is not None and one is not stands]
        found = [(one.code, one.repeats()) for one in watched]
        found = [(code, told) for code, told in found if told[0] >= 2]
        found.sort(key=lambda one: -max(one[1][1:]))
        repeats = [
            dict(place(code, code.co_firstlineno), calls=calls, same=same, given=given)
            for code, (calls, same, given) in found[:50]
        ]
        costly = [(sum([time for _, time, _ in one.costs]), one) for one in watched]
        costly.sort(key=lambda one: -one[0])
        costs = [
            dict(found, taken_ns=time, calls=len(one.costs), **place(one.code, one.code.co_firstlineno))
            for time, one in costly[:50]
            for found in costs_of(one)
        ]
        copies = [
            dict(place(one.code, one.code.co_firstlineno), calls=one.anew[0], bytes=one.anew[1], taken_ns=one.anew[2])
            for one in watched
            if one.anew[1]
        ]
        copies.sort(key=lambda one: -one["bytes"])
        concluded.update(repeats=repeats, costs=costs, copies=copies[:50], natives=[found for one in frameless for found in told_of_native(one)])
        functions.clear()
        running.clear()
        del frameless[:]

    def told_of_native(watched):
        """What was learnt of a function without a frame, for each function of the program behind it."""
        native = watched.native
        calls, same, given = watched.repeats()
        own = {"function": native.function, "file": native.file, "line": native.line}
        by = sorted(watched.by.items(), key=lambda one: -one[1])[:BEHIND]
        whole = sum(watched.by.values())
        costs = [dict(found, taken_ns=whole, calls=len(watched.costs), **own) for found in costs_of(watched)]
        return [
            dict(own, by=place(code, code.co_firstlineno), calls=calls, same=same, given=given, taken_ns=time, costs=costs)
            for code, time in by
        ]

    def write():
        # A forked child has its parent's handlers, and ends in its own way.
        if os.getpid() != owner:
            return
        sys.setprofile(None)
        last, computed = (ended or [(now(), time.process_time_ns())])[0]
        import json

        for key in list(rounds):
            end_round(key)
        conclude()
        taken = [
            {
                "kind": kind,
                "by": place(own, line),
                "inside": place(inside, inside.co_firstlineno),
                "calls": calls,
                "taken_ns": taken,
                "longest_ns": longest,
                "again_ns": again,
                "on_cpu_ns": computed,
            }
            for (kind, (own, line), inside), (calls, taken, longest, again, computed) in steps.items()
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
            found = dict(concluded, collector=collector, steps=taken[:50])
            json.dump(dict(found, watched_ns=last - began, watched_on_cpu_ns=computed), out)
        os.rename(path, path + ".json")

    def native(told):
        """A function without a frame that is watched from now on, by what stands in its place."""
        watched = Watched(told, False, told)
        frameless.append(watched)
        return watched

    def begin_native(frame):
        """What stands in the place of a function without a frame is called. All is done here, where no call of ours is watched."""
        found = stands[frame.f_code](frame.f_locals)
        if found is None:
            return
        watched, given, names = found
        told = watched.native
        told.calls += 1
        if watched.running or told.calls > NATIVE_CALLS and told.calls % LATER:
            return
        behind = own_line(frame.f_back)
        if behind is not None:
            told.names = told.names or names
            weight = 1 if told.calls <= NATIVE_CALLS else LATER
            begun_natives[id(frame)] = watched, enter(watched, told, list, given), behind[0], weight, now()

    def end_native(frame, value):
        watched, entered, behind, weight, at = begun_natives.pop(id(frame))
        length = now() - at
        watched.by[behind] = watched.by.get(behind, 0) + weight * length
        if entered is not None:
            leave(watched, entered, length, value)

    gc.callbacks.append(collected)
    atexit.register(write)
    if os.environ.get("SLOWPATH_REPEATS"):
        try:
            natives += watch_natives(native, stands, matched)
        except Exception:
            # Whatever its program has done to its modules, the rest is watched.
            pass
        threading.setprofile(watch)
        sys.setprofile(watch)
