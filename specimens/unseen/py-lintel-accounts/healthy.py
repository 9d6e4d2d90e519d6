"""Books a day's payments of a small bank in batches and proves that the books balance."""

import heapq
import sys
from collections import deque


class Entry:
    __slots__ = ("when", "amount", "partner")

    def __init__(self, when, amount, partner):
        self.when = when
        self.amount = amount
        self.partner = partner


class Account:
    def __init__(self, number, balance):
        self.number = number
        self.balance = balance
        self.tags = {"branch": number % 40, "kind": "current" if number % 3 else "savings"}
        self.recent = deque(maxlen=4)

    def book(self, entry):
        self.balance += entry.amount
        self.recent.append(entry)


class Bank:
    def __init__(self, size):
        self.accounts = [Account(number, 10_000 + number * 17 % 5_000) for number in range(size)]
        self.refused = []
        self.volume = 0

    def total(self):
        return sum(account.balance for account in self.accounts)

    def transfer(self, when, source, target, amount):
        payer = self.accounts[source]
        if payer.balance < amount:
            self.refused.append((when, source, amount))
            return False
        payer.book(Entry(when, -amount, target))
        self.accounts[target].book(Entry(when, amount, source))
        self.volume += amount
        return True


def payments(count, size):
    state = 77_003
    for when in range(count):
        state = (state * 69_069 + 1) % 4_294_967_296
        source = state // 7 % size
        target = state // 1_009 % size
        yield when, source, target, 50 + state % 9_000


def batches(stream, length):
    batch = []
    for payment in stream:
        batch.append(payment)
        if len(batch) == length:
            yield batch
            batch = []
    if batch:
        yield batch


def by_urgency(batch):
    """Large payments go first, equal ones in the order of arrival."""
    heap = [(-amount, when, source, target) for when, source, target, amount in batch]
    heapq.heapify(heap)
    while heap:
        amount, when, source, target = heapq.heappop(heap)
        yield when, source, target, -amount


def settle(bank, batch):
    """Books one batch; returns how many payments went through."""
    booked = 0
    for when, source, target, amount in by_urgency(batch):
        booked += bank.transfer(when, source, target, amount)
    return booked


def busiest(bank, count):
    """Accounts whose latest entries moved the most money."""
    return heapq.nlargest(
        count, bank.accounts, key=lambda account: (sum(abs(e.amount) for e in account.recent), account.number)
    )


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 16_000
    bank = Bank(25_000)
    before = bank.total()
    booked = 0
    for batch in batches(payments(count, len(bank.accounts)), 100):
        booked += settle(bank, batch)
    if bank.total() != before:
        raise SystemExit("the books do not balance")
    first = busiest(bank, 3)
    print(f"{booked} booked, {len(bank.refused)} refused, {bank.volume} moved, {[a.number for a in first]}")


if __name__ == "__main__":
    main()
