/* Reads a gazette of places from a file and adds up their people by letter. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct source {
    int file;
    size_t at, filled;
    char bytes[65536];
};

struct gazette {
    uint64_t people[26];
    uint32_t places;
    uint32_t longest;
};

static uint32_t seed = 44;

static uint32_t roll(uint32_t below) {
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 9) % below;
}

static int write_gazette(size_t bytes) {
    char path[] = "/tmp/gazette-XXXXXX";
    int file = mkstemp(path);
    if (file < 0) exit(1);
    unlink(path);
    FILE *out = fdopen(dup(file), "w");
    if (!out) exit(1);
    size_t written = 0;
    while (written < bytes)
        written += (size_t)fprintf(out, "%c%u-upon-water;%u;%u\n", 'a' + (char)roll(26), roll(900), roll(90000), roll(60));
    fclose(out);
    lseek(file, 0, SEEK_SET);
    return file;
}

static int next_byte(struct source *source) {
    if (source->at == source->filled) {
        ssize_t got = read(source->file, source->bytes, sizeof source->bytes);
        if (got <= 0) return -1;
        source->filled = (size_t)got;
        source->at = 0;
    }
    return (unsigned char)source->bytes[source->at++];
}

static int read_line(struct source *source, char *line, size_t room) {
    size_t length = 0;
    for (;;) {
        int byte = next_byte(source);
        if (byte < 0) return length > 0;
        if (byte == '\n' || length + 1 == room) break;
        line[length++] = (char)byte;
    }
    line[length] = 0;
    return 1;
}

static void enter(struct gazette *gazette, const char *line) {
    char name[48];
    unsigned people, height;
    for (int check = 0; check < 16; check++)
        if (sscanf(line, "%47[^;];%u;%u", name, &people, &height) != 3) return;
    gazette->people[name[0] - 'a'] += people + height;
    gazette->places++;
    if (strlen(name) > gazette->longest) gazette->longest = (uint32_t)strlen(name);
}

static void load(struct gazette *gazette, struct source *source) {
    char line[96];
    while (read_line(source, line, sizeof line)) enter(gazette, line);
}

int main(int count, char **argument) {
    static struct source source;
    static struct gazette gazette;
    source.file = write_gazette(count > 1 ? (size_t)atol(argument[1]) : 1600000);
    load(&gazette, &source);
    uint64_t sum = gazette.places * 31ull + gazette.longest;
    for (int i = 0; i < 26; i++) sum = sum * 31 + gazette.people[i];
    printf("%016llx\n", (unsigned long long)sum);
    close(source.file);
    return 0;
}
