/* Fifty passes over n random bytes, each of which decides a branch. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static uint64_t count(const uint8_t *bytes, size_t n) {
    uint64_t large = 0;
    for (size_t i = 0; i < n; i++)
        if (bytes[i] >= 128) {
            /* Kept as a jump: the compiler cannot turn this into a conditional move. */
            __asm__ volatile("" : "+r"(large));
            large += bytes[i];
        }
    return large;
}

int main(int argc, char **argv) {
    size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
    uint8_t *bytes = malloc(n);
    uint32_t seed = 1;
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        bytes[i] = (uint8_t)(seed >> 24);
    }
    for (int pass = 0; pass < 50; pass++)
        sum += count(bytes, n);
    printf("%llu\n", (unsigned long long)sum);
    free(bytes);
    return 0;
}
