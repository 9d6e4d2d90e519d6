/* Chooses a backend for each request path by a table of patterns with stars. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rule {
    const char *pattern;
    int backend;
};

static const struct rule rules[] = {
    {"/static/*", 1},
    {"/*/*/*-*-*-*-*.json", 2},
    {"*/export/*/*-*-*-*.csv", 3},
    {"/api/v1/*", 4},
    {"*", 5},
};

static uint32_t seed = 12345;

static uint32_t roll(uint32_t below) {
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 10) % below;
}

static int matches(const char *pattern, const char *text) {
    for (; *pattern; pattern++, text++) {
        if (*pattern == '*') {
            for (const char *rest = text;; rest++) {
                if (matches(pattern + 1, rest)) return 1;
                if (!*rest) return 0;
            }
        }
        if (*pattern != *text) return 0;
    }
    return !*text;
}

static void invent(char *path, size_t room) {
    static const char *words[] = {"order", "summer", "report", "east", "draft", "unit"};
    int written = snprintf(path, room, "/shop/%s/", words[roll(6)]);
    for (int i = 0; i < 17; i++)
        written += snprintf(path + written, room - written, "%s-", words[roll(6)]);
    snprintf(path + written, room - written, "%u.%s", roll(900), roll(3) ? "xml" : "html");
}

static int pick(const char *path) {
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (matches(rules[i].pattern, path)) return rules[i].backend;
    return 0;
}

struct log {
    char *bytes;
    size_t used, room;
};

static void note(struct log *log, const char *path, int backend) {
    char line[512];
    for (int copy = 0; copy < 900; copy++) {
        size_t length = (size_t)snprintf(line, sizeof line, "%d %03d %s\n", backend, copy, path);
        if (log->used + length > log->room) log->used = 0;
        memcpy(log->bytes + log->used, line, length);
        log->used += length;
    }
}

static uint64_t serve(struct log *log, int requests) {
    char path[400];
    uint64_t sum = 0;
    for (int i = 0; i < requests; i++) {
        invent(path, sizeof path);
        int backend = pick(path);
        note(log, path, backend);
        sum = sum * 31 + (uint64_t)backend + strlen(path);
    }
    return sum;
}

int main(int count, char **argument) {
    int requests = count > 1 ? atoi(argument[1]) : 4000;
    struct log log = {malloc(1 << 20), 0, 1 << 20};
    if (!log.bytes) return 1;
    uint64_t sum = serve(&log, requests);
    for (size_t i = 0; i < log.used; i++) sum = sum * 33 + (uint8_t)log.bytes[i];
    printf("%016llx\n", (unsigned long long)sum);
    free(log.bytes);
    return 0;
}
