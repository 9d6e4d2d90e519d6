/* Builds an album: each picture is passed through a filter and added to the sheet. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define BYTES 4096

extern char **environ;

struct picture {
    uint32_t number;
    uint8_t bytes[BYTES];
};

static uint32_t seed = 2;

static uint32_t roll(void) {
    seed = seed * 1664525u + 1013904223u;
    return seed >> 9;
}

static void shoot(struct picture *picture, uint32_t number) {
    picture->number = number;
    for (int i = 0; i < BYTES; i++) picture->bytes[i] = (uint8_t)('a' + roll() % 20);
}

static void convert(struct picture *picture) {
    for (int i = 0; i < BYTES; i++) picture->bytes[i] = (uint8_t)(picture->bytes[i] - 'a' + 'A');
}

static uint64_t digest(const struct picture *picture) {
    uint64_t hash = picture->number;
    for (int pass = 0; pass < 90; pass++)
        for (int i = 0; i < BYTES; i++) hash = (hash ^ picture->bytes[i]) * 1099511628211ull;
    return hash;
}

static uint64_t build_album(uint32_t pictures) {
    static struct picture picture;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < pictures; i++) {
        shoot(&picture, i);
        convert(&picture);
        sum = sum * 31 + digest(&picture);
    }
    return sum + (environ != NULL);
}

int main(int count, char **argument) {
    uint32_t pictures = count > 1 ? (uint32_t)atol(argument[1]) : 700;
    printf("%016llx\n", (unsigned long long)build_album(pictures));
    return 0;
}
