/* Renders the tiles of a large drawing: layers are blended in a work buffer, then each tile is summed up. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define SIDE 448
#define LAYERS 3
#define POOLED 4

struct buffer {
    uint32_t *pixels;
    size_t bytes;
    int taken;
};

struct pool {
    struct buffer buffers[POOLED];
    int made;
    long handed_out;
};

struct layer {
    uint32_t tint;
    uint32_t slope;
    uint8_t weight;
};

struct tile {
    int column, row;
    struct layer layers[LAYERS];
};

static struct buffer *pool_get(struct pool *pool, size_t bytes) {
    pool->handed_out++;
    for (int i = 0; i < pool->made; i++)
        if (!pool->buffers[i].taken && pool->buffers[i].bytes >= bytes) {
            pool->buffers[i].taken = 1;
            return &pool->buffers[i];
        }
    if (pool->made == POOLED)
        return NULL;
    struct buffer *buffer = &pool->buffers[pool->made++];
    buffer->pixels = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (buffer->pixels == MAP_FAILED) {
        perror("no memory for a tile");
        exit(1);
    }
    buffer->bytes = bytes;
    buffer->taken = 1;
    return buffer;
}

static void pool_put(struct pool *pool, struct buffer *buffer) {
    (void)pool;
    buffer->taken = 0;
}

static void pool_close(struct pool *pool) {
    for (int i = 0; i < pool->made; i++)
        munmap(pool->buffers[i].pixels, pool->buffers[i].bytes);
    pool->made = 0;
}

static void ground(uint32_t *pixels, const struct tile *tile) {
    uint32_t base = (uint32_t)(tile->column * 31 + tile->row * 17);
    for (int i = 0; i < SIDE * SIDE; i++)
        pixels[i] = base + (uint32_t)i;
}

static void blend(uint32_t *pixels, const struct layer *layer) {
    uint32_t tint = layer->tint, slope = layer->slope;
    for (int i = 0; i < SIDE * SIDE; i++)
        pixels[i] = (pixels[i] ^ tint) + slope;
}

static uint32_t settle(const uint32_t *pixels) {
    uint32_t sum = 0;
    for (int i = 0; i < SIDE * SIDE; i++)
        sum += pixels[i] ^ pixels[i] >> 7;
    return sum;
}

static void plan(struct tile *tile, int number) {
    tile->column = number % 64;
    tile->row = number / 64;
    for (int i = 0; i < LAYERS; i++) {
        uint32_t mix = (uint32_t)(number * 2654435761u) ^ (uint32_t)i * 40503u;
        tile->layers[i] = (struct layer){mix, mix >> 20, (uint8_t)(mix >> 3)};
    }
}

static uint32_t render(struct pool *pool, const struct tile *tile) {
    struct buffer *work = pool_get(pool, (size_t)SIDE * SIDE * sizeof(uint32_t));
    ground(work->pixels, tile);
    for (int i = 0; i < LAYERS; i++)
        if (tile->layers[i].weight > 16)
            blend(work->pixels, &tile->layers[i]);
    uint32_t sum = settle(work->pixels);
    pool_put(pool, work);
    return sum;
}

int main(int argc, char **argv) {
    int tiles = argc > 1 ? atoi(argv[1]) : 400;
    struct pool pool;
    struct tile tile;
    uint32_t seal = 0;

    memset(&pool, 0, sizeof pool);
    for (int i = 0; i < tiles; i++) {
        plan(&tile, i);
        seal = seal * 31u + render(&pool, &tile);
    }
    printf("tiles %d buffers %d seal %08x\n", tiles, pool.made, seal);
    pool_close(&pool);
    return 0;
}
