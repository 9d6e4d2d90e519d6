/* Turns articles into one-line slugs and counts their words. */
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS 8192

struct tally {
    uint32_t hash;
    uint32_t seen;
};

struct shelf {
    struct tally words[WORDS];
    uint64_t characters;
    uint32_t articles;
};

static uint32_t seed = 2463534242u;

static uint32_t roll(void) {
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
    return seed;
}

static char *compose(size_t length) {
    static const char *stems[] = {"harbour", "Ledger", "quiet", "STONE", "river", "Northern", "glass", "paper"};
    char *text = malloc(length + 16);
    if (!text) exit(1);
    size_t at = 0;
    while (at < length) {
        const char *stem = stems[roll() % 8];
        while (*stem && at < length) text[at++] = *stem++;
        if (at < length) text[at++] = " .,-\n"[roll() % 5];
    }
    text[at] = 0;
    return text;
}

static void fold(char *text) {
    for (size_t i = 0; i < strlen(text); i++) {
        unsigned char letter = (unsigned char)text[i];
        if (isalnum(letter)) text[i] = (char)tolower(letter);
        else text[i] = '-';
    }
}

static uint32_t hash_word(const char *from, const char *to) {
    uint32_t hash = 5381;
    while (from < to) hash = hash * 33 + (uint8_t)*from++;
    return hash ? hash : 1;
}

static void count_word(struct shelf *shelf, uint32_t hash) {
    for (uint32_t step = 0; step < WORDS; step++) {
        struct tally *at = &shelf->words[(hash + step) % WORDS];
        if (at->hash == 0) at->hash = hash;
        if (at->hash == hash) {
            at->seen++;
            return;
        }
    }
}

static void split(struct shelf *shelf, const char *text) {
    const char *start = text;
    for (const char *at = text;; at++) {
        if (*at && *at != '-') continue;
        if (at > start) count_word(shelf, hash_word(start, at));
        if (!*at) break;
        start = at + 1;
    }
}

static void publish(struct shelf *shelf, size_t length) {
    char *text = compose(length);
    shelf->characters += strlen(text);
    fold(text);
    for (int pass = 0; pass < 120; pass++) split(shelf, text);
    shelf->articles++;
    free(text);
}

int main(int count, char **argument) {
    size_t length = count > 1 ? (size_t)atol(argument[1]) : 60000;
    static struct shelf shelf;
    for (int i = 0; i < 24; i++) publish(&shelf, length + roll() % 512);
    uint64_t sum = shelf.characters + shelf.articles;
    for (int i = 0; i < WORDS; i++) sum = sum * 31 + shelf.words[i].hash * (uint64_t)shelf.words[i].seen;
    printf("%016llx\n", (unsigned long long)sum);
    return 0;
}
