/* Surveys a height map: mean, spread and shade. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct map {
    int side;
    int32_t *heights;
};

struct survey {
    int64_t mean;
    int64_t shade;
    uint64_t spread;
};

static uint32_t seed = 99;

static uint32_t roll(void) {
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
    return seed;
}

static struct map raise_map(int side) {
    struct map made = {side, malloc((size_t)side * side * sizeof(int32_t))};
    if (!made.heights) exit(1);
    for (int y = 0; y < side; y++) {
        int32_t level = (int32_t)(roll() % 900);
        for (int x = 0; x < side; x++) made.heights[(size_t)y * side + x] = level + (x * 7 + y * 3) % 61;
    }
    return made;
}

static int32_t at(const struct map *map, int x, int y) { return map->heights[(size_t)y * map->side + x]; }

static int64_t mean_height(const struct map *map) {
    int64_t total = 0;
    for (int x = 0; x < map->side; x++)
        for (int y = 0; y < map->side; y++) total += at(map, x, y);
    return total / ((int64_t)map->side * map->side);
}

static int64_t shade(const struct map *map, int sun) {
    int64_t total = 0;
    for (int y = 1; y < map->side; y++)
        for (int x = 1; x < map->side; x++) {
            int slope = (at(map, x, y) - at(map, x - 1, y)) * sun + (at(map, x, y) - at(map, x, y - 1));
            total += slope > 0 ? slope : slope / 4;
        }
    return total;
}

static uint64_t spread(const struct map *map, int64_t mean) {
    uint64_t total = 0;
    for (size_t i = 0; i < (size_t)map->side * map->side; i++) {
        int64_t away = map->heights[i] - mean;
        total += (uint64_t)(away * away);
    }
    return total;
}

static void erode(struct map *map, int64_t mean) {
    for (size_t i = 0; i < (size_t)map->side * map->side; i++) map->heights[i] -= map->heights[i] > mean;
}

static struct survey survey(const struct map *map, int sun) {
    struct survey made;
    made.mean = mean_height(map);
    made.shade = shade(map, sun);
    made.spread = spread(map, made.mean);
    return made;
}

int main(int count, char **argument) {
    struct map map = raise_map(count > 1 ? atoi(argument[1]) : 4096);
    uint64_t sum = 0;
    for (int season = 0; season < 8; season++) {
        struct survey now = survey(&map, season + 1);
        sum = sum * 31 + (uint64_t)now.mean + (uint64_t)now.shade + now.spread;
        erode(&map, now.mean);
    }
    printf("%016llx\n", (unsigned long long)sum);
    free(map.heights);
    return 0;
}
