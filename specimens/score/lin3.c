/* n steps, each with two hashes by one call site: strictly linear. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static uint32_t hash(uint32_t value) {
    value ^= value >> 16;
    value *= 0x7feb352du;
    return value ^ (value >> 15);
}

int main(int argc, char **argv) {
    size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
    uint32_t sum = 0;
    for (size_t i = 0; i < 2 * n; i++) sum += hash((uint32_t)i);
    printf("%u\n", sum);
    return 0;
}
