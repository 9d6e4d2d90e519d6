/* Composes picture tiles on a canvas and prints their digests. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define SIDE 1408

struct canvas {
    size_t bytes;
    uint32_t *pixels;
};

static uint32_t seed = 13;

static uint32_t roll(uint32_t below) {
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 9) % below;
}

static struct canvas borrow_canvas(void) {
    struct canvas made = {SIDE * SIDE * sizeof(uint32_t), NULL};
    void *mapped = mmap(NULL, made.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) exit(1);
    made.pixels = mapped;
    return made;
}

static void return_canvas(struct canvas *canvas) {
    munmap(canvas->pixels, canvas->bytes);
    canvas->pixels = NULL;
}

static void clear(struct canvas *canvas, int shade) { memset(canvas->pixels, shade, canvas->bytes); }

static void rectangle(struct canvas *canvas, uint32_t left, uint32_t top, uint32_t size, uint32_t colour) {
    for (uint32_t y = top; y < top + size; y++) {
        uint32_t *row = canvas->pixels + y * SIDE;
        for (uint32_t x = left; x < left + size; x++) row[x] = (row[x] & 0x7f7f7f7f) + (colour & 0x7f7f7f7f);
    }
}

static void decorate(struct canvas *canvas) {
    for (int i = 0; i < 26; i++) {
        uint32_t size = 40 + roll(160);
        rectangle(canvas, roll(SIDE - size), roll(SIDE - size), size, roll(1u << 23));
    }
}

static uint64_t digest(const struct canvas *canvas) {
    uint64_t hash = 1469598103934665603ull;
    for (uint32_t i = 0; i < SIDE * SIDE; i += 3) hash = (hash ^ canvas->pixels[i]) * 1099511628211ull;
    return hash;
}

static uint64_t compose(int number) {
    struct canvas canvas = borrow_canvas();
    clear(&canvas, number & 63);
    decorate(&canvas);
    uint64_t hash = digest(&canvas);
    return_canvas(&canvas);
    return hash;
}

int main(int count, char **argument) {
    int tiles = count > 1 ? atoi(argument[1]) : 160;
    uint64_t sum = 0;
    for (int i = 0; i < tiles; i++) sum = sum * 31 + compose(i);
    printf("%016llx\n", (unsigned long long)sum);
    return 0;
}
