/* Tallow works: each firing fills a row of kettles, renders what is in them, and pours candles of several sizes. */
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define KETTLES 240
#define SLOTS 96
#define SLOT_BYTES 1024
#define GRADES 65536

struct drop {
    uint32_t grade;
    uint32_t grams;
    float heat;
    uint32_t next;
};

struct kettle {
    unsigned char *pan;
    uint32_t number;
    uint32_t slots;
    uint32_t filled;
};

struct works {
    struct kettle kettles[KETTLES];
    float *price;
    uint64_t grams;
    uint64_t candles;
    double value;
    int firings;
};

/* A bookkeeper looks at the stock from time to time, until the works close. */
struct office {
    pthread_mutex_t guard;
    pthread_cond_t bell;
    int closed;
    unsigned looks;
};

static uint32_t draw(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

static float *price_list(void)
{
    float *price = malloc(GRADES * sizeof *price);
    if (!price)
        return NULL;
    for (uint32_t grade = 0; grade < GRADES; grade++)
        price[grade] = (float)(0.02 + sqrt((double)(grade % 977)) * 0.001 + cbrt((double)grade) * 0.0001);
    return price;
}

static struct drop *slot_of(const struct kettle *kettle, uint32_t slot)
{
    return (struct drop *)(kettle->pan + (size_t)slot * SLOT_BYTES);
}

static int light(struct kettle *kettle, uint32_t number)
{
    kettle->number = number;
    kettle->slots = SLOTS;
    kettle->filled = 0;
    if (!kettle->pan)
        kettle->pan = malloc((size_t)SLOTS * SLOT_BYTES);
    return kettle->pan ? 0 : -1;
}

/* Every slot gets a few drops; the rest of a slot is for what the cook adds later. */
static void charge(struct kettle *kettle, uint32_t *state)
{
    for (uint32_t slot = 0; slot < kettle->slots; slot++) {
        struct drop *drop = slot_of(kettle, slot);
        drop->grade = draw(state) % GRADES;
        drop->grams = 20 + draw(state) % 180;
        drop->heat = 1.0f + (float)(kettle->number % 9) * 0.125f;
        drop->next = (slot * 29 + 7) % SLOTS;
        kettle->filled += 1;
    }
}

static uint64_t render(struct kettle *kettle, const float *price, double *value)
{
    uint64_t grams = 0;
    uint32_t slot = kettle->number % SLOTS;
    for (uint32_t step = 0; step < kettle->filled; step++) {
        struct drop *drop = slot_of(kettle, slot);
        drop->heat *= 0.96875f;
        grams += (uint64_t)((float)drop->grams * drop->heat);
        *value += price[drop->grade] * (float)drop->grams;
        slot = drop->next;
    }
    return grams;
}

static void douse(struct kettle *kettle)
{
    kettle->filled = 0;
}

/* Candles of 310, 170, 90 and 35 grams, the most of the largest first. */
static uint64_t pour(uint64_t grams)
{
    static const uint64_t sizes[] = {310, 170, 90, 35};
    uint64_t candles = 0;
    for (size_t size = 0; size < sizeof sizes / sizeof *sizes; size++) {
        candles += grams / sizes[size];
        grams %= sizes[size];
    }
    return candles;
}

static int fire(struct works *works, uint32_t *state)
{
    uint64_t grams = 0;
    for (uint32_t number = 0; number < KETTLES; number++) {
        if (light(&works->kettles[number], number) != 0)
            return -1;
        charge(&works->kettles[number], state);
    }
    for (uint32_t number = 0; number < KETTLES; number++)
        grams += render(&works->kettles[number], works->price, &works->value);
    for (uint32_t number = 0; number < KETTLES; number++)
        douse(&works->kettles[number]);
    works->grams += grams;
    works->candles += pour(grams);
    works->firings++;
    return 0;
}

static void *keep_books(void *given)
{
    struct office *office = given;
    struct timespec until;
    pthread_mutex_lock(&office->guard);
    while (!office->closed) {
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec += 1;
        pthread_cond_timedwait(&office->bell, &office->guard, &until);
        office->looks++;
    }
    pthread_mutex_unlock(&office->guard);
    return NULL;
}

int main(int argc, char **argv)
{
    int firings = argc > 1 ? atoi(argv[1]) : 5;
    struct office office = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0};
    static struct works works;
    pthread_t keeper;
    uint32_t state = 88172645;
    if (pthread_create(&keeper, NULL, keep_books, &office) != 0 || !(works.price = price_list()))
        return 1;
    for (int firing = 0; firing < firings; firing++)
        if (fire(&works, &state) != 0)
            return 1;
    pthread_mutex_lock(&office.guard);
    office.closed = 1;
    pthread_cond_signal(&office.bell);
    pthread_mutex_unlock(&office.guard);
    pthread_join(keeper, NULL);
    printf("%d firings, %llu grams, %llu candles, worth %.3f\n", works.firings, (unsigned long long)works.grams,
           (unsigned long long)works.candles, works.value);
    for (uint32_t number = 0; number < KETTLES; number++)
        free(works.kettles[number].pan);
    free(works.price);
    return 0;
}
