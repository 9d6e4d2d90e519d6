"""Sorts the subscribers of a newsletter by the server that takes mail for them, asking the name server of the house."""
import multiprocessing
import socket
import sys
import time

import dns.message
import dns.resolver
import dns.rrset

DOMAINS = ("harbour", "mill", "station", "hill", "abbey", "bridge", "orchard", "quarry", "weir", "market")


def name_server(door):
    while True:
        wire, asker = door.recvfrom(512)
        question = dns.message.from_wire(wire)
        name = question.question[0].name
        time.sleep(0.006)
        answer = dns.message.make_response(question)
        relay = f"mx{len(name.labels[0]) % 4}.relay.test."
        answer.answer.append(dns.rrset.from_text(name, 3600, "IN", "MX", f"10 {relay}"))
        door.sendto(answer.to_wire(), asker)


def open_house():
    door = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    door.bind(("127.0.0.1", 0))
    server = multiprocessing.get_context("fork").Process(target=name_server, args=(door,), daemon=True)
    server.start()
    return server, door.getsockname()[1]


def make_resolver(port):
    resolver = dns.resolver.Resolver(configure=False)
    resolver.nameservers = ["127.0.0.1"]
    resolver.port = port
    resolver.cache = dns.resolver.LRUCache()
    return resolver


def subscribers(count):
    return [f"reader{number}@{DOMAINS[number * 7 % len(DOMAINS)]}.test" for number in range(count)]


def relay_of(resolver, address):
    domain = address.rpartition("@")[2]
    best = min(resolver.resolve(domain, "MX"), key=lambda record: record.preference)
    return best.exchange.to_text(omit_final_dot=True)


def sort_mail(resolver, addresses):
    bags = {}
    for address in addresses:
        bags.setdefault(relay_of(resolver, address), []).append(address)
    return bags


def main():
    server, port = open_house()
    try:
        bags = sort_mail(make_resolver(port), subscribers(int(sys.argv[1])))
        print(" ".join(f"{relay}={len(bag)}" for relay, bag in sorted(bags.items())))
    finally:
        server.terminate()
        server.join()


main()
