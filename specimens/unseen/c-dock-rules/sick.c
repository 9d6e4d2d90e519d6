/* Stamps the cargo lists of a dock by a book of rules that the harbour office may change at any time. */
#define _POSIX_C_SOURCE 200809L
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MAX_RULES 64
#define CHAPTERS 4

typedef struct rule {
    char kind[12];
    unsigned fee, limit;
} rule;

typedef struct rulebook {
    char path[CHAPTERS][256];
    struct timespec seen[CHAPTERS];
    rule rules[MAX_RULES];
    size_t count;
    unsigned edition;
} rulebook;

typedef struct cargo {
    char line[96];
    char kind[12];
    unsigned tons;
    uint32_t owner;
} cargo;

static const char *const KINDS[] = {"timber", "wool", "salt", "coal", "wine", "tea", "iron", "glass"};

static bool read_chapter(rulebook *book, int chapter)
{
    FILE *in = fopen(book->path[chapter], "r");
    if (!in)
        return false;
    rule *next = &book->rules[book->count];
    while (book->count < MAX_RULES && fscanf(in, "%11s %u %u", next->kind, &next->fee, &next->limit) == 3)
        next = &book->rules[++book->count];
    fclose(in);
    return true;
}

static void reread(rulebook *book)
{
    book->count = 0;
    book->edition++;
    for (int chapter = 0; chapter < CHAPTERS; chapter++)
        if (!read_chapter(book, chapter))
            perror(book->path[chapter]);
}

/* The book as it is now. */
static const rulebook *current(rulebook *book)
{
    bool changed = false;
    for (int chapter = 0; chapter < CHAPTERS; chapter++) {
        struct stat now;
        if (stat(book->path[chapter], &now) != 0)
            continue;
        if (now.st_mtim.tv_sec != book->seen[chapter].tv_sec || now.st_mtim.tv_nsec != book->seen[chapter].tv_nsec) {
            book->seen[chapter] = now.st_mtim;
            changed = true;
        }
    }
    if (changed)
        reread(book);
    return book;
}

static void write_book(rulebook *book, const char *folder)
{
    for (int chapter = 0; chapter < CHAPTERS; chapter++) {
        snprintf(book->path[chapter], sizeof book->path[chapter], "%s/chapter%d", folder, chapter);
        FILE *out = fopen(book->path[chapter], "w");
        if (!out)
            exit(1);
        for (int k = chapter * 2; k < chapter * 2 + 2; k++)
            fprintf(out, "%s %d %d\n", KINDS[k], 3 + k * 5, 20 + k * 11);
        fclose(out);
    }
}

static void read_cargo(cargo *cargo, unsigned number)
{
    unsigned kind = (number * 2654435761u) >> 29;
    snprintf(cargo->line, sizeof cargo->line, "%s %u berth-%u", KINDS[kind], number % 97 + 1, number % 13);
    char *space = strchr(cargo->line, ' ');
    size_t length = (size_t)(space - cargo->line);
    memcpy(cargo->kind, cargo->line, length);
    cargo->kind[length] = 0;
    cargo->tons = (unsigned)strtoul(space + 1, NULL, 10);
    cargo->owner = 5381;
    for (int turn = 0; turn < 24; turn++)
        for (const char *c = cargo->line; *c; c++)
            cargo->owner = cargo->owner * 33 ^ (unsigned char)*c;
}

static unsigned duty(rulebook *book, const cargo *cargo)
{
    const rulebook *rules = current(book);
    for (size_t k = 0; k < rules->count; k++)
        if (strcmp(rules->rules[k].kind, cargo->kind) == 0) {
            unsigned over = cargo->tons > rules->rules[k].limit ? cargo->tons - rules->rules[k].limit : 0;
            return rules->rules[k].fee * cargo->tons + over * 7;
        }
    return 0;
}

static uint64_t stamp(rulebook *book, unsigned lists)
{
    uint64_t till = 0;
    cargo cargo;
    for (unsigned number = 0; number < lists; number++) {
        read_cargo(&cargo, number);
        till = till * 3 + duty(book, &cargo) + cargo.owner % 5;
    }
    return till;
}

int main(int argc, char **argv)
{
    char folder[200];
    static rulebook book;
    snprintf(folder, sizeof folder, "%s/dock-XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
    if (!mkdtemp(folder)) {
        perror(folder);
        return 1;
    }
    write_book(&book, folder);
    uint64_t till = stamp(&book, argc > 1 ? (unsigned)atoi(argv[1]) : 1000);
    printf("till %llx edition %u\n", (unsigned long long)till, book.edition);
    for (int chapter = 0; chapter < CHAPTERS; chapter++)
        unlink(book.path[chapter]);
    rmdir(folder);
    return 0;
}
