/* Estimates the yield of an orchard from a moisture survey taken on a fine grid. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdint.h>

enum { ROWS = 4096, COLUMNS = 2048, TREES = 60000 };

struct field {
    float *now;
    float *next;
};

static uint32_t state = 2463534242u;

static uint32_t draw(void)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

static struct field survey(void)
{
    struct field field;
    field.now = malloc(sizeof(float) * ROWS * COLUMNS);
    field.next = calloc(ROWS * COLUMNS, sizeof(float));
    for (size_t place = 0; place < (size_t)ROWS * COLUMNS; place++)
        field.now[place] = (float)(draw() & 1023) / 1024.0f;
    return field;
}

/* Each point moves towards the one above and the one below it: water runs down the slope. */
static void smooth(struct field *field)
{
    for (int column = 0; column < COLUMNS; column++) {
        for (int row = 1; row < ROWS - 1; row++) {
            const float *at = field->now + (size_t)row * COLUMNS + column;
            field->next[(size_t)row * COLUMNS + column] = 0.5f * at[0] + 0.3f * at[-COLUMNS] + 0.2f * at[COLUMNS];
        }
    }
    float *old = field->now;
    field->now = field->next;
    field->next = old;
}

struct tree {
    int row, column;
    int age;
};

static struct tree *plant(void)
{
    struct tree *trees = malloc(sizeof *trees * TREES);
    for (int n = 0; n < TREES; n++) {
        trees[n].row = (n / 245) * 16 + 4;
        trees[n].column = (n % 245) * 8 + 3;
        trees[n].age = 2 + (int)(draw() % 40);
    }
    return trees;
}

static double yield_of(const struct tree *tree, const struct field *field)
{
    double water = field->now[(size_t)tree->row * COLUMNS + tree->column];
    double vigour = exp(-pow(tree->age - 18.0, 2) / 220.0);
    double sum = 0;
    for (int month = 0; month < 12; month++)
        sum += vigour * water * (1.0 + sin(month * 0.5236 - 1.2));
    return sum;
}

int main(int argc, char **argv)
{
    int passes = argc > 1 ? atoi(argv[1]) : 2;
    struct field field = survey();
    struct tree *trees = plant();
    for (int pass = 0; pass < passes; pass++)
        smooth(&field);
    double total = 0;
    for (int n = 0; n < TREES; n++)
        total += yield_of(&trees[n], &field);
    printf("trees %d yield %.3f\n", TREES, total);
    free(trees);
    free(field.now);
    free(field.next);
    return 0;
}
