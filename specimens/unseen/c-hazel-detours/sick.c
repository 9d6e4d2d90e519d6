/* Finds detours around closed streets: for each closure a short search in the street map of a whole country. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAP_BITS 23
#define PLACES (1u << MAP_BITS)
#define WIDTH_BITS 12
#define WIDTH (1u << WIDTH_BITS)
#define HEIGHT (PLACES >> WIDTH_BITS)
#define NUMBERING 40503u

struct closure {
    uint32_t from_x, from_y;
    uint32_t to_x, to_y;
};

struct visit {
    uint32_t steps;
    uint32_t before;
};

struct line {
    uint32_t *places;
    uint32_t head, tail, room;
};

struct search {
    struct visit *visits;
    struct line line;
    uint32_t limit;
    uint64_t looked_at;
};

static uint64_t state = 0x2545f4914f6cdd1dull;

static uint32_t roll(uint32_t below)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (uint32_t)(((state * 0x2545f4914f6cdd1dull) >> 33) % below);
}

/* The survey numbered the places in the order of its visits, not by their position. */
static uint32_t number_of(uint32_t x, uint32_t y)
{
    return ((y << WIDTH_BITS | x) * NUMBERING) & (PLACES - 1);
}

static int is_street(uint32_t x, uint32_t y)
{
    uint32_t mix = x * 2246822519u ^ y * 3266489917u;
    mix ^= mix >> 15;
    return (mix * 668265263u) >> 29 != 0;
}

static void line_add(struct line *line, uint32_t x, uint32_t y)
{
    if (line->tail == line->room) {
        line->room = line->room ? line->room * 2 : 1024;
        line->places = realloc(line->places, line->room * sizeof *line->places);
        if (!line->places)
            abort();
    }
    line->places[line->tail++] = y << WIDTH_BITS | x;
}

static int search_begin(struct search *search)
{
    search->visits = calloc(PLACES, sizeof *search->visits);
    search->line.head = search->line.tail = 0;
    return search->visits != NULL;
}

static void search_end(struct search *search)
{
    free(search->visits);
    search->visits = NULL;
}

static void step(struct search *search, uint32_t x, uint32_t y, uint32_t from, uint32_t steps)
{
    if (x >= WIDTH || y >= HEIGHT || !is_street(x, y))
        return;
    struct visit *visit = &search->visits[number_of(x, y)];
    search->looked_at++;
    if (visit->steps)
        return;
    visit->steps = steps;
    visit->before = from;
    line_add(&search->line, x, y);
}

static uint32_t walk_back(const struct search *search, uint32_t place, uint32_t start)
{
    uint32_t turns = 0;
    uint32_t direction = 0;
    while (place != start) {
        uint32_t before = search->visits[number_of(place & (WIDTH - 1), place >> WIDTH_BITS)].before;
        if (place - before != direction) {
            turns++;
            direction = place - before;
        }
        place = before;
    }
    return turns;
}

/* Steps and turns of the shortest way, packed; zero if there is none within the limit. */
static uint64_t detour(struct search *search, const struct closure *closure)
{
    uint32_t start = closure->from_y << WIDTH_BITS | closure->from_x;
    uint32_t goal = closure->to_y << WIDTH_BITS | closure->to_x;
    uint64_t found = 0;
    if (!search_begin(search))
        abort();
    search->visits[number_of(closure->from_x, closure->from_y)].steps = 1;
    line_add(&search->line, closure->from_x, closure->from_y);
    while (search->line.head < search->line.tail) {
        uint32_t place = search->line.places[search->line.head++];
        uint32_t x = place & (WIDTH - 1), y = place >> WIDTH_BITS;
        uint32_t steps = search->visits[number_of(x, y)].steps;
        if (place == goal) {
            found = (uint64_t)steps << 32 | walk_back(search, place, start);
            break;
        }
        if (steps > search->limit)
            break;
        step(search, x + 1, y, place, steps + 1);
        step(search, x - 1, y, place, steps + 1);
        step(search, x, y + 1, place, steps + 1);
        step(search, x, y - 1, place, steps + 1);
    }
    search_end(search);
    return found;
}

static struct closure next_closure(void)
{
    struct closure closure;
    closure.from_x = 100 + roll(WIDTH - 200);
    closure.from_y = 100 + roll(HEIGHT - 200);
    closure.to_x = closure.from_x + roll(24);
    closure.to_y = closure.from_y + roll(24);
    return closure;
}

int main(int argc, char **argv)
{
    long closures = argc > 1 ? atol(argv[1]) : 500;
    struct search search;
    memset(&search, 0, sizeof search);
    search.limit = 48;
    uint64_t seal = 14695981039346656037ull;
    long reached = 0;
    for (long i = 0; i < closures; i++) {
        struct closure closure = next_closure();
        uint64_t way = detour(&search, &closure);
        reached += way != 0;
        seal = (seal ^ way) * 1099511628211ull;
    }
    printf("closures %ld reached %ld looked at %llu seal %016llx\n", closures, reached,
           (unsigned long long)search.looked_at, (unsigned long long)seal);
    free(search.line.places);
    return 0;
}
