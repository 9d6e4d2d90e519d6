/* Builds a hash table in fresh memory: mostly page faults. `table ELEMENTS` */
#include <stdint.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    uint64_t elements = argc > 1 ? strtoull(argv[1], NULL, 10) : 0, size = 1, seed = 7, taken = 0;
    while (size < 2 * elements) size *= 2;
    uint64_t *slots = calloc(size, sizeof *slots);
    if (!slots) return 3;
    for (uint64_t i = 0; i < elements; i++) {
        seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
        uint64_t at = (seed >> 20) & (size - 1);
        while (slots[at]) at = (at + 1) & (size - 1), taken++;
        slots[at] = seed | 1;
    }
    return taken == UINT64_MAX;
}
