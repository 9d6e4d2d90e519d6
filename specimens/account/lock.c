/* Waiting for locks and conditions, and workers that wait for work. */
#include "truth.h"
#include <semaphore.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t held;
static double hold_seconds;
static atomic_int holder_thread;

static void *hold(void *computes) {
    struct mark at = born();
    holder_thread = gettid();
    pthread_mutex_lock(&mutex);
    sem_post(&held);
    if (computes) spin(hold_seconds);
    else nap(hold_seconds);
    phase(&at, computes ? "on-cpu/user" : "blocked/sleep");
    pthread_mutex_unlock(&mutex);
    return idle_away();
}

/* Also the wait until the other has the lock is one on a futex. */
static void behind_holder(double seconds, void *computes) {
    sem_init(&held, 0, 0);
    hold_seconds = seconds;
    struct mark at = mark();
    start_thread(hold, computes);
    phase(&at, "blocked");
    while (sem_wait(&held)) {}
    pthread_mutex_lock(&mutex);
    charge(MAY_CHARGE, "blocked/lock", phase(&at, "blocked/lock"), holder_thread);
}

static void sleeping(double seconds) { behind_holder(seconds, NULL); }

static void computing(double seconds) { behind_holder(seconds, &mutex); }

static void *contend(void *unused) {
    for (;;) {
        pthread_mutex_lock(&mutex);
        spin_rounds(50000);
        pthread_mutex_unlock(&mutex);
        spin_rounds(25000);
    }
    return unused;
}

/* Four threads that spend two thirds of their work under one lock. What another thread is charged with is not known here. */
static void contended(double seconds) {
    struct mark at = mark();
    for (int i = 0; i < 3; i++) start_thread(contend, NULL);
    phase(&at, "blocked");
    for (double end = at.wall + seconds; clock_of(CLOCK_MONOTONIC) < end;) {
        pthread_mutex_lock(&mutex);
        spin_rounds(50000);
        pthread_mutex_unlock(&mutex);
        spin_rounds(25000);
    }
    phase(&at, "blocked/lock");
}

static pthread_cond_t turned = PTHREAD_COND_INITIALIZER;
static bool turn;

static void take_turns(bool mine) {
    pthread_mutex_lock(&mutex);
    while (turn != mine) pthread_cond_wait(&turned, &mutex);
    turn = !turn;
    pthread_cond_signal(&turned);
    pthread_mutex_unlock(&mutex);
}

static void *answer(void *unused) {
    struct mark at = born();
    holder_thread = gettid();
    for (;;) {
        take_turns(true);
        phase(&at, "blocked/lock");
        nap(0.002);
        phase(&at, "blocked/sleep");
    }
    return unused;
}

/* A condition passed to and fro; the other thread sleeps a little in its turn. */
static void turns(double seconds) {
    struct mark at = mark();
    double waited = 0;
    start_thread(answer, NULL);
    phase(&at, "blocked");
    for (double end = at.wall + seconds; at.wall < end;) {
        take_turns(false);
        waited += phase(&at, "blocked/lock");
    }
    charge(MAY_CHARGE, "blocked/lock", waited, holder_thread);
}

enum { WORKERS = 8 };
static struct {
    double from;
    atomic_int thread;
} workers[WORKERS];
static pthread_cond_t work = PTHREAD_COND_INITIALIZER;

static void *worker(void *slot) {
    long i = (long)slot;
    workers[i].from = clock_of(CLOCK_MONOTONIC);
    workers[i].thread = gettid();
    pthread_mutex_lock(&mutex);
    while (!pthread_cond_wait(&work, &mutex)) {}
    return NULL;
}

/* Eight workers have nothing to do while the main thread computes. */
static void pool(double seconds) {
    struct mark at = mark();
    for (long i = 0; i < WORKERS; i++) start_thread(worker, (void *)i);
    phase(&at, "blocked");
    spin(seconds);
    phase(&at, "on-cpu/user");
    for (int i = 0; i < WORKERS; i++)
        if (workers[i].thread) note(IDLE, workers[i].thread, "", "", at.wall - workers[i].from);
}

static const char *const names[] = {"sleeping", "computing", "contended", "turns", "pool"};
static specimen *const modes[] = {sleeping, computing, contended, turns, pool};
MAIN(names, modes)
