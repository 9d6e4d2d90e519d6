/* Sail lofts: every sail is laid out on the loft floor, marked, measured and cut. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 6144
#define COLUMNS 8192

struct sail {
    char *name;
    int luff;
    int foot;
    int cloths;
};

struct loft {
    unsigned char *floor;
    long marks;
    double strain;
};

static uint32_t draw(uint32_t *state)
{
    *state = *state * 22695477u + 1u;
    return *state >> 12;
}

static char *name_of(int number)
{
    char text[40];
    snprintf(text, sizeof text, "sail-%d-%s", number, number % 3 ? "jib" : "main");
    return strdup(text);
}

static struct sail order(int number, uint32_t *state)
{
    struct sail sail;
    sail.name = name_of(number);
    sail.luff = 4200 + (int)(draw(state) % 1900);
    sail.foot = 5000 + (int)(draw(state) % 3000);
    sail.cloths = 6 + (int)(draw(state) % 8);
    return sail;
}

/* Clears the floor and marks the edges of the cloths, one mark each row and cloth. */
static long lay_out(struct loft *loft, const struct sail *sail)
{
    long marks = 0;
    loft->floor = malloc((size_t)ROWS * COLUMNS);
    if (!loft->floor)
        exit(1);
    for (int row = 0; row < sail->luff; row++) {
        unsigned char *line = loft->floor + (size_t)row * COLUMNS;
        int width = (int)((long)sail->foot * (sail->luff - row) / sail->luff) + 1;
        line[0] = 1;
        line[width / 2] = (unsigned char)(row & 7);
        line[width - 1] = 2;
        marks += 3;
    }
    return marks;
}

/* How hard the seams pull; read off the marks in the middle. */
static double strain(const struct loft *loft, const struct sail *sail)
{
    double sum = 0;
    for (int row = 0; row < sail->luff; row += 2) {
        int width = (int)((long)sail->foot * (sail->luff - row) / sail->luff) + 1;
        int mark = loft->floor[(size_t)row * COLUMNS + (size_t)(width / 2)];
        for (int cloth = 1; cloth <= sail->cloths; cloth++)
            sum += sqrt((double)width / cloth + mark);
    }
    return sum / sail->luff;
}

static void clear_floor(struct loft *loft)
{
    free(loft->floor);
    loft->floor = NULL;
}

static void cut_sail(struct loft *loft, int number, uint32_t *state)
{
    struct sail sail = order(number, state);
    loft->marks += lay_out(loft, &sail);
    loft->strain += strain(loft, &sail);
    clear_floor(loft);
    free(sail.name);
}

int main(int argc, char **argv)
{
    int sails = argc > 1 ? atoi(argv[1]) : 5;
    struct loft loft = {NULL, 0, 0};
    uint32_t state = 1805;
    for (int number = 0; number < sails; number++)
        cut_sail(&loft, number, &state);
    printf("%d sails, %ld marks, strain %.6f\n", sails, loft.marks, loft.strain / sails);
    return 0;
}
