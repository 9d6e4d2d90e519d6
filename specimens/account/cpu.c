/* Time on a CPU, and waiting for one. */
#include "truth.h"
#include <sys/resource.h>
#include <sys/stat.h>

static void user(double seconds) {
    struct mark at = mark();
    spin(seconds);
    phase(&at, "on-cpu/user");
}

/* Cheap system calls: of the program's own there are a few instructions between them. */
static void calls_for(double seconds) {
    double end = clock_of(CLOCK_THREAD_CPUTIME_ID) + seconds;
    int zero = open("/dev/zero", O_RDONLY | O_CLOEXEC);
    char page[4096];
    struct stat status;
    do {
        for (int i = 0; i < 200; i++) {
            if (read(zero, page, sizeof page) != sizeof page) give_up("read");
            if (stat("/dev/null", &status)) give_up("stat");
        }
    } while (clock_of(CLOCK_THREAD_CPUTIME_ID) < end);
    close(zero);
}

enum { SIZE = 16 << 20 };

static double touch(volatile char *memory) {
    double began = clock_of(CLOCK_THREAD_CPUTIME_ID);
    for (size_t i = 0; i < SIZE; i += 4096) memory[i] = 1;
    return clock_of(CLOCK_THREAD_CPUTIME_ID) - began;
}

static double user_time(void) {
    struct rusage used;
    getrusage(RUSAGE_THREAD, &used);
    return (double)used.ru_utime.tv_sec + (double)used.ru_utime.tv_usec / 1e6;
}

/* Whose the time is that the processor takes to enter and to leave the kernel nobody can say: up to what the kernel itself
 * counts as the program's. */
static void calls(double seconds) {
    struct mark at = mark();
    double before = user_time();
    calls_for(seconds);
    phase(&at, "on-cpu/kernel");
    double open = user_time() - before;
    note(LEAF, gettid(), "on-cpu/kernel", "", -open);
    note(LEAF, gettid(), "on-cpu", "", open);
}

/* Fresh pages again and again: the kernel clears each, the program writes one byte. To find a page is the program's own
 * time: that is what writing to all of them once more takes, and up to as much of the first time. Whose the time is that the
 * processor takes to enter the kernel nobody can say: up to what the kernel itself counts as the program's. */
static void faults(double seconds) {
    struct mark at = mark();
    double end = at.cpu + seconds, again = 0, before = user_time();
    while (clock_of(CLOCK_THREAD_CPUTIME_ID) < end) {
        char *memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) give_up("mmap");
        madvise(memory, SIZE, MADV_NOHUGEPAGE);
        touch(memory);
        again += touch(memory);
        munmap(memory, SIZE);
    }
    phase(&at, "on-cpu/kernel");
    double counted = user_time() - before - again, open = counted > again ? counted : again;
    note(LEAF, gettid(), "on-cpu/kernel", "", -again - open);
    note(LEAF, gettid(), "on-cpu/user", "", again);
    note(LEAF, gettid(), "on-cpu", "", open);
}

static void mixed(double seconds) {
    struct mark at = mark();
    for (int i = 0; i < 20; i++) {
        spin(seconds * 0.6 / 20);
        phase(&at, "on-cpu/user");
        calls_for(seconds * 0.4 / 20);
        phase(&at, "on-cpu/kernel");
    }
}

static void *spin_forever(void *unused) {
    for (;;) spin_rounds(1000000);
    return unused;
}

/* Two spinning threads a CPU beside this one. */
static void preempted(double seconds) {
    struct mark at = mark();
    long spinners = 2 * sysconf(_SC_NPROCESSORS_ONLN);
    for (long i = 0; i < spinners; i++) start_thread(spin_forever, NULL);
    phase(&at, "blocked");
    spin(seconds * 0.3);
    phase(&at, "on-cpu/user");
}

/* Sleeps often and hardly computes, but is less important than the threads it shares the CPUs with. */
static void woken(double seconds) {
    struct mark at = mark();
    double end = at.wall + seconds;
    long spinners = 2 * sysconf(_SC_NPROCESSORS_ONLN);
    for (long i = 0; i < spinners; i++) start_thread(spin_forever, NULL);
    if (setpriority(PRIO_PROCESS, (id_t)gettid(), 10)) give_up("setpriority");
    phase(&at, "blocked");
    while (clock_of(CLOCK_MONOTONIC) < end) {
        nap(0.001);
        phase(&at, "blocked/sleep");
    }
}

static const char *const names[] = {"user", "calls", "faults", "mixed", "preempted", "woken"};
static specimen *const modes[] = {user, calls, faults, mixed, preempted, woken};
MAIN(names, modes)
