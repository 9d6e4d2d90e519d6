/* Tells a file when it begins and ends, and whether valgrind runs it: `alone FILE STEPS`. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    int file = open(argv[1], O_WRONLY | O_CREAT | O_APPEND, 0600);
    const char *loaded = getenv("LD_PRELOAD");
    int simulated = loaded && strstr(loaded, "vgpreload");
    /* A line in one write: appended whole, whoever else writes. */
    write(file, simulated ? "simulated begins\n" : "bare begins\n", simulated ? 17 : 12);
    volatile long sum = 0;
    for (long i = 0, steps = atol(argv[2]); i < steps; i++) sum += i;
    write(file, simulated ? "simulated ends\n" : "bare ends\n", simulated ? 15 : 10);
    return 0;
}
