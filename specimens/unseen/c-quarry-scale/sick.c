/* A quarry: every day another grade of stone is good enough for the lorries. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define STONES 120000
#define PILES 16

struct stone {
    uint16_t weight;
    uint8_t grade;
    uint8_t face;
};

struct yard {
    struct stone *stones;
    size_t count;
    uint64_t piles[PILES];
    uint64_t hauled;
};

static uint64_t state = 88172645463325252ull;
static volatile int closing;

static uint32_t draw(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 32);
}

static void *clerk(void *book) {
    struct timespec nap = {0, 20 * 1000 * 1000};
    uint64_t *pages = book;
    while (!closing) {
        for (int i = 0; i < 2000; i++)
            pages[i % 64] += (uint64_t)i * 7;
        nanosleep(&nap, NULL);
    }
    return NULL;
}

static void fill_prices(uint32_t *price) {
    for (uint32_t w = 0; w < 1024; w++) {
        uint32_t value = w + 3;
        for (int round = 0; round < 200; round++)
            value = value * 1664525u + 1013904223u;
        price[w] = value >> 22;
    }
}

static void blast(struct yard *yard) {
    yard->count = STONES;
    yard->stones = malloc(STONES * sizeof *yard->stones);
    for (size_t i = 0; i < yard->count; i++) {
        yard->stones[i].weight = (uint16_t)(draw() % 1024);
        yard->stones[i].grade = (uint8_t)draw();
        yard->stones[i].face = (uint8_t)(draw() % 6);
    }
}

static void haul(struct yard *yard, uint8_t wanted, const uint32_t *price) {
    for (size_t i = 0; i < yard->count; i++) {
        const struct stone *stone = &yard->stones[i];
        if (stone->grade >= wanted) {
            yard->piles[stone->weight % PILES] += stone->face + 1u;
            yard->hauled += price[stone->weight];
        }
    }
}

static void season(struct yard *yard, int days, const uint32_t *price) {
    for (int day = 0; day < days; day++) {
        uint8_t wanted = (uint8_t)(64 + (day * 37) % 128);
        haul(yard, wanted, price);
    }
}

static uint64_t stock(const struct yard *yard) {
    uint64_t sum = 0;
    for (int pile = 0; pile < PILES; pile++)
        sum = sum * 31 + yard->piles[pile];
    return sum;
}

int main(int argc, char **argv) {
    int days = argc > 1 ? atoi(argv[1]) : 100;
    static uint32_t price[1024];
    static uint64_t book[64];
    struct yard yard;
    pthread_t thread;

    memset(&yard, 0, sizeof yard);
    pthread_create(&thread, NULL, clerk, book);
    fill_prices(price);
    blast(&yard);
    season(&yard, days, price);
    closing = 1;
    pthread_join(thread, NULL);
    printf("hauled %llu stock %llx\n", (unsigned long long)yard.hauled, (unsigned long long)stock(&yard));
    free(yard.stones);
    return 0;
}
