/* String and allocator work: makes words, keeps some, throws some away, compares neighbours. `words ROUNDS`
 * The memory in use stays the same however many rounds there are, so only the work grows. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT = 512 };

int main(int argc, char **argv) {
    uint64_t rounds = argc > 1 ? strtoull(argv[1], NULL, 10) : 0, seed = 42, equal = 0;
    char *kept[KEPT] = {0};
    for (uint64_t i = 0; i < rounds; i++) {
        seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
        size_t length = 8 + (seed >> 59);
        char *word = malloc(length + 1);
        if (!word) return 3;
        for (size_t at = 0; at < length; at++) word[at] = (char)('a' + ((seed >> (at % 48)) & 15));
        word[length] = 0;
        size_t slot = (seed >> 33) % KEPT;
        char *neighbour = kept[(slot + 1) % KEPT];
        if (neighbour) equal += strcmp(word, neighbour) == 0;
        free(kept[slot]);
        kept[slot] = word;
    }
    return equal > rounds;
}
