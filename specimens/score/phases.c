/* Eight phases, each with one buffer of 64 n bytes that is touched twenty times: eight allocations in all. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static uint64_t phase(size_t n) {
    size_t words = 8 * n;
    uint64_t *buffer = malloc(words * sizeof *buffer);
    uint64_t sum = 0;
    for (size_t i = 0; i < words; i++)
        buffer[i] = i;
    for (int pass = 0; pass < 19; pass++)
        for (size_t i = 0; i < words; i++)
            sum += buffer[i] ^ (uint64_t)pass;
    free(buffer);
    return sum;
}

int main(int argc, char **argv) {
    size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
    uint64_t sum = 0;
    for (int i = 0; i < 8; i++)
        sum += phase(n);
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
