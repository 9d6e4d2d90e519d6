/* Lays out the catalogue pages of a pottery, one job after the other, in a scratch area that is shared by the jobs. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define AREA_BYTES (6u << 20)
#define GLYPH_BYTES 1024
#define COLUMNS 5

struct area {
    unsigned char *base;
    size_t used, most;
};

struct box {
    struct box *next;
    uint32_t kind, width, height, column;
    unsigned char cells[GLYPH_BYTES];
};

struct page {
    struct box *first;
    uint32_t boxes, heights[COLUMNS];
};

static uint32_t seed = 20011;

static uint32_t draw(void)
{
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8;
}

static int area_open(struct area *area)
{
    area->base = mmap(NULL, AREA_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    area->used = area->most = 0;
    if (area->base == MAP_FAILED)
        return -1;
    return madvise(area->base, AREA_BYTES, MADV_NOHUGEPAGE);
}

static void *area_take(struct area *area, size_t bytes)
{
    bytes = (bytes + 15) & ~(size_t)15;
    if (area->used + bytes > AREA_BYTES)
        return NULL;
    void *place = area->base + area->used;
    area->used += bytes;
    return place;
}

static void area_rewind(struct area *area)
{
    if (area->used > area->most)
        area->most = area->used;
    madvise(area->base, area->used, MADV_DONTNEED);
    area->used = 0;
}

static void paint(struct box *box, uint32_t tone)
{
    memset(box->cells, (int)(tone & 0x7f), sizeof box->cells);
    for (uint32_t row = 0; row < 16; row++)
        box->cells[row * 64 + tone % 64] = (unsigned char)(tone >> (row & 7));
}

static struct box *set_box(struct area *area, uint32_t kind)
{
    struct box *box = area_take(area, sizeof *box);
    if (!box)
        return NULL;
    box->next = NULL;
    box->kind = kind;
    box->width = 20 + draw() % 60;
    box->height = 8 + draw() % 30;
    box->column = 0;
    paint(box, draw());
    return box;
}

static void compose(struct area *area, struct page *page, uint32_t boxes)
{
    struct box *last = NULL;
    for (uint32_t i = 0; i < boxes; i++) {
        struct box *box = set_box(area, i % 3);
        if (!box)
            break;
        if (last)
            last->next = box;
        else
            page->first = box;
        last = box;
        page->boxes++;
    }
}

/* The lowest column takes the next box. */
static void flow(struct page *page)
{
    for (struct box *box = page->first; box; box = box->next) {
        uint32_t best = 0;
        for (uint32_t c = 1; c < COLUMNS; c++)
            if (page->heights[c] < page->heights[best])
                best = c;
        box->column = best;
        page->heights[best] += box->height + (box->width > 60 ? 4 : 2);
    }
}

static uint64_t fingerprint(const struct page *page, uint64_t mark)
{
    for (const struct box *box = page->first; box; box = box->next) {
        uint64_t word;
        memcpy(&word, box->cells + (box->width & 63) * 8, sizeof word);
        mark = (mark ^ word ^ ((uint64_t)box->column << 40) ^ box->height) * 1099511628211ull;
    }
    return mark;
}

int main(int argc, char **argv)
{
    int jobs = argc > 1 ? atoi(argv[1]) : 400;
    struct area area;
    if (area_open(&area) != 0) {
        fprintf(stderr, "no scratch area\n");
        return 1;
    }
    uint64_t mark = 1469598103934665603ull, boxes = 0;
    uint32_t tallest = 0;
    for (int job = 0; job < jobs; job++) {
        struct page page = {0};
        compose(&area, &page, 4200 + draw() % 1200);
        flow(&page);
        mark = fingerprint(&page, mark);
        boxes += page.boxes;
        for (int c = 0; c < COLUMNS; c++)
            if (page.heights[c] > tallest)
                tallest = page.heights[c];
        area_rewind(&area);
    }
    printf("boxes %llu tallest %u most %zu mark %016llx\n", (unsigned long long)boxes, tallest, area.most,
           (unsigned long long)mark);
    munmap(area.base, AREA_BYTES);
    return 0;
}
