/* Copper vats: two probes per vat are read each minute, and a meter keeps the running totals. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define SAMPLES 60000
#define VATS 12

struct meter {
    int32_t drift;
    int32_t upper;
    int32_t lower;
};

struct vat {
    int32_t *left;
    int32_t *right;
    struct meter meter;
    int number;
    int settled;
};

static uint32_t draw(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

static void refill(struct vat *vat, uint32_t seed)
{
    uint32_t state = seed | 1;
    for (size_t place = 0; place < SAMPLES; place++) {
        vat->left[place] = (int32_t)(draw(&state) % 900);
        vat->right[place] = (int32_t)(draw(&state) % 900);
    }
}

static int furnish(struct vat *vats)
{
    for (int number = 0; number < VATS; number++) {
        vats[number].left = malloc(SAMPLES * sizeof(int32_t));
        vats[number].right = malloc(SAMPLES * sizeof(int32_t));
        if (!vats[number].left || !vats[number].right)
            return -1;
        vats[number].meter = (struct meter){0, 0, 0};
        vats[number].number = number;
        vats[number].settled = 0;
        refill(&vats[number], 77u + (uint32_t)number * 13u);
    }
    return 0;
}

/* Adds one minute of both probes to the meter. */
__attribute__((noinline)) static void absorb(struct meter *meter, const int32_t *left, const int32_t *right, size_t count)
{
    for (size_t place = 0; place < count; place++) {
        meter->drift += left[place] - right[place];
        meter->upper += left[place] > right[place] ? left[place] : right[place];
        meter->lower += left[place] < right[place] ? left[place] : right[place];
    }
}

/* A vat has settled once its extremes stay together; then the heat is turned. */
static int settle(struct vat *vat, int minute)
{
    int32_t spread = (vat->meter.upper >> 8) - (vat->meter.lower >> 8);
    if (spread % 7 == 0 && minute % 3 == 0) {
        vat->settled++;
        vat->left[(uint32_t)spread % SAMPLES] ^= 5;
        return 1;
    }
    if (spread % 11 == 0)
        vat->right[(uint32_t)minute % SAMPLES] ^= 3;
    return 0;
}

static uint32_t checksum(const struct vat *vats)
{
    uint32_t sum = 17;
    for (int number = 0; number < VATS; number++) {
        sum = sum * 31 + (uint32_t)vats[number].meter.drift;
        sum = sum * 31 + (uint32_t)vats[number].meter.upper;
        sum = sum * 31 + (uint32_t)vats[number].meter.lower;
        sum ^= (uint32_t)vats[number].left[number * 100] + (uint32_t)vats[number].settled;
    }
    return sum;
}

static int follow(struct vat *vats, int minutes)
{
    int turned = 0;
    for (int minute = 0; minute < minutes; minute++) {
        struct vat *vat = &vats[minute % VATS];
        absorb(&vat->meter, vat->left, vat->right, SAMPLES);
        turned += settle(vat, minute);
        if (minute % 4000 == 3999)
            refill(vat, (uint32_t)minute);
    }
    return turned;
}

int main(int argc, char **argv)
{
    int minutes = argc > 1 ? atoi(argv[1]) : 100;
    struct vat vats[VATS];
    if (furnish(vats) != 0)
        return 1;
    int turned = follow(vats, minutes);
    printf("%d minutes, %d turned, sum %08x\n", minutes, turned, checksum(vats));
    for (int number = 0; number < VATS; number++) {
        free(vats[number].left);
        free(vats[number].right);
    }
    return 0;
}
