// Seats queens on a board so that none sees another, and counts the ways; some squares are taken by pillars.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct court {
    unsigned size;
    uint32_t all;
    uint32_t pillars[20];
    uint64_t seen;
};

static uint64_t seat(struct court *court, unsigned row, uint32_t columns, uint32_t falling, uint32_t rising)
{
    court->seen++;
    if (columns == court->all)
        return 1;
    uint64_t ways = 0;
    uint32_t free = court->all & ~(columns | falling | rising | court->pillars[row]);
    while (free != 0) {
        uint32_t spot = free & -free;
        free ^= spot;
        ways += seat(court, row + 1, columns | spot, (falling | spot) << 1, (rising | spot) >> 1);
    }
    return ways;
}

static void set_up(struct court *court, unsigned size, unsigned hall)
{
    memset(court, 0, sizeof *court);
    court->size = size;
    court->all = (1u << size) - 1;
    for (unsigned pillar = 0; pillar < hall; pillar++)
        court->pillars[(pillar * 5 + hall) % size] |= 1u << ((pillar * 7 + 3) % size);
}

// A plan of the hall, as it hangs at the door.
static unsigned draw(const struct court *court, char *into, size_t room)
{
    size_t used = 0;
    for (unsigned row = 0; row < court->size && used + court->size + 2 < room; row++) {
        for (unsigned column = 0; column < court->size; column++)
            into[used++] = court->pillars[row] >> column & 1 ? '#' : '.';
        into[used++] = '\n';
    }
    into[used] = 0;
    unsigned sum = 0;
    for (size_t i = 0; i < used; i++)
        sum = sum * 31 + (unsigned char)into[i];
    return sum;
}

int main(int argc, char **argv)
{
    unsigned halls = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
    struct court court;
    char plan[1024];
    uint64_t ways = 0, seen = 0;
    unsigned plans = 0;
    for (unsigned hall = 0; hall < halls; hall++) {
        set_up(&court, 13, hall % 9);
        plans ^= draw(&court, plan, sizeof plan);
        ways += seat(&court, 0, 0, 0, 0);
        seen += court.seen;
    }
    printf("halls %u ways %llu tried %llu plans %08x\n", halls, (unsigned long long)ways, (unsigned long long)seen, plans);
    return 0;
}
