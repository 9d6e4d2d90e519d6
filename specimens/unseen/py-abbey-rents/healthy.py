"""Keeps the rent rolls of an abbey: tenants come, pay and move away."""

import sqlite3
import sys

SCHEMA = """
create table parish (id integer primary key, name text not null unique);
create table tenant (
    id integer primary key,
    parish integer not null references parish (id),
    name text not null,
    acres integer not null
);
create index tenant_parish on tenant (parish);
create table payment (
    id integer primary key,
    tenant integer not null references tenant (id) on delete cascade,
    term text not null,
    pence integer not null
);
create index payment_term on payment (term);
create index payment_tenant on payment (tenant);
"""

TERMS = ("lady day", "midsummer", "michaelmas", "christmas")


class Rolls:
    def __init__(self):
        self.base = sqlite3.connect(":memory:")
        self.base.execute("pragma foreign_keys = on")
        self.base.executescript(SCHEMA)

    def fill(self, tenants):
        state = 1348
        with self.base:
            self.base.executemany(
                "insert into parish (id, name) values (?, ?)", ((i, f"parish {i}") for i in range(1, 41))
            )
            for tenant in range(1, tenants + 1):
                state = (state * 48271) % 2147483647
                self.base.execute(
                    "insert into tenant values (?, ?, ?, ?)",
                    (tenant, 1 + state % 40, f"tenant {tenant}", 5 + state % 60),
                )
                self.base.executemany(
                    "insert into payment (tenant, term, pence) values (?, ?, ?)",
                    ((tenant, term, 20 + (state >> 7) % 300 + turn) for turn, term in enumerate(TERMS * 3)),
                )

    def leavers(self, parish):
        rows = self.base.execute("select id from tenant where parish = ? and acres < 14 order by id", (parish,))
        return [row[0] for row in rows]

    def strike(self, tenant):
        """Takes a tenant who has moved away off the rolls."""
        with self.base:
            self.base.execute("delete from tenant where id = ?", (tenant,))

    def owed(self, parish):
        row = self.base.execute(
            "select count(*), coalesce(sum(acres), 0) from tenant where parish = ?", (parish,)
        ).fetchone()
        return row

    def taken(self, term):
        return self.base.execute("select count(*), sum(pence) from payment where term = ?", (term,)).fetchone()


def year_end(rolls):
    struck = 0
    for parish in range(1, 41):
        for tenant in rolls.leavers(parish):
            rolls.strike(tenant)
            struck += 1
    return struck


def tithe(rolls):
    """A tenth of what each parish holds, by the old rule of thirds."""
    total = 0
    for parish in range(1, 41):
        tenants, acres = rolls.owed(parish)
        share = acres
        for _ in range(500):
            share = (share * 3 + tenants) % 9973
        total += share // 10
    return total


def main():
    tenants = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    rolls = Rolls()
    rolls.fill(tenants)
    struck = year_end(rolls)
    sums = ", ".join(f"{term} {rolls.taken(term)}" for term in TERMS)
    print(f"struck {struck}, tithe {tithe(rolls)}, {sums}")


if __name__ == "__main__":
    main()
