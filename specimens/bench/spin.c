/* An integer loop: CPU time and nothing else. `spin ROUNDS` */
#include <stdint.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    uint64_t rounds = argc > 1 ? strtoull(argv[1], NULL, 10) : 0, x = rounds | 1;
    for (uint64_t i = 0; i < rounds; i++) {
        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
        __asm__ volatile("" : "+r"(x));
    }
    return x == 0;
}
