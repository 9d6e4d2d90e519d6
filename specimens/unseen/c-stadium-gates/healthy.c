/* Counts the visitors of a stadium at its gates; one thread watches one gate. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { GATES = 2 };

struct gate {
    _Alignas(128) atomic_uint_fast64_t adults;
    atomic_uint_fast64_t children;
};

static struct gate gates[GATES];
static atomic_int closing;

struct shift {
    int gate;
    uint64_t visitors;
    uint32_t seed;
    uint32_t crowd;
};

static inline uint32_t draw(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 16;
}

static inline void admit(struct gate *gate, uint32_t ticket)
{
    if (ticket % 5 == 0)
        atomic_fetch_add_explicit(&gate->children, 1, memory_order_relaxed);
    else
        atomic_fetch_add_explicit(&gate->adults, 1, memory_order_relaxed);
}

static void *watch_gate(void *argument)
{
    struct shift *shift = argument;
    struct gate *gate = &gates[shift->gate];
    uint32_t seed = shift->seed, crowd = 0;
    for (uint64_t n = 0; n < shift->visitors; n++) {
        uint32_t ticket = draw(&seed);
        admit(gate, ticket);
        crowd ^= ticket;
    }
    shift->crowd = crowd;
    return NULL;
}

static void *supervise(void *argument)
{
    struct timespec nap = {0, 50 * 1000 * 1000};
    uint64_t *looks = argument;
    while (!atomic_load(&closing)) {
        nanosleep(&nap, NULL);
        ++*looks;
    }
    return NULL;
}

static uint64_t total(void)
{
    uint64_t sum = 0;
    for (int n = 0; n < GATES; n++)
        sum += atomic_load(&gates[n].adults) * 3 + atomic_load(&gates[n].children);
    return sum;
}

int main(int argc, char **argv)
{
    uint64_t visitors = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000000;
    pthread_t threads[GATES], boss;
    struct shift shifts[GATES];
    uint64_t looks = 0;
    pthread_create(&boss, NULL, supervise, &looks);
    for (int n = 0; n < GATES; n++) {
        shifts[n] = (struct shift){n, visitors, 17u + (uint32_t)n * 31u, 0};
        pthread_create(&threads[n], NULL, watch_gate, &shifts[n]);
    }
    uint32_t crowd = 0;
    for (int n = 0; n < GATES; n++) {
        pthread_join(threads[n], NULL);
        crowd += shifts[n].crowd;
    }
    atomic_store(&closing, 1);
    pthread_join(boss, NULL);
    printf("takings %llu crowd %u\n", (unsigned long long)total(), crowd);
    return 0;
}
