/* Smooths a noisy picture while keeping its edges. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define REACH 4

struct picture {
    int width, height;
    uint8_t *pixels;
};

static uint32_t seed = 77;

static uint32_t roll(void) {
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8;
}

static double near_table[2 * REACH * REACH + 1];
static double alike_table[256];

static double nearness(int squared) { return exp(-squared / 18.0); }

static double likeness(int difference) { return exp(-(difference * difference) / 1250.0); }

static void prepare(void) {
    for (int i = 0; i <= 2 * REACH * REACH; i++) near_table[i] = nearness(i);
    for (int i = 0; i < 256; i++) alike_table[i] = likeness(i);
}

static struct picture blank(int width, int height) {
    struct picture made = {width, height, calloc((size_t)width * height, 1)};
    if (!made.pixels) exit(1);
    return made;
}

static void shoot(struct picture *picture) {
    for (int y = 0; y < picture->height; y++)
        for (int x = 0; x < picture->width; x++) {
            int base = (x / 32 + y / 32) % 2 ? 180 : 60;
            picture->pixels[y * picture->width + x] = (uint8_t)(base + (int)(roll() % 41) - 20);
        }
}

static double weight(int dx, int dy, int difference) {
    return near_table[dx * dx + dy * dy] * alike_table[abs(difference)];
}

static int clamp(int value, int limit) { return value < 0 ? 0 : value >= limit ? limit - 1 : value; }

static uint8_t smooth_pixel(const struct picture *from, int x, int y) {
    int own = from->pixels[y * from->width + x];
    double sum = 0, total = 0;
    for (int dy = -REACH; dy <= REACH; dy++) {
        const uint8_t *row = from->pixels + (size_t)clamp(y + dy, from->height) * from->width;
        for (int dx = -REACH; dx <= REACH; dx++) {
            int other = row[clamp(x + dx, from->width)];
            double share = weight(dx, dy, other - own);
            sum += share * other;
            total += share;
        }
    }
    return (uint8_t)(sum / total + 0.5);
}

static void smooth(const struct picture *from, struct picture *to) {
    for (int y = 0; y < from->height; y++)
        for (int x = 0; x < from->width; x++) to->pixels[y * from->width + x] = smooth_pixel(from, x, y);
}

static uint64_t digest(const struct picture *picture) {
    uint64_t hash = 1469598103934665603ull;
    for (int i = 0; i < picture->width * picture->height; i++) hash = (hash ^ picture->pixels[i]) * 1099511628211ull;
    return hash;
}

int main(int count, char **argument) {
    int side = count > 1 ? atoi(argument[1]) : 300;
    struct picture first = blank(side, side), second = blank(side, side);
    prepare();
    shoot(&first);
    for (int pass = 0; pass < 5; pass++) {
        smooth(&first, &second);
        smooth(&second, &first);
    }
    printf("%016llx\n", (unsigned long long)digest(&first));
    return 0;
}
