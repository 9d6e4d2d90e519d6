/* Counts the yearly layers in the ice cores of an archive, in the order of the catalogue. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CORE = 4096, SPREAD = 1 };

struct entry {
    uint32_t serial;
    off_t place;
    double layers;
};

struct archive {
    int file;
    char path[512];
    struct entry *entries;
    size_t count;
};

static uint32_t mix(uint32_t value)
{
    value ^= value >> 16;
    value *= 0x7feb352du;
    value ^= value >> 15;
    value *= 0x846ca68bu;
    return value ^ value >> 16;
}

static int by_key(const void *a, const void *b)
{
    uint32_t x = mix(((const struct entry *)a)->serial), y = mix(((const struct entry *)b)->serial);
    return x < y ? -1 : x > y;
}

static void build(struct archive *archive, size_t count)
{
    const char *folder = getenv("TMPDIR");
    snprintf(archive->path, sizeof archive->path, "%s/cores-XXXXXX", folder ? folder : "/tmp");
    archive->file = mkstemp(archive->path);
    archive->count = count;
    archive->entries = calloc(count, sizeof *archive->entries);
    static unsigned char block[CORE * SPREAD];
    for (size_t n = 0; n < count; n++) {
        for (size_t k = 0; k < CORE; k++)
            block[k] = (unsigned char)(128 + 100 * ((k * (3 + n % 5) / 64) & 1) + (k & 7));
        if (write(archive->file, block, sizeof block) != (ssize_t)sizeof block)
            exit(1);
        archive->entries[n] = (struct entry){(uint32_t)n, (off_t)(n * sizeof block), 0};
    }
    /* The archive is larger than memory in life; nothing of it shall be left in the page cache. */
    fdatasync(archive->file);
    posix_fadvise(archive->file, 0, 0, POSIX_FADV_DONTNEED);
    qsort(archive->entries, count, sizeof *archive->entries, by_key);
}

static double count_layers(const unsigned char *core)
{
    double layers = 0;
    int high = 0;
    for (int k = 0; k < CORE; k++) {
        int now = core[k] > 180;
        layers += now && !high;
        high = now;
    }
    return layers + sqrt(core[7]) / 100;
}

static double load_core(const struct archive *archive, const struct entry *entry)
{
    unsigned char core[CORE];
    if (pread(archive->file, core, CORE, entry->place) != CORE)
        exit(1);
    return count_layers(core);
}

static void order(struct archive *archive)
{
    posix_fadvise(archive->file, 0, 0, POSIX_FADV_RANDOM);
}

static double analyse(struct archive *archive)
{
    double sum = 0;
    order(archive);
    for (size_t n = 0; n < archive->count; n++)
        archive->entries[n].layers = load_core(archive, &archive->entries[n]);
    qsort(archive->entries, archive->count, sizeof *archive->entries, by_key);
    for (size_t n = 0; n < archive->count; n++)
        sum = sum * 0.999 + archive->entries[n].layers;
    return sum;
}

int main(int argc, char **argv)
{
    struct archive archive;
    build(&archive, argc > 1 ? strtoul(argv[1], NULL, 10) : 500);
    printf("cores %zu layers %.4f\n", archive.count, analyse(&archive));
    close(archive.file);
    unlink(archive.path);
    free(archive.entries);
    return 0;
}
