/* Background load that is the same in every sitting: turns of spinning, page faults and small writes, their order and
 * length drawn from a seed.
 *
 *   load SEED FOLDER
 *
 * Runs until it is killed, or until its parent is gone. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

static uint64_t state;

static uint64_t drawn(void) { /* xorshift64*, Vigna 2016 */
    state ^= state >> 12, state ^= state << 25, state ^= state >> 27;
    return state * 2685821657736338717ULL;
}

static void spin(long rounds) {
    volatile uint64_t sink = 1;
    for (long i = 0; i < rounds; i++) sink = sink * 6364136223846793005ULL + 1442695040888963407ULL;
}

static void fault(long pages) {
    char *memory = mmap(NULL, (size_t)pages * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return;
    for (long page = 0; page < pages; page++) ((volatile char *)memory)[page * 4096] = 1;
    munmap(memory, (size_t)pages * 4096);
}

static void scribble(int file, long blocks) {
    static char block[4096];
    for (long i = 0; i < blocks; i++)
        if (pwrite(file, block, sizeof block, (i % 256) * 4096) < 0) return;
}

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    state = strtoull(argv[1], NULL, 10) * 0x9e3779b97f4a7c15ULL + 1;
    char path[4096];
    snprintf(path, sizeof path, "%s/load-%s", argv[2], argv[1]);
    int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (file < 0) return 3;
    unlink(path);
    for (;;) {
        /* Each turn is some 2 to 20 ms of CPU on a machine of today. */
        long size = 1 + (long)(drawn() % 10);
        switch (drawn() % 4) {
        case 0: case 1: spin(size * 1000000); break;
        case 2: fault(size * 2000); break;
        default: scribble(file, size * 1000); break;
        }
    }
}
