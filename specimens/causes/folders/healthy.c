/* Answers questions from a table in a file, which is loaded again when the file has changed. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ROWS 4096

struct table {
    char path[64];
    struct timespec changed;
    uint32_t keys[ROWS];
    uint32_t values[ROWS];
    uint32_t rows;
    uint32_t loads;
    uint64_t asked;
};

static uint32_t seed = 15;

static uint32_t roll(uint32_t below) {
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 9) % below;
}

static void write_table(struct table *table) {
    snprintf(table->path, sizeof table->path, "/tmp/table-XXXXXX");
    int file = mkstemp(table->path);
    FILE *out = file < 0 ? NULL : fdopen(file, "w");
    if (!out) exit(1);
    for (uint32_t i = 0; i < ROWS; i++) fprintf(out, "%u %u\n", i * 3, roll(1000000));
    fclose(out);
}

static void load(struct table *table) {
    FILE *in = fopen(table->path, "r");
    if (!in) exit(1);
    table->rows = 0;
    while (table->rows < ROWS && fscanf(in, "%u %u", &table->keys[table->rows], &table->values[table->rows]) == 2) table->rows++;
    fclose(in);
    table->loads++;
}

static int fresh(struct table *table) {
    struct stat now;
    if (table->asked++ % 1000) return 1;
    if (stat(table->path, &now)) exit(1);
    int same = now.st_mtim.tv_sec == table->changed.tv_sec && now.st_mtim.tv_nsec == table->changed.tv_nsec;
    table->changed = now.st_mtim;
    return same;
}

static uint32_t lookup(struct table *table, uint32_t key) {
    if (!fresh(table)) load(table);
    uint32_t low = 0, high = table->rows;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (table->keys[middle] < key) low = middle + 1;
        else high = middle;
    }
    return low < table->rows && table->keys[low] == key ? table->values[low] : 0;
}

static uint64_t phrase(uint32_t key, uint32_t value) {
    char text[64];
    uint64_t sum = 0;
    for (int copy = 0; copy < 3; copy++) sum += (uint64_t)snprintf(text, sizeof text, "row %u holds %u (%d)", key, value, copy);
    return sum + (uint8_t)text[4];
}

static uint64_t answer(struct table *table, uint32_t questions) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < questions; i++) {
        uint32_t key = roll(ROWS * 3);
        uint32_t value = lookup(table, key);
        sum = sum * 31 + value + phrase(key, value);
    }
    return sum;
}

int main(int count, char **argument) {
    uint32_t questions = count > 1 ? (uint32_t)atol(argument[1]) : 500000;
    static struct table table;
    write_table(&table);
    uint64_t sum = answer(&table, questions);
    printf("%016llx %u\n", (unsigned long long)sum, table.loads);
    unlink(table.path);
    return 0;
}
