/* Looks for the brightest strip of the panorama that a mountain camera takes every few minutes. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jemalloc/jemalloc.h>

enum { WIDTH = 1536, HEIGHT = 1024, STRIP = 64 };

const char *malloc_conf = "narenas:1,dirty_decay_ms:0,muzzy_decay_ms:0";

static uint8_t *expose(int shot)
{
    uint8_t *picture = malloc(WIDTH * HEIGHT);
    for (int row = 0; row < HEIGHT; row++) {
        memset(picture + row * WIDTH, (row / 8 + shot * 13) % 251, WIDTH);
    }
    return picture;
}

static uint8_t *shrink(const uint8_t *picture)
{
    uint8_t *small = malloc(WIDTH * HEIGHT / 2);
    for (int row = 0; row < HEIGHT / 2; row++) {
        memcpy(small + row * WIDTH, picture + row * 2 * WIDTH, WIDTH);
    }
    return small;
}

static unsigned brightness(const uint8_t *small, int strip)
{
    unsigned sum = 0;
    for (int row = 0; row < HEIGHT / 2; row += 8) {
        sum += small[row * WIDTH + strip * STRIP];
    }
    return sum;
}

static int brightest(const uint8_t *small)
{
    int best = 0;
    for (int strip = 1; strip < WIDTH / STRIP; strip++) {
        if (brightness(small, strip) > brightness(small, best)) {
            best = strip;
        }
    }
    return best;
}

int main(int count, char **words)
{
    int shots = count > 1 ? atoi(words[1]) : 10;
    unsigned long total = 0;
    for (int shot = 0; shot < shots; shot++) {
        uint8_t *picture = expose(shot);
        uint8_t *small = shrink(picture);
        total += brightness(small, brightest(small));
        free(small);
        free(picture);
    }
    printf("%lu\n", total);
    return 0;
}
