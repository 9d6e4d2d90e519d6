/* A shadow play: draws puppets as spans on a large stage and measures the shadows. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 2560
#define ROW_BYTES 16384
#define PUPPETS 24

struct puppet {
    int x, y, tall, wide;
    int dx, dy;
};

struct show {
    struct puppet cast[PUPPETS];
    uint8_t *stage;
    uint64_t shadow;
    uint64_t applause;
};

static uint32_t state = 7919;

static int draw_lot(int below) {
    state = state * 1664525u + 1013904223u;
    return (int)((state >> 8) % (uint32_t)below);
}

static void hire(struct show *show) {
    for (int i = 0; i < PUPPETS; i++) {
        struct puppet *puppet = &show->cast[i];
        puppet->tall = 80 + draw_lot(200);
        puppet->wide = 20 + draw_lot(60);
        puppet->x = draw_lot(ROW_BYTES - puppet->wide);
        puppet->y = draw_lot(ROWS - puppet->tall);
        puppet->dx = draw_lot(19) - 9;
        puppet->dy = draw_lot(19) - 9;
    }
}

static void move(struct puppet *puppet) {
    puppet->x += puppet->dx;
    puppet->y += puppet->dy;
    if (puppet->x < 0 || puppet->x + puppet->wide >= ROW_BYTES) {
        puppet->dx = -puppet->dx;
        puppet->x += 2 * puppet->dx;
    }
    if (puppet->y < 0 || puppet->y + puppet->tall >= ROWS) {
        puppet->dy = -puppet->dy;
        puppet->y += 2 * puppet->dy;
    }
}

static void light(uint8_t *stage, int scene) {
    for (int row = 0; row < ROWS; row++)
        for (int lamp = 0; lamp < ROW_BYTES; lamp += 2048)
            stage[row * (long)ROW_BYTES + lamp] = (uint8_t)(row + lamp / 512 + scene);
}

static uint64_t cast_shadow(const struct puppet *puppet, uint8_t *stage) {
    uint64_t sum = 0;
    for (int row = puppet->y; row < puppet->y + puppet->tall; row++) {
        uint8_t *span = stage + row * (long)ROW_BYTES + puppet->x;
        memset(span, row & 15, (size_t)puppet->wide);
        sum += span[0] + span[puppet->wide - 1];
    }
    return sum;
}

static void clap(struct show *show, int scene) {
    uint8_t hands[4096];
    memset(hands, scene & 255, sizeof hands);
    for (size_t i = 0; i < sizeof hands; i++)
        show->applause = show->applause * 31 + hands[i];
}

static void draw_scene(struct show *show, int scene) {
    light(show->stage, scene);
    for (int i = 0; i < PUPPETS; i++) {
        move(&show->cast[i]);
        show->shadow += cast_shadow(&show->cast[i], show->stage);
    }
}

static void play(struct show *show, int scenes) {
    for (int scene = 0; scene < scenes; scene++) {
        draw_scene(show, scene);
        clap(show, scene);
    }
}

int main(int argc, char **argv) {
    int scenes = argc > 1 ? atoi(argv[1]) : 20;
    static struct show show;
    hire(&show);
    show.stage = malloc((size_t)ROWS * ROW_BYTES);
    play(&show, scenes);
    free(show.stage);
    printf("shadow %llu applause %llx\n", (unsigned long long)show.shadow, (unsigned long long)show.applause);
    return 0;
}
