/* Paints the walls of a street: base coat, tint and a weathered layer. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define WIDE 320
#define HIGH 200

struct shade {
    float red, green, blue;
};

struct wall {
    struct shade spots[WIDE * HIGH];
    int coats;
};

struct pot {
    struct shade colour;
    float strength;
};

static float curve[256];

static float clamp(float value, float low, float high) {
    if (value < low)
        return low;
    if (value > high)
        return high;
    return value;
}

static float to_light(float value) {
    int step = (int)(clamp(value, 0.0f, 1.0f) * 255.0f);
    return curve[step];
}

static float channel(float under, float over, float strength) {
    return clamp(under * (1.0f - strength) + over * strength, 0.0f, 1.0f);
}

static struct shade blend(struct shade under, const struct pot *pot, float wear) {
    float strength = clamp(pot->strength * wear, 0.0f, 1.0f);
    struct shade mixed;
    mixed.red = channel(under.red, pot->colour.red, strength);
    mixed.green = channel(under.green, pot->colour.green, strength);
    mixed.blue = channel(under.blue, pot->colour.blue, strength);
    return mixed;
}

static struct shade *spot_at(struct wall *wall, int x, int y) {
    return &wall->spots[y * WIDE + x];
}

static float season_of(int x, int y, int coat) {
    int grain = (x * 7 + y * 13 + coat * 5) & 31;
    return 0.5f + (float)grain / 64.0f;
}

static void mix_wall(struct wall *wall, const struct pot *pot) {
    for (int y = 0; y < HIGH; y++)
        for (int x = 0; x < WIDE; x++) {
            struct shade *spot = spot_at(wall, x, y);
            float wear = season_of(x, y, wall->coats);
            *spot = blend(*spot, pot, wear);
            spot->red = to_light(spot->red);
        }
    wall->coats++;
}

static void paint_house(struct wall *wall, const struct pot *pots, int count) {
    for (int pot = 0; pot < count; pot++)
        mix_wall(wall, &pots[pot]);
}

static void fill_curve(void) {
    for (int step = 0; step < 256; step++)
        curve[step] = (float)pow(step / 255.0, 1.0 / 1.1);
}

static unsigned long look(struct wall *wall) {
    unsigned long sum = 0;
    for (int y = 0; y < HIGH; y += 5)
        for (int x = 0; x < WIDE; x += 5) {
            struct shade *spot = spot_at(wall, x, y);
            sum = sum * 33 + (unsigned long)(spot->red * 40 + spot->green * 20 + spot->blue * 10);
        }
    return sum;
}

int main(int argc, char **argv) {
    int houses = argc > 1 ? atoi(argv[1]) : 10;
    struct pot pots[] = {
        {{0.8f, 0.7f, 0.4f}, 0.5f},
        {{0.2f, 0.5f, 0.3f}, 0.3f},
        {{0.9f, 0.9f, 0.8f}, 0.2f},
    };
    struct wall *wall = calloc(1, sizeof *wall);
    fill_curve();
    for (int house = 0; house < houses; house++)
        paint_house(wall, pots, 3);
    printf("%d coats, look %lx\n", wall->coats, look(wall));
    free(wall);
    return 0;
}
