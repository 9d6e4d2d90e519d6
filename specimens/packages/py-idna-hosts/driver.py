import sys

import idna

WORDS = ["büro", "straße", "garten", "möbel", "küche", "fenster"]


def referrers(count, repeats):
    for number in range(count):
        word = WORDS[number % len(WORDS)]
        if number % 10 == 9:
            yield "ب" + "si\u200cte\u200c" * (repeats - number % 20) + "ب"
        else:
            yield f"{word}-{number % 50}.example"


def normalise_hosts(hosts):
    accepted = {}
    rejected = 0
    for host in hosts:
        try:
            name = idna.encode(host)
        except idna.IDNAError:
            rejected += 1
            continue
        accepted[name] = accepted.get(name, 0) + 1
    return accepted, rejected


def main():
    count = int(sys.argv[1])
    accepted, rejected = normalise_hosts(referrers(count, 250))
    busiest = max(accepted, key=lambda name: (accepted[name], name)).decode()
    print(f"hosts={count} distinct={len(accepted)} rejected={rejected} busiest={busiest}")


if __name__ == "__main__":
    main()
