/* Compares documents, which come ordered by length, on two threads and sums up how near they are. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define TERMS 768
#define THREADS 2

struct document {
    int length;
    uint8_t terms[TERMS];
};

struct span {
    const struct document *documents;
    size_t total, from, to;
    uint64_t sum;
    pthread_t thread;
};

static uint32_t seed = 321;

static uint32_t roll(void) {
    seed = seed * 1664525u + 1013904223u;
    return seed >> 10;
}

static struct document *read_documents(size_t total) {
    struct document *documents = calloc(total, sizeof *documents);
    if (!documents) exit(1);
    for (size_t i = 0; i < total; i++) {
        documents[i].length = 8 + (int)(i * i * (TERMS - 8) / (total * total));
        for (int term = 0; term < TERMS; term++) documents[i].terms[term] = (uint8_t)(roll() % 7);
    }
    return documents;
}

static uint32_t distance(const struct document *left, const struct document *right) {
    uint32_t total = 0;
    int shorter = left->length < right->length ? left->length : right->length;
    for (int term = 0; term < shorter; term++) {
        int gap = left->terms[term] - right->terms[term];
        total += (uint32_t)(gap * gap);
    }
    return total;
}

static uint64_t compare_rows(const struct span *span) {
    uint64_t sum = 0;
    for (size_t row = span->from; row < span->to; row++) {
        uint32_t nearest = UINT32_MAX;
        for (size_t other = 0; other < row; other++) {
            uint32_t here = distance(&span->documents[row], &span->documents[other]);
            if (here < nearest) nearest = here;
        }
        sum += nearest * (uint64_t)(row + 1);
    }
    return sum;
}

static void *compare(void *argument) {
    struct span *span = argument;
    span->sum = compare_rows(span);
    return NULL;
}

static uint64_t effort(size_t rows) { return (uint64_t)rows * rows * rows * rows; }

static size_t cut(size_t total, size_t part, size_t parts) {
    size_t rows = 0;
    while (rows < total && effort(rows) * parts < effort(total) * part) rows++;
    return rows;
}

static void share_out(struct span *spans, const struct document *documents, size_t total) {
    for (size_t i = 0; i < THREADS; i++)
        spans[i] = (struct span){documents, total, cut(total, i, THREADS), cut(total, i + 1, THREADS), 0, 0};
}

int main(int count, char **argument) {
    size_t total = count > 1 ? (size_t)atol(argument[1]) : 4500;
    struct document *documents = read_documents(total);
    struct span spans[THREADS];
    share_out(spans, documents, total);
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&spans[i].thread, NULL, compare, &spans[i])) return 1;
    uint64_t sum = effort(total);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(spans[i].thread, NULL);
        sum += spans[i].sum;
    }
    printf("%016llx\n", (unsigned long long)sum);
    free(documents);
    return 0;
}
