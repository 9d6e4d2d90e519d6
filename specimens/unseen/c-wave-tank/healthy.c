/* A one-dimensional wave tank; the cells are shared out among workers which meet after each step. */
#define _GNU_SOURCE
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { CELLS = 24 * 60 };

static double water[3][CELLS];

struct meeting {
    atomic_int present;
    atomic_int round;
    int crew;
};

static struct meeting meeting;

struct part {
    int first, last, steps;
    double energy;
};

/* All workers wait here for the slowest of them. */
static void meet(void)
{
    int round = atomic_load(&meeting.round);
    if (atomic_fetch_add(&meeting.present, 1) + 1 == meeting.crew) {
        atomic_store(&meeting.present, 0);
        atomic_fetch_add(&meeting.round, 1);
        return;
    }
    for (int turns = 0; atomic_load_explicit(&meeting.round, memory_order_acquire) == round; turns++)
        if (turns % 2000 == 1999)
            sched_yield();
}

static double forcing(int cell, int step)
{
    return cell == 4 ? 0.02 * sin(step * 0.05) : 0.0;
}

static void advance(const struct part *part, int step)
{
    const double *now = water[step % 3], *before = water[(step + 2) % 3];
    double *next = water[(step + 1) % 3];
    for (int cell = part->first; cell < part->last; cell++) {
        double left = cell ? now[cell - 1] : now[cell];
        double right = cell < CELLS - 1 ? now[cell + 1] : now[cell];
        next[cell] = 1.999 * now[cell] - 0.9995 * before[cell] + 0.2 * (left - 2 * now[cell] + right) + forcing(cell, step);
    }
}

static void *worker(void *argument)
{
    struct part *part = argument;
    for (int step = 0; step < part->steps; step++) {
        advance(part, step);
        meet();
    }
    for (int cell = part->first; cell < part->last; cell++)
        part->energy += water[part->steps % 3][cell] * water[part->steps % 3][cell];
    return NULL;
}

static int crew(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores >= 2 ? 2 : 1;
}

int main(int argc, char **argv)
{
    int steps = argc > 1 ? atoi(argv[1]) : 300;
    int count = crew();
    pthread_t threads[64];
    struct part parts[64];
    meeting.crew = count;
    for (int n = 0; n < count; n++) {
        parts[n] = (struct part){CELLS / count * n, CELLS / count * (n + 1), steps, 0};
        pthread_create(&threads[n], NULL, worker, &parts[n]);
    }
    for (int n = 0; n < count; n++)
        pthread_join(threads[n], NULL);
    double energy = 0;
    for (int cell = 0; cell < CELLS; cell++)
        energy += water[steps % 3][cell] * water[steps % 3][cell];
    printf("cells %d steps %d energy %.9f\n", CELLS, steps, energy);
    return 0;
}
