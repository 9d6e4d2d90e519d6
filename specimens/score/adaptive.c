/* Counts to n. Built with LARGE, it takes an eighth of the steps from that size on: a win at the largest size alone. */
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static long walk(long n) {
    volatile long sum = 0;
    for (long i = 0; i < n; i++) sum += i;
    return sum;
}

int main(int argc, char **argv) {
    long n = argc > 1 ? atol(argv[1]) : 1000;
#ifdef LARGE
    if (n >= LARGE) n /= 8;
#endif
    printf("%d\n", walk(n) >= 0);
    return 0;
}
