/* Deliberate sleep. */
#include "truth.h"
#include <signal.h>

static void once(double seconds) {
    struct mark at = mark();
    nap(seconds);
    phase(&at, "blocked/sleep");
}

static void often(double seconds) {
    struct mark at = mark();
    for (double end = at.wall + seconds; at.wall < end;) {
        usleep(2000);
        phase(&at, "blocked/sleep");
    }
}

/* Half computing, half asleep. */
static void half(double seconds) {
    struct mark at = mark();
    for (int i = 0; i < 20; i++) {
        spin(seconds / 40);
        phase(&at, "on-cpu/user");
        nap(seconds / 40);
        phase(&at, "blocked/sleep");
    }
}

/* A child stops this process and lets it go on. */
static void stopped(double seconds) {
    struct {
        atomic_int ready, over;
    } *both = mmap(NULL, sizeof *both, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (both == MAP_FAILED) give_up("mmap");
    struct mark at = mark();
    pid_t child = fork();
    if (child == 0) {
        struct mark own = born();
        while (!atomic_load(&both->ready)) nap(0.0005);
        kill(getppid(), SIGSTOP);
        nap(seconds);
        phase(&own, "blocked/sleep");
        atomic_store(&both->over, 1);
        kill(getppid(), SIGCONT);
        _exit(0);
    }
    phase(&at, "blocked");
    atomic_store(&both->ready, 1);
    /* It computes until it is stopped: a wait of its own would hide where it was. */
    while (!atomic_load(&both->over)) spin_rounds(1000);
    charge(MAY_CHARGE, "stopped", phase(&at, "stopped"), child);
}

static const char *const names[] = {"once", "often", "half", "stopped"};
static specimen *const modes[] = {once, often, half, stopped};
MAIN(names, modes)
