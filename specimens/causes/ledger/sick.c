/* Replays a day of transfers between accounts and prints the closing balances. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS 65536

struct account {
    char name[24];
    int64_t balance;
    uint32_t moves;
    struct account *next;
};

struct book {
    struct account *first;
    struct account *slots[SLOTS];
    size_t accounts;
};

static atomic_int closing;
static atomic_ullong seal_total;

static uint64_t state = 88172645463325252ull;

static uint64_t roll(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static uint32_t slot_of(const char *name) {
    uint32_t hash = 2166136261u;
    for (; *name; name++) hash = (hash ^ (uint8_t)*name) * 16777619u;
    return hash % SLOTS;
}

static struct account *open_account(struct book *book, const char *name) {
    struct account *fresh = calloc(1, sizeof *fresh);
    if (!fresh) exit(1);
    snprintf(fresh->name, sizeof fresh->name, "%s", name);
    book->accounts++;
    return fresh;
}

static struct account *account_of(struct book *book, const char *name) {
    for (struct account *at = book->first; at; at = at->next)
        if (strcmp(at->name, name) == 0) return at;
    struct account *fresh = open_account(book, name);
    fresh->next = book->first;
    book->first = fresh;
    return fresh;
}

static void apply(struct book *book, const char *line) {
    char from[24], to[24];
    long cents;
    if (sscanf(line, "%23[^>]>%23[^:]:%ld", from, to, &cents) != 3) return;
    struct account *payer = account_of(book, from);
    payer->balance -= cents;
    payer->moves++;
    struct account *payee = account_of(book, to);
    payee->balance += cents;
    payee->moves++;
}

static uint64_t seal(const char *line, uint64_t before) {
    for (const char *at = line; *at; at++) before = (before ^ (uint8_t)*at) * 1099511628211ull;
    return before;
}

static void *seal_all(void *argument) {
    const char *line = argument;
    uint64_t value = 1469598103934665603ull;
    while (!atomic_load_explicit(&closing, memory_order_relaxed)) value = seal(line, value);
    atomic_store(&seal_total, value);
    return NULL;
}

static size_t statement(const char *line, long number) {
    char page[160];
    size_t length = 0;
    for (int copy = 0; copy < 30; copy++)
        length += (size_t)snprintf(page, sizeof page, "%08ld/%02d %-40s EUR", number, copy, line);
    return length;
}

static size_t replay(struct book *book, long transfers, long people) {
    char line[80];
    size_t printed = 0;
    for (long i = 0; i < transfers; i++) {
        snprintf(line, sizeof line, "acct-%08lu>acct-%08lu:%lu", (unsigned long)(roll() % people),
                 (unsigned long)(roll() % people), (unsigned long)(roll() % 5000));
        apply(book, line);
        printed += statement(line, i);
    }
    return printed;
}

static uint64_t closing_sum(struct book *book, long people) {
    uint64_t sum = book->accounts;
    char name[32];
    for (long i = 0; i < people; i += 97) {
        snprintf(name, sizeof name, "acct-%08ld", i);
        struct account *at = account_of(book, name);
        sum = sum * 31 + (uint64_t)at->balance + at->moves;
    }
    return sum + slot_of("closing");
}

int main(int count, char **argument) {
    long people = count > 1 ? atol(argument[1]) : 4200;
    static struct book book;
    pthread_t sealer;
    if (pthread_create(&sealer, NULL, seal_all, "acct-00000001>acct-00000002:17")) return 1;
    size_t printed = replay(&book, people * 6, people);
    printf("%016llx\n", (unsigned long long)closing_sum(&book, people) + printed);
    atomic_store(&closing, 1);
    pthread_join(sealer, NULL);
    return 0;
}
