/* Grades a reel of old film: each frame is mixed with the one before against flicker, toned, measured and packed. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIDE 720
#define HIGH 540
#define SPOTS (WIDE * HIGH)

struct reel {
    uint8_t *spots;
    uint32_t frames;
    uint32_t seed;
};

struct strip {
    uint32_t start;
    uint32_t count;
};

struct grade {
    int shadows;
    int lights;
    uint8_t curve[256];
};

struct meter {
    uint32_t steps[256];
    uint64_t runs;
    uint64_t packed;
};

static uint32_t draw(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* A scanned frame: a slow gradient with grain, and a flicker of the lamp. */
static void scan(struct reel *reel, uint32_t number, uint8_t *frame)
{
    uint32_t lamp = 40 + draw(&reel->seed) % 30;
    memcpy(frame, reel->spots + (number % 3) * 4096, SPOTS);
    for (uint32_t spot = draw(&reel->seed) % 61; spot < SPOTS; spot += 61)
        frame[spot] = (uint8_t)(frame[spot] / 2 + lamp);
}

static void fill_curve(struct grade *grade)
{
    for (int light = 0; light < 256; light++) {
        int value = (light - 128) * grade->lights / 100 + 128 + grade->shadows;
        grade->curve[light] = (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
    }
}

/* Cuts the frame into strips of whole rows; the lamp flickers from top to bottom, so each strip has its own weight. */
static uint32_t cut(struct strip *strips, uint32_t rows)
{
    uint32_t made = 0;
    for (uint32_t row = 0; row < HIGH; row += rows, made++) {
        strips[made].start = row * WIDE;
        strips[made].count = (row + rows > HIGH ? HIGH - row : rows) * WIDE;
    }
    return made;
}

/* Mixes a strip of the new frame with the same strip of the last one; where they differ much something moves. */
static void steady(uint8_t *restrict out, const uint8_t *restrict now, const uint8_t *restrict last,
                   uint32_t start, uint32_t count, int weight)
{
    for (uint32_t spot = 0; spot < count; spot++) {
        int fresh = now[start + spot];
        int old = last[start + spot];
        int gap = fresh > old ? fresh - old : old - fresh;
        int mixed = (fresh * weight + old * (64 - weight)) >> 6;
        out[start + spot] = (uint8_t)(gap > 48 ? fresh : mixed);
    }
}

static void tone(uint8_t *spots, const struct grade *grade, uint32_t every)
{
    for (uint32_t row = 0; row < HIGH; row += every)
        for (uint32_t column = 0; column < WIDE; column++)
            spots[row * WIDE + column] = grade->curve[spots[row * WIDE + column]];
}

static void measure(const uint8_t *spots, struct meter *meter)
{
    for (uint32_t spot = 0; spot < SPOTS; spot += 7)
        meter->steps[spots[spot]]++;
}

/* Counts the runs of equal spots in every twelfth row: what the packer would write. */
static void pack(const uint8_t *spots, struct meter *meter)
{
    for (uint32_t row = 0; row < HIGH; row += 12) {
        const uint8_t *line = spots + row * WIDE;
        uint32_t length = 1;
        for (uint32_t column = 1; column < WIDE; column++) {
            if (line[column] == line[column - 1] && length < 128) {
                length++;
            } else {
                meter->runs++;
                meter->packed += length > 2 ? 2 : length;
                length = 1;
            }
        }
    }
}

static uint64_t median(const struct meter *meter)
{
    uint64_t all = 0, sum = 0;
    for (int light = 0; light < 256; light++)
        all += meter->steps[light];
    for (int light = 0; light < 256; light++) {
        sum += meter->steps[light];
        if (sum * 2 >= all)
            return (uint64_t)light;
    }
    return 255;
}

int main(int argc, char **argv)
{
    struct reel reel = { NULL, argc > 1 ? (uint32_t)atoi(argv[1]) : 50, 17 };
    struct grade grade = { -6, 112, { 0 } };
    struct meter meter = { { 0 }, 0, 0 };
    uint8_t *frame = malloc(SPOTS), *last = malloc(SPOTS), *out = malloc(SPOTS);
    reel.spots = malloc(SPOTS + 3 * 4096);
    if (!frame || !last || !out || !reel.spots)
        return 1;
    for (uint32_t spot = 0; spot < SPOTS + 3 * 4096; spot++)
        reel.spots[spot] = (uint8_t)(spot % WIDE / 4 + draw(&reel.seed) % 24);
    fill_curve(&grade);
    struct strip strips[HIGH];
    uint32_t made = cut(strips, argc > 2 ? (uint32_t)atoi(argv[2]) : 90);
    scan(&reel, 0, last);
    for (uint32_t number = 1; number <= reel.frames; number++) {
        scan(&reel, number, frame);
        for (uint32_t strip = 0; strip < made; strip++)
            steady(out, frame, last, strips[strip].start, strips[strip].count, 22 + (int)(number + strip) % 9);
        uint8_t *kept = last;
        last = out;
        out = kept;
        if (number % 8 == 0) {
            memcpy(frame, last, SPOTS);
            tone(frame, &grade, 2);
            measure(frame, &meter);
            pack(frame, &meter);
        }
    }
    printf("frames %u median %llu runs %llu packed %llu\n", reel.frames, (unsigned long long)median(&meter),
           (unsigned long long)meter.runs, (unsigned long long)meter.packed);
    free(frame);
    free(last);
    free(out);
    free(reel.spots);
    return 0;
}
