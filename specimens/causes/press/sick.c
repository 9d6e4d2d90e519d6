/* A printer thread makes sheets, the binder takes each one and folds it before the next is started. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define DOTS 60000

struct tray {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    int full;
    uint32_t number;
    uint32_t dots[DOTS];
};

static struct tray tray = {.mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
static uint32_t sheets;

static void print_dots(uint32_t number) {
    uint32_t seed = number + 1;
    for (int pass = 0; pass < 8; pass++)
        for (int i = 0; i < DOTS; i++) {
            seed = seed * 1664525u + 1013904223u;
            tray.dots[i] = (tray.dots[i] >> 1) ^ (seed >> 7);
        }
}

static void *print_all(void *unused) {
    for (uint32_t number = 0; number < sheets; number++) {
        pthread_mutex_lock(&tray.mutex);
        while (tray.full) pthread_cond_wait(&tray.changed, &tray.mutex);
        print_dots(number);
        tray.number = number;
        tray.full = 1;
        pthread_cond_broadcast(&tray.changed);
        pthread_mutex_unlock(&tray.mutex);
    }
    return unused;
}

static void await_sheet(void) {
    pthread_mutex_lock(&tray.mutex);
    while (!tray.full) {
        pthread_mutex_unlock(&tray.mutex);
        usleep(10000);
        pthread_mutex_lock(&tray.mutex);
    }
}

static void release_tray(void) {
    tray.full = 0;
    pthread_cond_broadcast(&tray.changed);
    pthread_mutex_unlock(&tray.mutex);
}

static uint64_t fold(void) {
    uint64_t hash = tray.number;
    for (int pass = 0; pass < 20; pass++)
        for (int i = 0; i < DOTS; i++) hash = (hash ^ tray.dots[i]) * 1099511628211ull;
    return hash;
}

static uint64_t bind_all(void) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < sheets; i++) {
        await_sheet();
        sum = sum * 31 + fold();
        release_tray();
    }
    return sum;
}

int main(int count, char **argument) {
    sheets = count > 1 ? (uint32_t)atol(argument[1]) : 120;
    pthread_t printer;
    if (pthread_create(&printer, NULL, print_all, NULL)) return 1;
    usleep(1000);
    uint64_t sum = bind_all();
    pthread_join(printer, NULL);
    printf("%016llx\n", (unsigned long long)sum);
    return 0;
}
