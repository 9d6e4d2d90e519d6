/* Plays random moves on a board game and weighs the position after each. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIDE 20
#define HISTORY 6000

struct move {
    uint16_t from, to, taken, turn;
};

struct game {
    int8_t cells[SIDE][SIDE];
    struct move history[HISTORY];
    uint32_t moves;
    int turn;
};

static uint32_t seed = 21;

static uint32_t roll(uint32_t below) {
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 9) % below;
}

static void set_up(struct game *game) {
    memset(game, 0, sizeof *game);
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            if ((x + y) % 2) game->cells[y][x] = (int8_t)(y < 8 ? 1 : y >= 12 ? -1 : 0);
    game->turn = 1;
}

__attribute__((noipa)) static int count_side(const struct game *game, int side) {
    int pieces = 0;
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) pieces += game->cells[y][x] == side;
    return pieces;
}

__attribute__((noipa)) static int weigh(const struct game *game, int row) {
    int weight = count_side(game, 1) * 10 - count_side(game, -1) * 9;
    for (int x = 0; x < SIDE; x++) weight += game->cells[row][x] * (x + 1);
    return weight;
}

__attribute__((noipa)) static int reply(const struct game *game, int row) {
    int best = weigh(game, row);
    int other = weigh(game, SIDE - 1 - row);
    return (other > best ? other : best) + (int)game->history[game->moves % HISTORY].to;
}

static void step(struct game *game) {
    for (int attempt = 0; attempt < 300; attempt++) {
        uint32_t from = roll(SIDE * SIDE), to = roll(SIDE * SIDE);
        int8_t *left = &game->cells[from / SIDE][from % SIDE], *right = &game->cells[to / SIDE][to % SIDE];
        if (*left != game->turn || *right == *left) continue;
        struct move made = {(uint16_t)from, (uint16_t)to, (uint16_t)(*right != 0), (uint16_t)(game->turn + 1)};
        *right = *left;
        *left = (int8_t)(roll(3) ? -game->turn : 0);
        game->history[game->moves++ % HISTORY] = made;
        break;
    }
    game->turn = -game->turn;
}

static uint64_t play(struct game *game, int turns) {
    uint64_t sum = 0;
    for (int i = 0; i < turns; i++) {
        step(game);
        sum = sum * 31 + (uint64_t)(int64_t)reply(game, i % SIDE);
    }
    return sum;
}

int main(int count, char **argument) {
    int turns = count > 1 ? atoi(argument[1]) : 120000;
    static struct game game;
    set_up(&game);
    printf("%016llx\n", (unsigned long long)play(&game, turns));
    return 0;
}
