/* Stoker bells: the bridge rings orders down to the stoke hold and waits for each report. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define RING 16

struct telegraph {
    pthread_mutex_t lock;
    pthread_cond_t reported;
    pthread_cond_t ordered;
    int orders[RING];
    unsigned head;
    unsigned tail;
    long done;
    long steam;
    int ashore;
};

static struct telegraph telegraph = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .reported = PTHREAD_COND_INITIALIZER,
    .ordered = PTHREAD_COND_INITIALIZER,
};

static pthread_mutex_t watch_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t watch_end = PTHREAD_COND_INITIALIZER;
static int watch_over;

/* Works an order off: so much coal for so many turns. */
static long burn(int order)
{
    uint32_t heat = (uint32_t)order * 2654435761u;
    long steam = 0;
    for (int shovel = 0; shovel < 40000; shovel++) {
        heat = heat * 1664525u + 1013904223u;
        steam += (long)(heat >> 28);
    }
    return steam;
}

/* The next order, or -1 when the ship is ashore. */
static int await_order(struct telegraph *wire)
{
    int order = -1;
    for (;;) {
        int ready, ashore;
        pthread_mutex_lock(&wire->lock);
        ready = wire->head != wire->tail;
        ashore = wire->ashore;
        if (ready)
            order = wire->orders[wire->tail++ % RING];
        pthread_mutex_unlock(&wire->lock);
        if (ready || ashore)
            return order;
        usleep(12000);
    }
}

static void *stoker(void *unused)
{
    (void)unused;
    int order;
    while ((order = await_order(&telegraph)) >= 0) {
        long steam = burn(order);
        pthread_mutex_lock(&telegraph.lock);
        telegraph.steam += steam;
        telegraph.done++;
        pthread_cond_signal(&telegraph.reported);
        pthread_mutex_unlock(&telegraph.lock);
    }
    return NULL;
}

static void ring(struct telegraph *wire, int order)
{
    pthread_mutex_lock(&wire->lock);
    wire->orders[wire->head++ % RING] = order;
    pthread_cond_signal(&wire->ordered);
    pthread_mutex_unlock(&wire->lock);
}

static long await_report(struct telegraph *wire, long wanted)
{
    pthread_mutex_lock(&wire->lock);
    while (wire->done < wanted)
        pthread_cond_wait(&wire->reported, &wire->lock);
    long steam = wire->steam;
    pthread_mutex_unlock(&wire->lock);
    return steam;
}

/* Plots the course on the chart before the next order is rung. */
static int plot(long steam, int voyage)
{
    uint32_t course = (uint32_t)steam + (uint32_t)voyage;
    for (int line = 0; line < 200000; line++)
        course = (course ^ (course >> 15)) * 2246822519u + 7u;
    return (int)(course % 97u);
}

/* Each order depends on the steam that the one before has made. */
static long bridge(int voyages)
{
    long steam = 0;
    for (int voyage = 0; voyage < voyages; voyage++) {
        ring(&telegraph, plot(steam, voyage) + voyage);
        steam = await_report(&telegraph, voyage + 1);
    }
    return steam;
}

/* Says now and then that all is well. */
static void *watchman(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&watch_lock);
    while (!watch_over) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec += 1;
        pthread_cond_timedwait(&watch_end, &watch_lock, &until);
    }
    pthread_mutex_unlock(&watch_lock);
    return NULL;
}

int main(int argc, char **argv)
{
    int voyages = argc > 1 ? atoi(argv[1]) : 10;
    pthread_t hold, watch;
    pthread_create(&hold, NULL, stoker, NULL);
    pthread_create(&watch, NULL, watchman, NULL);
    long steam = bridge(voyages);
    pthread_mutex_lock(&telegraph.lock);
    telegraph.ashore = 1;
    pthread_cond_signal(&telegraph.ordered);
    pthread_mutex_unlock(&telegraph.lock);
    pthread_join(hold, NULL);
    pthread_mutex_lock(&watch_lock);
    watch_over = 1;
    pthread_cond_signal(&watch_end);
    pthread_mutex_unlock(&watch_lock);
    pthread_join(watch, NULL);
    printf("%d orders, steam %ld\n", voyages, steam);
    return 0;
}
