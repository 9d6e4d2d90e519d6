/* Two blocks made and given back in each of 10 n turns. */
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static unsigned turn(unsigned i) {
    volatile unsigned *a = malloc(64);
    volatile unsigned *b = malloc(64);
    *a = i;
    *b = *a + 1;
    unsigned seen = *b;
    free((void *)a);
    free((void *)b);
    return seen;
}

int main(int argc, char **argv) {
    size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
    unsigned sum = 0;
    for (size_t i = 0; i < 10 * n; i++)
        sum += turn((unsigned)i);
    printf("%u\n", sum);
    return 0;
}
