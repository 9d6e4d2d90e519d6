"""Counts the changed lines of each author in a small repository."""
import os
import sys
import tempfile

import git


def history(folder, commits):
    """Writes a history with `git fast-import`."""
    stream = []
    for number in range(commits):
        text = "".join(f"line {line * number}\n" for line in range(40))
        stream.append(f"blob\nmark :{2 * number + 1}\ndata {len(text)}\n{text}\n")
        who = f"writer{number % 5} <writer{number % 5}@example.org> {1600000000 + number} +0000"
        stream.append(f"commit refs/heads/main\nmark :{2 * number + 2}\ncommitter {who}\ndata 4\nwork\n")
        if number:
            stream.append(f"from :{2 * number}\n")
        stream.append(f"M 100644 :{2 * number + 1} part{number % 9}.txt\n\n")
    repository = git.Repo.init(folder)
    path = os.path.join(folder, "stream")
    with open(path, "w") as file:
        file.write("".join(stream))
    with open(path, "rb") as file:
        repository.git.execute(["git", "fast-import", "--quiet"], istream=file)
    return repository


def changed(repository):
    lines = {}
    for line in repository.git.log("main", "--numstat", "--format=author %an").splitlines():
        if line.startswith("author "):
            name = line[7:]
        elif line:
            added, removed, _ = line.split("\t")
            lines[name] = lines.get(name, 0) + int(added) + int(removed)
    return lines


with tempfile.TemporaryDirectory() as folder:
    print(sum(changed(history(folder, int(sys.argv[1]))).values()))
