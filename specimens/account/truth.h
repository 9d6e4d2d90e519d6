/* What a specimen knows of itself: the seconds of each of its threads by leaf, written as JSON lines to the file named in
 * $SLOWPATH_TRUTH when it ends.
 *
 *   {"wall": 1.2, "thread": 7}                                         from the start of main() to its end
 *   {"leaf": "blocked/sleep", "seconds": 0.5, "thread": 7}             one thread's own time
 *   {"charged": "on-cpu/user", "from": "blocked/child", "seconds": 0.4, "thread": 7, "may": false}
 *       on the critical path these seconds of the wait are the other's work; "may": either reading is right
 *   {"idle": 1.1, "thread": 8}                                         waits for work that held nobody up
 *   {"function": "heavy", "seconds": 0.7, "thread": 7}                 time on a CPU in a function
 *
 * A phase is a stretch of one thread between two marks. Its time on a CPU comes from the thread's CPU clock, its time on
 * a run queue from the scheduler, and what is left was spent on what the phase is named after. A leaf without its last
 * part ("on-cpu", "runnable", "blocked") says that only the sum is known: rusage splits user and kernel by counting ticks,
 * and 250 of them a second are too few to be a truth. Making a thread or child is such a phase: it may wait in clone().
 *
 * The table is shared with forked children. No specimen joins its threads: their ends would be one more wait. */
#pragma once
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ENTRIES = 512, NAME = 32 };

enum kind { LEAF, CHARGE, MAY_CHARGE, IDLE, FUNCTION };

struct entry {
    enum kind kind;
    int thread;
    char name[NAME], from[NAME];
    double seconds;
};

struct mark {
    double wall, cpu, queued;
    long pushed;
};

static struct {
    atomic_int used;
    struct entry entries[ENTRIES];
} *truth;
static struct mark truth_began;

static void give_up(const char *what) {
    perror(what);
    _exit(3);
}

