/* Turf invoices: reads orders of a garden supplier from a file, prices each one and adds the day up. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE_LINES 64

typedef struct {
    unsigned char *base;
    size_t size;
    size_t used;
} Arena;

typedef struct Line {
    struct Line *next;
    uint32_t article;
    uint32_t amount;
    uint64_t price;
    char note[3976];
} Line;

typedef struct {
    uint64_t net;
    uint64_t tax;
    uint64_t lines;
    uint32_t check;
} Day;

static uint32_t seed = 77;

static uint32_t draw(void)
{
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8;
}

static int arena_open(Arena *arena, size_t size)
{
    arena->base = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    arena->size = size;
    arena->used = 0;
    if (arena->base == MAP_FAILED)
        return -1;
    madvise(arena->base, size, MADV_NOHUGEPAGE);
    return 0;
}

static void *arena_take(Arena *arena, size_t bytes)
{
    bytes = (bytes + 15) & ~(size_t)15;
    if (arena->used + bytes > arena->size)
        return NULL;
    void *place = arena->base + arena->used;
    arena->used += bytes;
    return place;
}

static void arena_reset(Arena *arena)
{
    madvise(arena->base, arena->used, MADV_DONTNEED);
    arena->used = 0;
}

static uint64_t tariff(uint32_t article, uint32_t amount)
{
    uint64_t price = 120 + article % 977;
    if (amount > 50)
        price = price * 93 / 100;
    else if (amount > 20)
        price = price * 97 / 100;
    return price * amount;
}

static Line *read_lines(Arena *arena, FILE *orders, unsigned count)
{
    Line *first = NULL;
    for (unsigned k = 0; k < count; k++) {
        Line *line = arena_take(arena, sizeof *line);
        if (!line || fscanf(orders, "%u %u", &line->article, &line->amount) != 2)
            return first;
        line->price = tariff(line->article, line->amount);
        snprintf(line->note, 48, "%u pcs", line->amount);
        line->next = first;
        first = line;
    }
    return first;
}

static uint32_t stamp(uint32_t check, const Line *line)
{
    for (const char *at = line->note; *at; at++)
        check = (check ^ (unsigned char)*at) * 16777619u;
    return check ^ (uint32_t)line->price;
}

static void invoice(Day *day, const Line *first)
{
    uint64_t net = 0;
    for (const Line *line = first; line; line = line->next) {
        net += line->price;
        day->check = stamp(day->check, line);
        day->lines++;
    }
    day->net += net;
    day->tax += net * 19 / 100;
}

static void write_orders(FILE *orders, unsigned count)
{
    for (unsigned n = 0; n < count; n++) {
        fprintf(orders, "%d\n", PAGE_LINES);
        for (int k = 0; k < PAGE_LINES; k++)
            fprintf(orders, "%u %u\n", draw() % 5000, 1 + draw() % 80);
    }
}

int main(int argc, char **argv)
{
    unsigned count = argc > 1 ? (unsigned)atoi(argv[1]) : 1000;
    char path[] = "/tmp/turfXXXXXX";
    int handle = mkstemp(path);
    if (handle < 0)
        return 1;
    FILE *orders = fdopen(handle, "w+");
    unlink(path);
    write_orders(orders, count);
    rewind(orders);

    Arena arena;
    if (arena_open(&arena, 8u << 20) < 0)
        return 1;
    Day day = {0, 0, 0, 2166136261u};
    unsigned lines;
    while (fscanf(orders, "%u", &lines) == 1) {
        invoice(&day, read_lines(&arena, orders, lines));
        arena_reset(&arena);
    }
    fclose(orders);
    printf("lines %llu net %llu tax %llu check %08x\n", (unsigned long long)day.lines, (unsigned long long)day.net,
           (unsigned long long)day.tax, day.check);
    return 0;
}
