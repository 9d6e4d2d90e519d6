/* Grain dockets: writes the day's dockets to a scratch file, then reads and books them. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FARMS 64

struct source {
    int handle;
    long taken;
    unsigned char block[65536];
    ssize_t filled;
    ssize_t place;
};

struct docket {
    char farm[16];
    char grain[16];
    long kilos;
    long moisture;
};

struct book {
    long kilos[FARMS];
    long refused;
    uint32_t seal;
};

static uint32_t draw(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 9;
}

static FILE *write_dockets(int count)
{
    static const char *grains[] = {"rye", "oats", "wheat", "barley"};
    FILE *file = tmpfile();
    uint32_t state = 1931;
    if (!file)
        return NULL;
    for (int number = 0; number < count; number++) {
        uint32_t value = draw(&state);
        fprintf(file, "F%02u;%s;%u;%u\n", value % FARMS, grains[value / 64 % 4], 400 + draw(&state) % 9000,
                draw(&state) % 30);
    }
    fflush(file);
    rewind(file);
    return file;
}

/* The next byte of the file, or -1 at its end. */
static int next_byte(struct source *source)
{
    if (source->place == source->filled) {
        source->filled = read(source->handle, source->block, sizeof source->block);
        source->place = 0;
        if (source->filled <= 0) {
            source->filled = 0;
            return -1;
        }
    }
    source->taken++;
    return source->block[source->place++];
}

/* One field up to its delimiter; returns the delimiter or -1. */
static int next_field(struct source *source, char *text, size_t room)
{
    size_t length = 0;
    int byte;
    while ((byte = next_byte(source)) != -1 && byte != ';' && byte != '\n')
        if (length + 1 < room)
            text[length++] = (char)byte;
    text[length] = '\0';
    return byte;
}

static int read_docket(struct source *source, struct docket *docket)
{
    char number[24];
    if (next_field(source, docket->farm, sizeof docket->farm) != ';')
        return 0;
    if (next_field(source, docket->grain, sizeof docket->grain) != ';')
        return 0;
    if (next_field(source, number, sizeof number) != ';')
        return 0;
    docket->kilos = strtol(number, NULL, 10);
    if (next_field(source, number, sizeof number) != '\n')
        return 0;
    docket->moisture = strtol(number, NULL, 10);
    return 1;
}

static uint32_t grade(const struct docket *docket, uint32_t seal)
{
    for (int round = 0; round < 12; round++)
        for (const char *letter = docket->grain; *letter; letter++)
            seal = (seal ^ (uint32_t)*letter) * 16777619u + (uint32_t)docket->moisture;
    return seal;
}

static int take_dockets(struct source *source, struct book *book)
{
    struct docket docket;
    int count = 0;
    while (read_docket(source, &docket)) {
        book->seal = grade(&docket, book->seal);
        if (docket.moisture > 25)
            book->refused++;
        else
            book->kilos[strtol(docket.farm + 1, NULL, 10) % FARMS] += docket.kilos;
        count++;
    }
    return count;
}

int main(int argc, char **argv)
{
    FILE *file = write_dockets(argc > 1 ? atoi(argv[1]) : 1000);
    struct source source;
    struct book book;
    if (!file)
        return 1;
    memset(&source, 0, sizeof source);
    memset(&book, 0, sizeof book);
    source.handle = fileno(file);
    int count = take_dockets(&source, &book);
    long total = 0;
    for (int farm = 0; farm < FARMS; farm++)
        total += book.kilos[farm];
    printf("%d dockets, %ld bytes, %ld kilos, %ld refused, seal %08x\n", count, source.taken, total, book.refused, book.seal);
    fclose(file);
    return 0;
}
