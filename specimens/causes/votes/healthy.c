/* Two polling stations count ballots and publish a running tally that anyone may read. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define STATIONS 2
#define PARTIES 2

struct box {
    _Alignas(128) atomic_ulong parties[PARTIES];
    atomic_ulong spoiled;
};

struct hall {
    _Alignas(128) struct box boxes[STATIONS];
};

struct station {
    struct hall *hall;
    int number;
    unsigned long ballots;
    uint64_t digest;
};

static uint32_t next_ballot(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 16;
}

static void add(atomic_ulong *tally) {
    atomic_fetch_add_explicit(tally, 1, memory_order_relaxed);
}

static void *count_ballots(void *argument) {
    struct station *station = argument;
    struct box *box = &station->hall->boxes[station->number];
    uint32_t seed = 17u + (uint32_t)station->number;
    for (unsigned long i = 0; i < station->ballots; i++) {
        uint32_t ballot = next_ballot(&seed);
        if (ballot % 1024 == 0) add(&box->spoiled);
        else add(&box->parties[ballot % PARTIES]);
    }
    return NULL;
}

static uint64_t register_voters(unsigned long voters) {
    uint64_t hash = 1469598103934665603ull;
    for (unsigned long i = 0; i < voters; i++) hash = (hash ^ (i & 255)) * 1099511628211ull;
    return hash;
}

static uint64_t announce(const struct hall *hall) {
    uint64_t sum = 0;
    for (int i = 0; i < STATIONS; i++) {
        for (int party = 0; party < PARTIES; party++) sum = sum * 31 + atomic_load(&hall->boxes[i].parties[party]);
        sum = sum * 31 + atomic_load(&hall->boxes[i].spoiled);
    }
    return sum;
}

int main(int count, char **argument) {
    unsigned long ballots = count > 1 ? strtoul(argument[1], NULL, 10) : 150000000;
    static struct hall hall;
    struct station stations[STATIONS];
    pthread_t threads[STATIONS];
    uint64_t roll = register_voters(ballots);
    for (int i = 0; i < STATIONS; i++) {
        stations[i] = (struct station){&hall, i, ballots, 0};
        if (pthread_create(&threads[i], NULL, count_ballots, &stations[i])) return 1;
    }
    for (int i = 0; i < STATIONS; i++) pthread_join(threads[i], NULL);
    printf("%016llx\n", (unsigned long long)(announce(&hall) ^ roll));
    return 0;
}
