/* Plays one kind of time after another: `scene PART ARGUMENTS`. Functions keep their names: they are what is asked for. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile uint64_t sink;

/* Computes until this thread has used so much CPU time. */
__attribute__((noinline)) void hot_leaf(long ms) {
    struct timespec used;
    do {
        for (uint64_t i = 0; i < 200000; i++)
            sink += i * i;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    } while (used.tv_sec * 1000 + used.tv_nsec / 1000000 < ms);
}

/* Less than a millisecond. */
__attribute__((noinline)) void brief(void) {
    for (uint64_t i = 0; i < 200000; i++)
        sink += i * i;
}

__attribute__((noinline)) void caller(long ms) {
    hot_leaf(ms);
    sink++;
}

__attribute__((noinline)) void nap(long ms) {
    struct timespec time = {ms / 1000, (ms % 1000) * 1000000};
    nanosleep(&time, 0);
    sink++;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *holds(void *ready) {
    pthread_setname_np(pthread_self(), "holder");
    pthread_mutex_lock(&lock);
    *(volatile int *)ready = 1;
    nap(150);
    pthread_mutex_unlock(&lock);
    return 0;
}

__attribute__((noinline)) void wants_lock(void) {
    pthread_mutex_lock(&lock);
    sink++;
    pthread_mutex_unlock(&lock);
}

static void *idles(void *unused) {
    nap(300);
    return unused;
}

static int there[2], back[2];
static long turns;

static void *answers(void *unused) {
    char byte;
    for (long i = 0; i < turns; i++)
        if (read(there[0], &byte, 1) != 1 || write(back[1], &byte, 1) != 1)
            _exit(1);
    return unused;
}

/* Two threads that wake each other. */
__attribute__((noinline)) void ping_pong(long number) {
    pthread_t thread;
    char byte = 0;
    turns = number;
    if (pipe(there) || pipe(back) || pthread_create(&thread, 0, answers, 0))
        _exit(1);
    for (long i = 0; i < turns; i++)
        if (write(there[1], &byte, 1) != 1 || read(back[0], &byte, 1) != 1)
            _exit(1);
    pthread_join(thread, 0);
}

static void *plays(void *number) {
    ping_pong(*(long *)number);
    return 0;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static volatile int over;

/* Makes one call as often as it can, and wakes nobody. */
static void *calls_often(void *unused) {
    static int word;
    while (!over)
        syscall(SYS_futex, &word, 1 /* FUTEX_WAKE */, 1, 0, 0, 0);
    return unused;
}

/* Lets go of a file first, and of the lock much later. */
static void *holds_both(void *ready) {
    int file = open("held", O_CREAT | O_RDWR, 0600);
    flock(file, LOCK_EX);
    pthread_mutex_lock(&lock);
    *(volatile int *)ready = 1;
    nap(600);
    flock(file, LOCK_UN);
    nap(600);
    pthread_mutex_unlock(&lock);
    return 0;
}

#ifdef __x86_64__
/* Code made at run time that counts down, and a list that names it: `fresh`, `stale` from long ago, or none. */
static int makes_code(const char *list) {
    uint8_t code[] = {0x48, 0xb8, 0, 0, 0, 0x20, 0, 0, 0, 0, 0x48, 0xff, 0xc8, 0x75, 0xfb, 0xc3};
    void *page = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char path[64];
    snprintf(path, sizeof path, "/tmp/perf-%d.map", getpid());
    memcpy(page, code, sizeof code);
    if (!strcmp(list, "fresh") || !strcmp(list, "stale")) {
        struct timeval old[2] = {{1000000000, 0}, {1000000000, 0}};
        FILE *names = fopen(path, "w");
        fprintf(names, "%lx %lx made_code\n", (unsigned long)page, sizeof code);
        fclose(names);
        if (!strcmp(list, "stale"))
            utimes(path, old);
    }
    ((void (*)(void))page)();
    return 0;
}
#endif

/* What others tell by a file. */
__attribute__((noinline)) void await_file(const char *name) {
    while (access(name, F_OK))
        usleep(2000);
}

int main(int count, char **words) {
    const char *part = count > 1 ? words[1] : "";
    long number = count > 2 ? atol(words[2]) : 0;
    if (!strcmp(part, "compute")) {
        caller(number);
    } else if (!strcmp(part, "sleep")) {
        nap(number);
    } else if (!strcmp(part, "lock")) {
        static volatile int ready;
        pthread_t thread;
        pthread_create(&thread, 0, holds, (void *)&ready);
        while (!ready)
            usleep(100);
        wants_lock();
        pthread_join(thread, 0);
    } else if (!strcmp(part, "child")) {
        if (!fork()) {
            caller(number);
            _exit(0);
        }
        wait(0);
    } else if (!strcmp(part, "pipe")) {
        int ends[2];
        char byte;
        if (pipe(ends))
            return 1;
        if (!fork()) {
            nap(number);
            return write(ends[1], "x", 1) != 1;
        }
        if (read(ends[0], &byte, 1) != 1)
            return 1;
        wait(0);
    } else if (!strcmp(part, "forks")) {
        for (long i = 0; i < number; i++)
            if (!fork())
                _exit(0);
        while (wait(0) > 0)
            ;
    } else if (!strcmp(part, "brief")) {
        for (long i = 0; i < number; i++) {
            if (!fork()) {
                brief();
                _exit(0);
            }
            wait(0);
        }
    } else if (!strcmp(part, "threads")) {
        pthread_t threads[4000];
        pthread_attr_t small;
        pthread_attr_init(&small);
        pthread_attr_setstacksize(&small, 65536);
        for (long i = 0; i < number; i++)
            if (pthread_create(&threads[i], &small, idles, 0))
                return 1;
        for (long i = 0; i < number; i++)
            pthread_join(threads[i], 0);
    } else if (!strcmp(part, "disguise")) {
        prctl(PR_SET_NAME, "\033[31mred");
        for (int fd = 0; fd < 64; fd++)
            close(fd);
        caller(number);
    } else if (!strcmp(part, "die")) {
        caller(number);
        raise(SIGKILL);
    } else if (!strcmp(part, "storm")) {
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(sched_getcpu(), &one);
        if (count > 3 && !strcmp(words[3], "pinned"))
            sched_setaffinity(0, sizeof one, &one);
        if (count > 3 && !strcmp(words[3], "joined")) {
            pthread_t thread;
            pthread_create(&thread, 0, plays, &number);
            pthread_join(thread, 0);
            return write(1, "\n", 1) != 1;
        }
        ping_pong(number);
#ifdef __x86_64__
    } else if (!strcmp(part, "code")) {
        return makes_code(words[2]);
#endif
    } else if (!strcmp(part, "both")) {
        static volatile int ready;
        pthread_t often, both;
        pthread_create(&often, 0, calls_often, 0);
        pthread_create(&both, 0, holds_both, (void *)&ready);
        while (!ready)
            usleep(100);
        int file = open("held", O_RDWR);
        double begun = now();
        flock(file, LOCK_EX);
        double got_file = now();
        wants_lock();
        double got_lock = now();
        over = 1;
        pthread_join(often, 0);
        FILE *truth = fopen("truth", "w");
        fprintf(truth, "%f %f\n", got_file - begun, got_lock - got_file);
        return fclose(truth);
    } else if (!strcmp(part, "burst")) {
        close(creat("begun", 0600));
        await_file("go");
        ping_pong(number);
        close(creat("done", 0600));
        await_file("end");
    } else if (!strcmp(part, "daemon")) {
        if (fork())
            return 0;
        setsid();
        if (fork())
            _exit(0);
        caller(number);
    } else if (!strcmp(part, "condition")) {
        static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
        static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec += (until.tv_nsec + number * 1000000) / 1000000000;
        until.tv_nsec = (until.tv_nsec + number * 1000000) % 1000000000;
        pthread_mutex_lock(&own);
        while (!pthread_cond_timedwait(&never, &own, &until)) {
        }
    } else if (!strcmp(part, "shy")) {
        prctl(PR_SET_DUMPABLE, 0);
        nap(number);
    } else if (!strcmp(part, "switches")) {
        int there[2], back[2];
        char byte = 0;
        if (pipe(there) || pipe(back))
            return 1;
        if (!fork()) {
            for (long i = 0; i < number; i++)
                if (read(there[0], &byte, 1) != 1 || write(back[1], &byte, 1) != 1)
                    _exit(1);
            _exit(0);
        }
        for (long i = 0; i < number; i++)
            if (write(there[1], &byte, 1) != 1 || read(back[0], &byte, 1) != 1)
                return 1;
        wait(0);
    }
    return 0;
}
