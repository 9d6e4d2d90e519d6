

# The second part of what slowpath starts in the target's own interpreter: functions without a Python frame (of C, Cython, Rust), which
# no profile of Python's sees. Those of Cython tell no profiler at all, and what they call among themselves nobody; so a function of a
# module takes its place there. Operations at hot lines, such as `tree[3]` of a compiled type, which lets nobody take the place of
# its own, are watched where the line stands: its function gets the code of a text in which they are handed to the watch.

# Functions that must not get a frame between them and who calls them.
LOOKS_AROUND = ("super", "locals", "globals", "vars", "dir", "eval", "exec", "_getframe", "currentframe", "stack")
# Smaller ones are no burden to copy. Pieces that tell whether one array holds what another held, their bytes, and how many of them
# must be the same: what is put in between moves the rest.
BURDEN, PIECES, PIECE, ALIKE_PIECES = 16384, 16, 32, 14
# Lines that an operation goes over at most: a longer one is made of others.
LINES = 8
# Calls within which functions to be replaced must have come: a tenth of a second.
LOOKS = 300000
# Letters of an operation's text that are told.
TEXT = 60


class Native:
    """What is told of a function without a frame, as code tells of others."""

    co_name, co_flags = "", 0

    def __init__(self, function, file, line):
        self.function, self.file, self.line, self.names, self.calls = function, file, line, (), 0


def watch_natives(native, stands, matched):
    """Gives who is told that a module was loaded. What takes the place of others does nothing but call them: whoever watches its
    frame finds in `stands` what to make of it. `matched` goes through what a pattern finds one by one, and times each."""
    import os

    asked = {}
    for line in os.environ.get("SLOWPATH_NATIVES", "").splitlines():
        path, name = line.split("\t")
        asked.setdefault(path, set()).add(name)
    lines = {}
    for line in os.environ.get("SLOWPATH_LINES", "").splitlines():
        path, number = line.split("\t")
        lines.setdefault(path, set()).add(int(number))
    rounds = {}
    for line in os.environ.get("SLOWPATH_ROUNDS", "").splitlines():
        path, number = line.split("\t")
        rounds.setdefault(path, set()).add(int(number))
    rounds = {path: wanted for path, wanted in rounds.items() if path in lines or finds(path, wanted)}
    if lines or rounds:
        watch_lines(native, stands, lines, rounds, matched)
    return [watch_modules(native, stands, asked)] if asked else []


def finds(path, wanted):
    """Whether one of these lines goes through what a pattern finds."""
    try:
        with open(path, "rb") as file:
            return any([b"finditer" in text for number, text in enumerate(file, 1) if number in wanted])
    except OSError:
        return False


def watch_modules(native, stands, asked):
    """Functions of extension modules, by the module's file."""
    import os
    import sys

    def is_function(value, module):
        kind = type(value).__name__
        # A method of an object is no function of the module's.
        home = getattr(value, "__self__", None)
        bare = kind == "builtin_function_or_method" and (home is module or home is None)
        return bare or kind == "cython_function_or_method"

    def given_to(values):
        given, named = values["given"], values["named"]
        names = ["argument %d" % (at + 1) for at in range(len(given))] + list(named)
        return values["watched"], list(given) + list(named.values()), names

    def stand_in(value, path):
        watched = native(Native(value.__name__, path, 0))

        def call(*given, **named):
            watched
            return value(*given, **named)

        stands[call.__code__] = given_to
        for name in ("__name__", "__qualname__", "__module__", "__doc__", "__text_signature__"):
            try:
                setattr(call, name, getattr(value, name))
            except (AttributeError, TypeError):
                pass
        call.__dict__.update(getattr(value, "__dict__", None) or {})
        call.__wrapped__ = value
        return call

    def loaded(name):
        """Whoever imports the module finds the stand-in under its name, and so does who pickles it."""
        module = sys.modules.get(name)
        path = getattr(module, "__file__", None)
        if type(path) is not str or not path.endswith(".so"):
            return
        wanted = asked.pop(os.path.realpath(path), None)
        names = vars(module)
        for name, value in list(names.items()) if wanted else []:
            if name in wanted and is_function(value, module):
                names[name] = stand_in(value, os.path.realpath(path))

    def told(name):
        try:
            loaded(name)
        except Exception:
            pass

    return told