static double clock_of(clockid_t clock) {
    struct timespec now;
    if (clock_gettime(clock, &now)) give_up("clock_gettime");
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Seconds on a run queue so far. The file stays open: opening one in /proc costs more than many a phase. */
static double queued(void) {
    static _Thread_local int owner, file = -1;
    if (owner != gettid()) {
        owner = gettid();
        file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
    }
    char text[64] = {0};
    unsigned long long run, wait;
    if (pread(file, text, sizeof text - 1, 0) <= 0 || sscanf(text, "%llu %llu", &run, &wait) != 2)
        give_up("schedstat");
    return (double)wait / 1e9;
}

/* How often the thread lost its CPU to others. */
static long pushed(void) {
    struct rusage used;
    if (getrusage(RUSAGE_THREAD, &used)) give_up("getrusage");
    return used.ru_nivcsw;
}

/* All at one moment: a thread that lost its CPU between two of them reads them again. */
static struct mark mark(void) {
    struct mark now = {0, 0, queued(), 0};
    for (double before = -1; before != now.queued;) {
        before = now.queued;
        now = (struct mark){clock_of(CLOCK_MONOTONIC), clock_of(CLOCK_THREAD_CPUTIME_ID), queued(), pushed()};
    }
    return now;
}

/* Adds to the calling thread's own entry, so that no two threads write one. */
static void note(enum kind kind, int thread, const char *name, const char *from, double seconds) {
    int used = atomic_load(&truth->used);
    for (int i = 0; i < used && i < ENTRIES; i++) {
        struct entry *entry = &truth->entries[i];
        if (entry->kind == kind && entry->thread == thread && !strcmp(entry->name, name) && !strcmp(entry->from, from)) {
            entry->seconds += seconds;
            return;
        }
    }
    int slot = atomic_fetch_add(&truth->used, 1);
    if (slot >= ENTRIES) give_up("too many entries");
    struct entry *entry = &truth->entries[slot];
    entry->kind = kind, entry->thread = thread, entry->seconds = seconds;
    snprintf(entry->name, NAME, "%s", name);
    snprintf(entry->from, NAME, "%s", from);
}

/* Books the time since the mark and sets it to now. What `leaf` names gets what was neither on a CPU nor on its way there;
 * a phase on a CPU gets its CPU time, and has nothing left. Returns the seconds the leaf got. */
static double phase(struct mark *since, const char *leaf) {
    struct mark now = mark();
    double wall = now.wall - since->wall, cpu = now.cpu - since->cpu, wait = now.queued - since->queued;
    double rest = wall - cpu - wait;
    bool was_pushed = now.pushed != since->pushed;
    int self = gettid();
    *since = now;
    if (!strncmp(leaf, "on-cpu", 6)) {
        note(LEAF, self, leaf, "", cpu);
        note(LEAF, self, "runnable/preempted", "", wait);
        return cpu;
    }
    note(LEAF, self, "on-cpu", "", cpu);
    /* Who never lost its CPU was queued because it was woken; who did may have been queued for both reasons. */
    note(LEAF, self, was_pushed ? "runnable" : "runnable/woken", "", wait);
    note(LEAF, self, leaf, "", rest);
    return rest;
}

/* The first mark of a new thread or child: what it used and how long it was queued until then is its own too. */
__attribute__((unused)) static struct mark born(void) {
    struct mark now = mark();
    note(LEAF, gettid(), "on-cpu", "", now.cpu);
    note(LEAF, gettid(), "runnable", "", now.queued);
    return now;
}

/* The calling thread's wait `from` was for the work of `other`, whose entries are complete by now: on the critical path
 * its leaves stand in place of the wait. What the other did before its first mark and after its last is "unknown", which
 * any leaf may hold. */
__attribute__((unused)) static void charge(enum kind kind, const char *from, double waited, int other) {
    int used = atomic_load(&truth->used);
    double worked = 0;
    for (int i = 0; i < used; i++)
        if (truth->entries[i].kind == LEAF && truth->entries[i].thread == other) worked += truth->entries[i].seconds;
    double share = worked > waited ? waited / worked : 1;
    for (int i = 0; i < used; i++) {
        struct entry *entry = &truth->entries[i];
        if (entry->kind == LEAF && entry->thread == other) note(kind, gettid(), entry->name, from, entry->seconds * share);
    }
    if (waited > worked) note(kind, gettid(), "unknown", from, waited - worked);
}

static void truth_open(void) {
    truth = mmap(NULL, sizeof *truth, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (truth == MAP_FAILED) give_up("mmap");
    truth_began = mark();
}

/* Seconds the calling thread has logged in the leaves of a group. */
static double logged(const char *group) {
    double sum = 0;
    for (int i = 0; i < atomic_load(&truth->used); i++) {
        struct entry *entry = &truth->entries[i];
        if (entry->kind == LEAF && entry->thread == gettid() && !strncmp(entry->name, group, strlen(group)))
            sum += entry->seconds;
    }
    return sum;
}

/* Writes the log and ends the process with all its threads. Between two phases, and after the last, a thread may lose its
 * CPU: what the whole run has beyond the phases is logged without a name of its own. */
static void truth_close(void) {
    const char *path = getenv("SLOWPATH_TRUTH");
    struct mark end = mark();
    double wall = end.wall - truth_began.wall;
    double cpu = end.cpu - truth_began.cpu - logged("on-cpu"), wait = end.queued - truth_began.queued - logged("runnable");
    if (cpu > 0) note(LEAF, gettid(), "on-cpu", "", cpu);
    if (wait > 0) note(LEAF, gettid(), "runnable", "", wait);
    FILE *file = path ? fopen(path, "a") : NULL;
    if (path && !file) give_up(path);
    if (file) {
        /* One write, so that programs of one pipeline do not mix their lines. */
        setvbuf(file, NULL, _IOFBF, 1 << 17);
        fprintf(file, "{\"wall\": %.9f, \"thread\": %d}\n", wall, gettid());
        for (int i = 0; i < atomic_load(&truth->used); i++) {
            struct entry *entry = &truth->entries[i];
            switch (entry->kind) {
            case LEAF: fprintf(file, "{\"leaf\": \"%s\"", entry->name); break;
            case IDLE: fprintf(file, "{\"idle\": %.9f, \"thread\": %d}\n", entry->seconds, entry->thread); continue;
            case FUNCTION: fprintf(file, "{\"function\": \"%s\"", entry->name); break;
            default:
                fprintf(file, "{\"charged\": \"%s\", \"from\": \"%s\", \"may\": %s", entry->name, entry->from,
                        entry->kind == MAY_CHARGE ? "true" : "false");
            }
            fprintf(file, ", \"seconds\": %.9f, \"thread\": %d}\n", entry->seconds, entry->thread);
        }
        if (fclose(file)) give_up(path);
    }
    _exit(0);
}

static volatile uint64_t spun;

static void spin_rounds(int rounds) {
    uint64_t x = 88172645463325252u ^ spun;
    for (int i = 0; i < rounds; i++) x ^= x << 13, x ^= x >> 7, x ^= x << 17;
    spun = x;
}

/* Computes for so many seconds of CPU time: a loaded machine makes it last longer, not do less. */
__attribute__((unused, noinline)) static void spin(double seconds) {
    double end = clock_of(CLOCK_THREAD_CPUTIME_ID) + seconds;
    do spin_rounds(50000);
    while (clock_of(CLOCK_THREAD_CPUTIME_ID) < end);
}

/* Sleeps for so many seconds whatever signals come. */
__attribute__((unused, noinline)) static void nap(double seconds) {
    struct timespec left = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    while (clock_nanosleep(CLOCK_MONOTONIC, 0, &left, &left) == EINTR) {}
}

/* What a thread of no more use does until the process ends. */
__attribute__((unused)) static void *idle_away(void) {
    while (pause()) {}
    return NULL;
}

__attribute__((unused)) static void start_thread(void *(*body)(void *), void *argument) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, body, argument)) give_up("pthread_create");
    pthread_detach(thread);
}

typedef void specimen(double seconds);

/* `PROGRAM MODE [SECONDS]`: opens the log, runs the mode, writes the log. */
static int run_mode(int argc, char **argv, const char *const *names, specimen *const *modes, int count) {
    double seconds = argc > 2 ? atof(argv[2]) : 1;
    for (int i = 0; i < count; i++) {
        if (argc > 1 && !strcmp(argv[1], names[i])) {
            truth_open();
            modes[i](seconds);
            truth_close();
        }
    }
    fprintf(stderr, "usage: %s MODE [SECONDS]; modes:", argv[0]);
    for (int i = 0; i < count; i++) fprintf(stderr, " %s", names[i]);
    fputs("\n", stderr);
    return 2;
}

#define MAIN(names, modes) \
    int main(int argc, char **argv) { \
        _Static_assert(sizeof(names) / sizeof *(names) == sizeof(modes) / sizeof *(modes), "a name for each mode"); \
        return run_mode(argc, argv, names, modes, sizeof(modes) / sizeof *(modes)); \
    }
