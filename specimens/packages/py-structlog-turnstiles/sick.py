"""Counts the passengers at the turnstiles of a station, and writes down what each gate sees."""
import logging
import sys

import structlog


def open_log():
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.StackInfoRenderer(),
            structlog.processors.TimeStamper(fmt="iso"),
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(),
    )
    return structlog.get_logger("turnstiles")


def passengers(count):
    card = 17
    for _ in range(count):
        card = (card * 1103515245 + 12345) % 2147483648
        yield card, card >> 8 & 7, card >> 16 & 127


def admit(log, gates, card, gate, fare):
    log.debug("card read", card=card, gate=gate)
    if fare < 3:
        log.debug("no credit", card=card, fare=fare)
        gates[gate][1] += 1
        return False
    gates[gate][0] += 1
    log.debug("gate opened", gate=gate, fare=fare)
    return True


def takings(log, count):
    gates = [[0, 0] for _ in range(8)]
    total = 0
    for card, gate, fare in passengers(count):
        if admit(log, gates, card, gate, fare):
            total += fare
    return gates, total


def main():
    gates, total = takings(open_log(), int(sys.argv[1]))
    print(sum(gate[0] for gate in gates), sum(gate[1] for gate in gates), total)


main()