def handed(path, wanted, rounds, first):
    """The code of a file whose operations at these lines are handed to the watch, by name and first line; which of these functions
    must be replaced for it; and the operations, numbered from `first` on: text, line, and what they are given. At the lines of
    `rounds` only what goes through the finds of a pattern is."""
    import ast

    with open(path, "rb") as file:
        tree = ast.parse(file.read(), path)
    steps, within, outer = [], [], set()

    def text(node):
        # Older Pythons do not write it out.
        return ast.unparse(node)[:TEXT] if hasattr(ast, "unparse") else "it"

    def is_hot(node, wanted=wanted):
        last = getattr(node, "end_lineno", None) or node.lineno
        return bool(within) and last - node.lineno < LINES and any([node.lineno <= line <= last for line in wanted])

    def is_found(node):
        """Whether a loop goes through what a pattern finds one by one."""
        called = node.func if isinstance(node, ast.Call) else None
        return is_hot(node, rounds) and (getattr(called, "attr", None) or getattr(called, "id", None)) == "finditer"

    def in_rounds(node):
        outer.add(within[0])
        return ast.copy_location(ast.Call(ast.Name("__slowpath_rounds__", ast.Load()), [node], []), node)

    def to_watch(name, node, given, said, about):
        outer.add(within[0])
        steps.append((said, node.lineno, about))
        number = ast.Constant(first + len(steps) - 1)
        return ast.copy_location(ast.Call(ast.Name(name, ast.Load()), given + [number], []), node)

    class Handing(ast.NodeTransformer):
        def visit_function(self, node):
            line = min([one.lineno for one in [node] + node.decorator_list])
            within.append((node.name, line))
            # What stands around it runs once.
            node.body = [self.visit(one) for one in node.body]
            within.pop()
            return node

        visit_FunctionDef = visit_AsyncFunctionDef = visit_function

        def visit_loop(self, node):
            found = is_found(node.iter)
            self.generic_visit(node)
            node.iter = in_rounds(node.iter) if found else node.iter
            return node

        visit_For = visit_comprehension = visit_loop

        def visit_JoinedStr(self, node):
            # Its parts have places of their own only in later versions.
            return node

        def visit_Subscript(self, node):
            if not is_hot(node) or not isinstance(node.ctx, ast.Load):
                return self.generic_visit(node)
            said, about = text(node), [text(node.value), text(node.slice)]
            index = node.slice.value if type(node.slice).__name__ == "Index" else node.slice
            cut = [one for one in ast.walk(index) if type(one).__name__ in ("Slice", "ExtSlice", "Starred")]
            self.generic_visit(node)
            if cut:
                return node
            index = node.slice.value if type(node.slice).__name__ == "Index" else node.slice
            return to_watch("__slowpath_item__", node, [node.value, index], said, about)

        def visit_Call(self, node):
            name = getattr(node.func, "id", None) or getattr(node.func, "attr", None)
            if not is_hot(node) or name is None or name in LOOKS_AROUND:
                return self.generic_visit(node)
            home = [text(node.func.value)] if isinstance(node.func, ast.Attribute) else []
            given = [text(one) for one in node.args] + [one.arg or "**" for one in node.keywords]
            said = text(node)
            self.generic_visit(node)
            node.func = to_watch("__slowpath_call__", node.func, [node.func], said, (home, given))
            return node

    code = compile(ast.fix_missing_locations(Handing().visit(tree)), path, "exec", dont_inherit=True)
    codes, waiting = {}, [code]
    while waiting:
        code = waiting.pop()
        codes[code.co_name, code.co_firstlineno] = code
        waiting += [one for one in code.co_consts if isinstance(one, type(code))]
    return codes, outer, steps


