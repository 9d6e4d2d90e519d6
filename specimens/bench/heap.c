/* Allocates as programs do: sizes of many kinds, short and long lives, everything filled and read again.
   heap ROUNDS; each function below allocates a known number of bytes, printed at the end. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEPT 20000
#define SITES 6

static char *kept[KEPT];
static uint64_t bytes[SITES], calls[SITES], sum, state = 88172645463325252ull;

static uint64_t draw(void) {
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

static char *fill(char *block, size_t size, int site) {
    memset(block, (int)size, size);
    bytes[site] += size;
    calls[site]++;
    return block;
}

static void use(const char *block, size_t size) {
    for (size_t at = 0; at < size; at += 64) sum += (unsigned char)block[at];
}

#define NOINLINE __attribute__((noinline))

static NOINLINE void node(void) {
    size_t at = draw() % KEPT, size = 24 + draw() % 40;
    free(kept[at]);
    kept[at] = fill(malloc(size), size, 0);
}

static NOINLINE void text(void) {
    size_t size = 10 + draw() % 200;
    char *block = fill(malloc(size), size, 1);
    use(block, size);
    free(block);
}

static NOINLINE void record(void) {
    size_t at = draw() % KEPT, size = 100 + draw() % 400;
    free(kept[at]);
    kept[at] = fill(malloc(size), size, 2);
}

static NOINLINE void buffer(void) {
    size_t size = 4096 + draw() % 8192;
    char *block = fill(malloc(size), size, 3);
    use(block, size);
    free(block);
}

static NOINLINE void table(void) {
    size_t size = 16 * (1 + draw() % 64);
    char *block = fill(calloc(size / 16, 16), size, 4);
    use(block, size);
    free(block);
}

static NOINLINE void growing(void) {
    char *block = NULL;
    for (size_t size = 32; size <= 512; size *= 2) {
        block = realloc(block, size);
        fill(block + size / 2, size / 2, 5);
        bytes[5] += size - size / 2;
    }
    use(block, 512);
    free(block);
}

int main(int argc, char **argv) {
    long rounds = argc > 1 ? atol(argv[1]) : 1000000;
    for (long round = 0; round < rounds; round++) {
        switch (draw() % 16) {
        case 0: case 1: case 2: case 3: case 4: node(); break;
        case 5: case 6: case 7: case 8: text(); break;
        case 9: case 10: record(); break;
        case 11: case 12: case 13: table(); break;
        case 14: growing(); break;
        default: if (round % 4 == 0) buffer();
        }
    }
    static const char *names[SITES] = {"node", "text", "record", "buffer", "table", "growing"};
    for (int site = 0; site < SITES; site++)
        printf("%s %llu %llu\n", names[site], (unsigned long long)calls[site], (unsigned long long)bytes[site]);
    fprintf(stderr, "%llu\n", (unsigned long long)sum);
    return 0;
}
