/* Receives readings of many sensors and keeps what is needed for their averages. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SENSORS 64
#define KEPT 32
#define POINTS 240
#define TABLE (1 << 21)

struct reading {
    struct reading *older;
    uint32_t time;
    uint16_t points[POINTS];
    uint8_t raw[1200];
};

struct sensor {
    struct reading *newest;
    uint32_t kept;
    uint64_t total;
};

static struct sensor sensors[SENSORS];
static uint16_t *calibration;
static uint32_t seed = 6;

static uint32_t roll(void) {
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8;
}

static void calibrate(void) {
    calibration = malloc(TABLE * sizeof *calibration);
    if (!calibration) exit(1);
    for (uint32_t i = 0; i < TABLE; i++) calibration[i] = (uint16_t)((i * 31) ^ (i >> 5));
}

static void measure(struct reading *reading, uint32_t time) {
    reading->time = time;
    uint32_t base = roll() % (TABLE - 8192);
    for (int i = 0; i < POINTS; i++) reading->points[i] = calibration[base + (uint32_t)i * 17];
    memset(reading->raw, (int)(time & 255), sizeof reading->raw);
}

static uint32_t peak(const struct reading *reading) {
    uint32_t highest = 0;
    for (int i = 0; i < POINTS; i++)
        if (reading->points[i] > highest) highest = reading->points[i];
    return highest;
}

static uint64_t average(const struct sensor *sensor) {
    uint64_t sum = 0;
    const struct reading *at = sensor->newest;
    for (int i = 0; i < 8 && at; i++, at = at->older) sum += at->points[i * 7] + at->raw[i];
    return sum / 8;
}

static struct reading *remember(struct sensor *sensor) {
    struct reading *fresh = NULL;
    fresh = malloc(sizeof *fresh);
    if (!fresh) exit(1);
    fresh->older = sensor->newest;
    sensor->newest = fresh;
    sensor->kept++;
    return fresh;
}

static void receive(uint32_t time) {
    struct sensor *sensor = &sensors[roll() % SENSORS];
    struct reading *fresh = remember(sensor);
    measure(fresh, time);
    sensor->total += peak(fresh) + average(sensor);
}

int main(int count, char **argument) {
    uint32_t readings = count > 1 ? (uint32_t)atol(argument[1]) : 420000;
    calibrate();
    for (uint32_t time = 0; time < readings; time++) receive(time);
    uint64_t sum = 0;
    for (int i = 0; i < SENSORS; i++) sum = sum * 31 + sensors[i].total + average(&sensors[i]);
    printf("%016llx %d\n", (unsigned long long)sum, KEPT);
    return 0;
}