def watch_lines(native, stands, lines, rounds, matched):
    """Operations at hot lines. The functions that these stand in are replaced as soon as they are there, before any is called."""
    import builtins
    import os
    import sys
    import types

    sites, ready = [], {}
    compiled = {}
    for path in rounds:
        lines.setdefault(path, set())

    def found(value):
        return matched(value) if type(value).__name__ == "callable_iterator" else value

    def watch_site(path, step):
        said, line, about = step
        sites.append((native(Native(said, path, line)), about))

    def is_compiled(kind):
        method = type(getattr(kind, "__getitem__", None)).__name__
        compiled[kind] = kind.__module__ != "builtins" and method in ("wrapper_descriptor", "method_descriptor")
        return compiled[kind]

    def item(value, index, site):
        return value[index]

    def given_to_item(values):
        value, kind = values["value"], type(values["value"])
        if not (compiled[kind] if kind in compiled else is_compiled(kind)):
            return None
        watched, about = sites[values["site"]]
        return watched, [value, values["index"]], about

    def home_of(value):
        """The object that a function without a frame belongs to, in a list. None for functions that are left alone."""
        kind = type(value).__name__
        if kind == "cython_function_or_method":
            return []
        if kind == "method" and type(value.__func__).__name__ == "cython_function_or_method":
            return [value.__self__]
        if kind != "builtin_function_or_method":
            return None
        home = value.__self__
        if home is None or isinstance(home, types.ModuleType):
            return None if home in (builtins, sys) else []
        return None if type(home).__module__ == "builtins" else [home]

    def call(value, site):
        home = home_of(value)
        if home is None:
            return value

        def called(*given, **named):
            home, site
            return value(*given, **named)

        stands[called.__code__] = given_to_call
        return called

    def given_to_call(values):
        home, given, named = values["home"], values["given"], values["named"]
        watched, (owner, names) = sites[values["site"]]
        return watched, home + list(given) + list(named.values()), (owner if home else []) + names

    def functions_in(names):
        """Functions that a module has so far, those of its classes and those that others stand in front of, too."""
        waiting = list(names.values())
        for value in list(waiting):
            if isinstance(value, type) and value.__module__ == names.get("__name__"):
                waiting += list(vars(value).values())
        for value in waiting:
            for _ in range(4):
                value = getattr(value, "__func__", None) or getattr(value, "fget", None) or value
                if isinstance(value, types.FunctionType):
                    yield value
                value = getattr(value, "__wrapped__", None)
                if value is None:
                    break

    def replace(path, names):
        """True once all are replaced."""
        if path not in ready:
            codes, outer, steps = handed(path, lines[path], rounds.get(path, ()), len(sites))
            for step in steps:
                watch_site(path, step)
            ready[path] = codes, outer
        codes, left = ready[path]
        for function in functions_in(names) if left else []:
            code = function.__code__
            key = code.co_name, code.co_firstlineno
            if key in left and os.path.abspath(code.co_filename) == path:
                left.discard(key)
                new = codes.get(key)
                if new is not None and new.co_freevars == code.co_freevars:
                    function.__code__ = new
        return not left

    def look(frame, path):
        try:
            return replace(path, frame.f_globals)
        except Exception:
            return True

    def stop():
        """Whatever the program has put in its place since stays."""
        if sys.gettrace() is trace:
            sys.settrace(None)

    def forget(path):
        lines.pop(path, None)
        if not lines:
            stop()

    def in_module(frame, event, _):
        path = os.path.abspath(frame.f_code.co_filename)
        count = len(frame.f_globals)
        if path in lines and (event == "return" or known.get(path) != count):
            known[path] = count
            if look(frame, path) or event == "return":
                forget(path)
        return in_module if path in lines else None

    def trace(frame, event, _):
        code = frame.f_code
        path = paths[code.co_filename] if code.co_filename in paths else absolute(code.co_filename)
        looked[0] += 1
        if looked[0] > LOOKS:
            stop()
        if path not in lines:
            return None
        if code.co_name == "<module>":
            return in_module
        # A function is called; the bodies of classes are not optimised. Whoever is called now is too late, the others are not.
        if code.co_flags & 1 and not code.co_name.startswith("<") and look(frame, path):
            forget(path)
        return None

    def absolute(name):
        paths[name] = os.path.abspath(name)
        return paths[name]

    known, paths, looked = {}, {}, [0]
    stands[item.__code__] = given_to_item
    builtins.__slowpath_item__ = item
    builtins.__slowpath_call__ = call
    builtins.__slowpath_rounds__ = found
    sys.settrace(trace)


def arrays_of(given):
    """Large arrays that a call is given, or that the object has that it belongs to, by which they are or the name they have."""
    found = {}
    state = getattr(given[0], "__dict__", None) if given else None
    if type(state) is dict and len(state) <= 50:
        found.update([(name, one) for name, one in state.items() if type(one).__module__ in ARRAYS])
    found.update([(at, one) for at, one in enumerate(given) if type(one).__module__ in ARRAYS])
    return {name: one for name, one in [(name, pieces(one)) for name, one in found.items()] if one is not None}


def bytes_of(value):
    """The memory of a large array, for as long as nobody else needs it: what is looked at cannot be resized."""
    try:
        view = memoryview(value)
        return view.cast("B") if view.nbytes >= BURDEN and view.c_contiguous else None
    except (TypeError, ValueError, BufferError):
        return None


def pieces(value):
    """Which array it is, its bytes, and pieces of it by where they stand, from either end."""
    view = bytes_of(value)
    if view is None:
        return None
    size = view.nbytes
    places = [(size - PIECE) * at // PIECES // PIECE * PIECE for at in range(PIECES)]
    return id(value), size, [(at, size - at, bytes(view[at : at + PIECE])) for at in places]


def is_anew(before, value):
    """The bytes of an array that is another one than before, and holds almost the same: it may have a little more or less. Besides,
    whether that tells: where all pieces are alike, as zeros are, any array holds them."""
    view = bytes_of(value)
    size, known = 0 if view is None else view.nbytes, before[1]
    if not size or before[0] == id(value) or abs(size - known) > max(known // 50, PIECE):
        return 0, False
    same = [
        piece == bytes(view[at : at + PIECE]) or end <= size and piece == bytes(view[size - end : size - end + PIECE])
        for at, end, piece in before[2]
    ]
    tells = len(set([piece for _, _, piece in before[2]])) >= PIECES // 2
    return (size, tells) if sum(same) >= ALIKE_PIECES else (0, False)
