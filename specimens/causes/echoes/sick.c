/* Finds where a short sound returns in a long recording. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define CLIP 2048
#define LANES 8

struct recording {
    size_t length;
    float *samples;
};

struct echo {
    size_t shift;
    float strength;
};

static uint32_t seed = 5;

static int roll(int below) {
    seed = seed * 1664525u + 1013904223u;
    return (int)((seed >> 9) % (uint32_t)below);
}

static struct recording noise(size_t length) {
    struct recording made = {length, malloc(length * sizeof(float))};
    if (!made.samples) exit(1);
    for (size_t i = 0; i < length; i++) made.samples[i] = (float)(roll(9) - 4);
    return made;
}

static void plant(struct recording *long_one, const float *clip, size_t at) {
    for (size_t i = 0; i < CLIP; i++) long_one->samples[at + i] += clip[i];
}

static float overlap(const float *left, const float *right, size_t length) {
    float total = 0;
    for (size_t i = 0; i < length; i++) total += left[i] * right[i];
    return total;
}

static struct echo best_shift(const struct recording *in, const float *clip, size_t from, size_t to) {
    struct echo best = {0, 0};
    for (size_t shift = from; shift < to; shift++) {
        float strength = overlap(in->samples + shift, clip, CLIP);
        if (strength > best.strength) best = (struct echo){shift, strength};
    }
    return best;
}

static uint64_t level_histogram(const struct recording *in) {
    uint32_t levels[32] = {0};
    uint64_t sum = 0;
    for (size_t i = 0; i < in->length; i++) levels[((int)in->samples[i] + 16) & 31]++;
    for (int i = 0; i < 32; i++) sum = sum * 31 + levels[i];
    return sum;
}

static uint64_t search(struct recording *in, const float *clip, size_t blocks) {
    size_t block = (in->length - CLIP) / blocks;
    uint64_t sum = 0;
    for (size_t i = 0; i < blocks; i++) {
        struct echo found = best_shift(in, clip, i * block, (i + 1) * block);
        sum = sum * 1000003 + found.shift + (uint64_t)found.strength;
        if (i % 8 == 0) sum += level_histogram(in);
    }
    return sum;
}

int main(int count, char **argument) {
    size_t thousands = count > 1 ? (size_t)atol(argument[1]) : 700;
    struct recording room = noise(thousands * 1000);
    struct recording clip = noise(CLIP);
    for (int i = 0; i < 5; i++) plant(&room, clip.samples, (size_t)roll((int)(room.length - CLIP)));
    printf("%016llx\n", (unsigned long long)search(&room, clip.samples, 40));
    free(room.samples);
    free(clip.samples);
    return 0;
}
