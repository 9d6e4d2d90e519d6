/* Touches n KiB of memory, a byte of each page: much resident memory for few instructions. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    size_t bytes = (argc > 1 ? strtoul(argv[1], NULL, 10) : 1024) << 10;
    volatile char *memory = malloc(bytes);
    for (size_t at = 0; at < bytes; at += 4096) memory[at] = 1;
    printf("%d\n", memory[0]);
    return 0;
}
