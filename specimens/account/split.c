/* Two functions with about 70 and 30 % of the CPU time, and a fixed amount of work: `split any SECONDS` is about that long. */
#include "truth.h"

static volatile uint64_t result;

__attribute__((noinline)) static void heavy(void) {
    uint64_t x = result | 1;
    for (int i = 0; i < 7 * 1000 * 1000; i++) x ^= x << 13, x ^= x >> 7, x ^= x << 17;
    result = x;
}

__attribute__((noinline)) static void light(void) {
    uint64_t x = result | 1;
    for (int i = 0; i < 3 * 1000 * 1000; i++) x ^= x << 13, x ^= x >> 7, x ^= x << 17;
    result = x;
}

static void split(double seconds) {
    struct mark at = mark();
    /* Turns of 20 ms: the calls that a log needs must not be what a profiler is measured by. */
    for (int i = 0; i < (int)(seconds * 50); i++) {
        heavy();
        note(FUNCTION, gettid(), "heavy", "", phase(&at, "on-cpu/user"));
        light();
        note(FUNCTION, gettid(), "light", "", phase(&at, "on-cpu/user"));
    }
}

static const char *const names[] = {"split"};
static specimen *const modes[] = {split};
MAIN(names, modes)
