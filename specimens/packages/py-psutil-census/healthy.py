"""Watches the workers of a service: takes samples of each and adds up what they hold."""
import subprocess
import sys

import psutil


def start(count):
    return [subprocess.Popen(["sleep", "60"]) for _ in range(count)]


def sample(process):
    with process.oneshot():
        return {
            "name": process.name(),
            "status": process.status(),
            "times": process.cpu_times(),
            "terminal": process.terminal(),
            "core": process.cpu_num(),
            "threads": process.num_threads(),
            "switches": process.num_ctx_switches(),
            "users": process.uids(),
            "groups": process.gids(),
        }


def watch(processes, rounds):
    threads = names = 0
    for _ in range(rounds):
        for process in processes:
            taken = sample(process)
            threads += taken["threads"]
            names += len(taken["name"])
    return threads, names


workers = start(4)
try:
    print(*watch([psutil.Process(worker.pid) for worker in workers], int(sys.argv[1])))
finally:
    for worker in workers:
        worker.kill()
        worker.wait()
