/* Renders pages for requests with settings from a file. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST 1024

struct setting {
    char name[32];
    char value[48];
};

struct settings {
    struct setting list[MOST];
    size_t length;
};

static char settings_path[] = "/tmp/settings-XXXXXX";
static uint32_t seed = 3;

static uint32_t roll(uint32_t below) {
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 9) % below;
}

static void write_settings(void) {
    int file = mkstemp(settings_path);
    FILE *out = file < 0 ? NULL : fdopen(file, "w");
    if (!out) exit(1);
    for (int i = 0; i < MOST; i++) fprintf(out, "page.section%04d.title = heading-%u-of-%d\n", i, roll(9000), i);
    fclose(out);
}

static int by_name(const void *left, const void *right) {
    return strcmp(((const struct setting *)left)->name, ((const struct setting *)right)->name);
}

static void read_settings(struct settings *settings) {
    FILE *in = fopen(settings_path, "r");
    if (!in) exit(1);
    settings->length = 0;
    while (settings->length < MOST) {
        struct setting *at = &settings->list[settings->length];
        if (fscanf(in, "%31s = %47s", at->name, at->value) != 2) break;
        settings->length++;
    }
    fclose(in);
    qsort(settings->list, settings->length, sizeof *settings->list, by_name);
}

static const struct settings *settings(void) {
    static struct settings held;
    read_settings(&held);
    return &held;
}

static const char *value_of(const struct settings *from, const char *name) {
    struct setting wanted;
    snprintf(wanted.name, sizeof wanted.name, "%.31s", name);
    const struct setting *found = bsearch(&wanted, from->list, from->length, sizeof *from->list, by_name);
    return found ? found->value : "";
}

static size_t render(char *page, size_t room, const char *title, uint32_t request) {
    size_t used = (size_t)snprintf(page, room, "<h1>%s</h1>\n", title);
    for (uint32_t row = 0; row < 700 && used + 64 < room; row++)
        used += (size_t)snprintf(page + used, room - used, "<li>%u: item %u of %s</li>\n", row, (request * 7 + row) % 901, title);
    return used;
}

static uint64_t respond(uint32_t request) {
    static char page[65536];
    char name[48];
    snprintf(name, sizeof name, "page.section%04u.title", roll(MOST));
    size_t length = render(page, sizeof page, value_of(settings(), name), request);
    uint64_t hash = 1469598103934665603ull;
    for (size_t i = 0; i < length; i++) hash = (hash ^ (uint8_t)page[i]) * 1099511628211ull;
    return hash;
}

int main(int count, char **argument) {
    uint32_t requests = count > 1 ? (uint32_t)atol(argument[1]) : 3000;
    write_settings();
    uint64_t sum = 0;
    for (uint32_t i = 0; i < requests; i++) sum = sum * 31 + respond(i);
    unlink(settings_path);
    printf("%016llx\n", (unsigned long long)sum);
    return 0;
}
