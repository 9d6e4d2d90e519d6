/* A known shape of calls: main calls round, that calls left and right, and these a leaf each. */
#include <stdio.h>
#include <stdlib.h>

#ifndef SALT
#define SALT 1
#endif

__attribute__((noinline)) static unsigned leaf_of_left(unsigned n)
{
    for (unsigned i = 0; i < 40000; i++)
        n = n * 1664525u + 1013904223u + SALT;
    return n;
}

__attribute__((noinline)) static unsigned leaf_of_right(unsigned n)
{
    for (unsigned i = 0; i < 20000; i++)
        n = (n ^ (n >> 7)) * 22695477u + SALT;
    return n;
}

/* Expanded into its caller wherever code is optimised. */
static inline __attribute__((always_inline)) unsigned expanded(unsigned n)
{
    for (unsigned i = 0; i < 20000; i++)
        n = (n ^ (n << 5)) * 69069u + SALT;
    return n;
}

__attribute__((noinline)) static unsigned left(unsigned n)
{
    return leaf_of_left(n) + 1;
}

__attribute__((noinline)) static unsigned right(unsigned n)
{
    return leaf_of_right(n) + expanded(n) + 1;
}

__attribute__((noinline)) static unsigned round_of_both(unsigned n)
{
    return left(n) + right(n);
}

int main(int count, char **words)
{
    unsigned sum = 0;
    int rounds = count > 1 ? atoi(words[1]) : 3000;
    for (int i = 0; i < rounds; i++)
        sum += round_of_both(sum + (unsigned)i);
    printf("%u\n", sum);
    return 0;
}
