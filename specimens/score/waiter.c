/* Sleeps 2 ms for each element. */
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv) {
    size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 10;
    for (size_t i = 0; i < n; i++)
        usleep(2000);
    return 0;
}
