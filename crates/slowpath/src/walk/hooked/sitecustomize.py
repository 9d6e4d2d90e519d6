"""Found by Python before any other sitecustomize, because slowpath put its folder first on the path."""


def _other(here):
    """The sitecustomize that Python would have found without us."""
    import importlib.machinery
    import os
    import sys

    paths = [path for path in sys.path if os.path.abspath(path or ".") != here]
    found = importlib.machinery.PathFinder.find_spec("sitecustomize", paths)
    if found is not None and found.loader is not None:
        import importlib.util

        module = importlib.util.module_from_spec(found)
        found.loader.exec_module(module)


def _slowpath():
    import os

    here = os.path.dirname(os.path.abspath(__file__))
    folder = os.environ.get("SLOWPATH_OUT")
    try:
        if folder:
            path = os.path.join(here, "slowpath_hook.py")
            with open(path, "rb") as source:
                code = compile(source.read(), path, "exec")
            names = {"__file__": path, "__name__": "slowpath_hook"}
            exec(code, names)
            names["start"](folder)
    finally:
        _other(here)


_slowpath()
del _slowpath, _other
