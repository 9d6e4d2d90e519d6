/* Books payments into a journal on disk and prints the closing seal. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define GROUP 200

struct record {
    uint32_t number;
    uint32_t payer, payee;
    uint64_t cents;
    uint64_t seal;
};

struct journal {
    int file;
    uint32_t written;
    uint32_t unsynced;
};

static uint32_t seed = 77;

static uint32_t roll(uint32_t below) {
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 9) % below;
}

static struct journal open_journal(void) {
    char path[] = "/var/tmp/journal-XXXXXX";
    struct journal made = {mkstemp(path), 0, 0};
    if (made.file < 0) exit(1);
    unlink(path);
    return made;
}

static uint64_t seal_of(const struct record *record, uint64_t before) {
    uint64_t hash = before;
    for (int round = 0; round < 250000; round++) hash = (hash ^ (record->number + record->cents)) * 1099511628211ull;
    return hash;
}

static void commit(struct journal *journal) {
    if (fdatasync(journal->file)) exit(1);
    journal->unsynced = 0;
}

static void append(struct journal *journal, const struct record *record) {
    if (write(journal->file, record, sizeof *record) != sizeof *record) exit(1);
    journal->written++;
    journal->unsynced++;
    commit(journal);
}

static uint64_t book(struct journal *journal, uint32_t payments) {
    uint64_t seal = 1469598103934665603ull;
    for (uint32_t i = 0; i < payments; i++) {
        struct record record;
        memset(&record, 0, sizeof record);
        record.number = i;
        record.payer = roll(500);
        record.payee = roll(500);
        record.cents = 100 + roll(90000);
        record.seal = seal = seal_of(&record, seal);
        append(journal, &record);
    }
    commit(journal);
    return seal;
}

static uint64_t verify(const struct journal *journal) {
    uint64_t sum = GROUP;
    struct record page[256];
    ssize_t got;
    off_t at = 0;
    while ((got = pread(journal->file, page, sizeof page, at)) > 0) {
        for (size_t i = 0; i < (size_t)got / sizeof *page; i++) sum = sum * 31 + page[i].seal + page[i].cents;
        at += got;
    }
    return sum;
}

int main(int count, char **argument) {
    uint32_t payments = count > 1 ? (uint32_t)atol(argument[1]) : 900;
    struct journal journal = open_journal();
    uint64_t seal = book(&journal, payments);
    printf("%016llx %u\n", (unsigned long long)(seal ^ verify(&journal)), journal.written);
    close(journal.file);
    return 0;
}
