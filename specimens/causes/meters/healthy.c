/* Bills electricity readings under three tariffs. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct reading {
    uint16_t meter;
    uint8_t tariff;
    uint8_t flags;
    uint32_t units;
};

struct totals {
    uint64_t night, day, peak;
    uint64_t counted[4];
};

static uint32_t seed = 4242;

static uint32_t roll(void) {
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
    return seed;
}

static struct reading *collect(size_t length) {
    struct reading *readings = malloc(length * sizeof *readings);
    if (!readings) exit(1);
    for (size_t i = 0; i < length; i++) {
        uint32_t value = roll();
        readings[i] = (struct reading){(uint16_t)(value & 1023), (uint8_t)(value >> 11 & 3), (uint8_t)(value >> 14 & 1), value >> 20};
    }
    return readings;
}

static struct reading *group(const struct reading *readings, size_t length) {
    struct reading *grouped = malloc(length * sizeof *grouped);
    if (!grouped) exit(1);
    size_t starts[9] = {0};
    for (size_t i = 0; i < length; i++) starts[readings[i].tariff * 2 + readings[i].flags + 1]++;
    for (int i = 1; i < 9; i++) starts[i] += starts[i - 1];
    for (size_t i = 0; i < length; i++) grouped[starts[readings[i].tariff * 2 + readings[i].flags]++] = readings[i];
    return grouped;
}

static void bill(const struct reading *readings, size_t length, uint32_t price, struct totals *totals, uint64_t *meters) {
    for (size_t i = 0; i < length; i++) {
        const struct reading *at = &readings[i];
        if (at->tariff == 0) {
            totals->night += at->units * (uint64_t)price;
            totals->counted[0]++;
        } else if (at->tariff == 1) {
            totals->day += at->units * (uint64_t)(price + 7) + 3;
            meters[at->meter] += at->units;
        } else if (at->flags) {
            totals->peak += (at->units ^ price) + (at->units >> 3);
            totals->counted[at->tariff]++;
        } else {
            meters[at->meter] += price;
        }
    }
}

static uint64_t audit(const struct reading *readings, size_t length) {
    uint64_t sum = 0;
    for (size_t i = 0; i < length; i++) sum += (uint64_t)readings[i].units * (readings[i].meter | 1u);
    return sum;
}

static uint64_t settle(const struct reading *readings, size_t length, int months) {
    struct totals totals = {0};
    static uint64_t meters[1024];
    uint64_t sum = 0;
    for (int month = 0; month < months; month++) {
        bill(readings, length, 11 + month % 5, &totals, meters);
        for (int round = 0; round < 2; round++) sum += audit(readings, length);
    }
    for (int i = 0; i < 1024; i++) sum = sum * 31 + meters[i];
    return sum + totals.night * 3 + totals.day * 5 + totals.peak * 7 + totals.counted[0] + totals.counted[2] + totals.counted[3];
}

int main(int count, char **argument) {
    size_t length = count > 1 ? (size_t)atol(argument[1]) : 400000;
    struct reading *readings = collect(length);
    struct reading *grouped = group(readings, length);
    uint64_t sum = settle(grouped, length, 400);
    sum += audit(readings, length);
    printf("%016llx\n", (unsigned long long)sum);
    free(readings);
    free(grouped);
    return 0;
}
