/* Runs river gravel through a stack of sieves and weighs what stays in each tray. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOAD = 16384, TRAYS = 6 };

struct tray {
    size_t count;
    uint32_t grain[LOAD + 1];
};

struct tower {
    uint32_t mesh[TRAYS - 1];
    struct tray tray[TRAYS];
    uint64_t weight[TRAYS];
};

static uint64_t dig(uint64_t *river)
{
    uint64_t z = (*river += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* Two grains from each number of the river. */
static void shovel(uint64_t *river, struct tray *into)
{
    for (size_t k = 0; k < LOAD; k += 2) {
        uint64_t pair = dig(river);
        into->grain[k] = (uint32_t)pair & 0xffff;
        into->grain[k + 1] = (uint32_t)(pair >> 32) & 0xffff;
    }
    into->count = LOAD;
}

/* What is smaller than the mesh falls through, the rest stays. */
static void shake(const struct tray *from, struct tray *stays, struct tray *falls, uint32_t mesh)
{
    size_t kept = 0, fallen = 0;
    for (size_t k = 0; k < from->count; k++) {
        uint32_t grain = from->grain[k];
        stays->grain[kept] = grain;
        falls->grain[fallen] = grain;
        kept += grain >= mesh;
        fallen += grain < mesh;
    }
    stays->count = kept;
    falls->count = fallen;
}

static uint64_t weigh(const struct tray *tray)
{
    uint64_t sum = 0;
    for (size_t k = 0; k < tray->count; k++)
        sum += tray->grain[k] >> 4;
    return sum;
}

static void sieve(struct tower *tower, uint64_t *river)
{
    static struct tray above, below;
    shovel(river, &above);
    for (int level = 0; level + 1 < TRAYS; level++) {
        shake(&above, &tower->tray[level], &below, tower->mesh[level]);
        memcpy(above.grain, below.grain, below.count * sizeof below.grain[0]);
        above.count = below.count;
    }
    memcpy(&tower->tray[TRAYS - 1], &above, sizeof above);
    for (int level = 0; level < TRAYS; level++)
        tower->weight[level] += weigh(&tower->tray[level]);
}

int main(int argc, char **argv)
{
    static struct tower tower = {.mesh = {40000, 24000, 13000, 7000, 3500}};
    long loads = argc > 1 ? strtol(argv[1], NULL, 10) : 100;
    uint64_t river = 1837;

    while (loads-- > 0)
        sieve(&tower, &river);
    for (int level = 0; level < TRAYS; level++)
        printf("%s%" PRIu64, level ? " " : "gravel ", tower.weight[level]);
    puts("");
    return 0;
}
