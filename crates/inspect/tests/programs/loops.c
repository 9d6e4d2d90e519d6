/* Loops with one known property each. Functions are not inlined, so each is found by its name. */
#include <stddef.h>

#define LONE __attribute__((noinline, noclone))

/* Vectorises at -O3: integers may be added in any order. */
LONE int vector_sum(const int *values, long n) {
    int sum = 0;
    for (long i = 0; i < n; i++)
        sum += values[i];
    return sum;
}

/* Vectorises at -O3: nothing is carried from one step to the next. */
LONE void vector_scale(double *restrict to, const double *restrict from, long n) {
    for (long i = 0; i < n; i++)
        to[i] = from[i] * 3.5;
}

/* Does not vectorise without -ffast-math: floating addition may not be reordered. */
LONE double float_sum(const double *values, long n) {
    double sum = 0;
    for (long i = 0; i < n; i++)
        sum += values[i];
    return sum;
}

/* A branch on loaded values: the two sides differ too much for a conditional move. */
LONE long branchy(const int *values, long n, long *out) {
    long seen = 0;
    for (long i = 0; i < n; i++) {
        if (values[i] > 100) {
            out[seen & 7] += values[i];
            seen++;
        }
    }
    return seen;
}

/* The same question asked without a branch. */
LONE long selected(const int *values, long n) {
    long largest = 0;
    for (long i = 0; i < n; i++)
        largest = values[i] > largest ? values[i] : largest;
    return largest;
}

LONE double step(double x) {
    return x * 1.5 + 1;
}

/* A call each time round. */
LONE double calling(const double *values, long n) {
    double sum = 0;
    for (long i = 0; i < n; i++)
        sum += step(values[i]);
    return sum;
}

/* A call through a pointer each time round. */
LONE double calling_any(double (*one)(double), const double *values, long n) {
    double sum = 0;
    for (long i = 0; i < n; i++)
        sum += one(values[i]);
    return sum;
}

struct node {
    struct node *next;
    long value;
};

/* The next address is not known before the last load is back. */
LONE long chase(const struct node *node) {
    long sum = 0;
    for (; node; node = node->next)
        sum += node->value;
    return sum;
}

/* A column of a matrix of 1000 doubles a row: 8000 bytes from one to the next. */
LONE double column(const double *matrix, long rows) {
    double sum = 0;
    for (long i = 0; i < rows; i++)
        sum += matrix[i * 1000];
    return sum;
}

/* A column of a matrix whose width only the caller knows. */
LONE double any_column(const double *matrix, long rows, long width) {
    double sum = 0;
    for (long i = 0; i < rows; i++)
        sum += matrix[i * width];
    return sum;
}

/* The address of the second load comes from the first. */
LONE double gather(const double *values, const int *at, long n) {
    double sum = 0;
    for (long i = 0; i < n; i++)
        sum += values[at[i]];
    return sum;
}

/* More values alive than there are registers: some go to the stack and come back. */
LONE void spilled(unsigned long *v, long n) {
    unsigned long a = v[0], b = v[1], c = v[2], d = v[3], e = v[4], f = v[5], g = v[6], h = v[7];
    unsigned long i = v[8], j = v[9], k = v[10], l = v[11], m = v[12], o = v[13], p = v[14], q = v[15];
    unsigned long r = v[16], s = v[17], t = v[18], u = v[19];
    for (long x = 0; x < n; x++) {
        unsigned long old = a;
        a = (b ^ u) + c, b = (c ^ old) + d, c = (d ^ a) + e, d = (e ^ b) + f, e = (f ^ c) + g;
        f = (g ^ d) + h, g = (h ^ e) + i, h = (i ^ f) + j, i = (j ^ g) + k, j = (k ^ h) + l;
        k = (l ^ i) + m, l = (m ^ j) + o, m = (o ^ k) + p, o = (p ^ l) + q, p = (q ^ m) + r;
        q = (r ^ o) + s, r = (s ^ p) + t, s = (t ^ q) + u, t = (u ^ r) + old, u = (old ^ s) + b;
    }
    v[0] = a, v[1] = b, v[2] = c, v[3] = d, v[4] = e, v[5] = f, v[6] = g, v[7] = h, v[8] = i, v[9] = j;
    v[10] = k, v[11] = l, v[12] = m, v[13] = o, v[14] = p, v[15] = q, v[16] = r, v[17] = s, v[18] = t, v[19] = u;
}

/* Division by a value the compiler does not know. */
LONE unsigned long divided(const unsigned long *values, long n, unsigned long by) {
    unsigned long sum = 0;
    for (long i = 0; i < n; i++)
        sum += values[i] / by;
    return sum;
}

/* Leaves as soon as it finds. */
LONE long found(const int *values, long n, int wanted) {
    for (long i = 0; i < n; i++)
        if (values[i] == wanted)
            return i;
    return -1;
}

/* A loop in a loop. */
LONE double nested(const double *matrix, long rows) {
    double largest = 0;
    for (long i = 0; i < rows; i++) {
        double sum = 0;
        for (long j = 0; j < 64; j++)
            sum += matrix[i * 64 + j];
        if (sum > largest)
            largest = sum;
    }
    return largest;
}

/* Bytes may be anything, so each store may change pointers and bounds. */
struct picture {
    int width, gain;
    unsigned char *from, *to;
};

LONE void reloaded(struct picture *picture) {
    for (int x = 0; x < picture->width; x++)
        picture->to[x] = (unsigned char)((picture->from[x] * picture->gain) >> 8);
}

/* The limit is looked at after each element. */
LONE unsigned until(const unsigned char *one, const unsigned char *other, long n, unsigned limit) {
    unsigned sum = 0;
    for (long i = 0; i < n; i++) {
        sum += (unsigned)(one[i] > other[i] ? one[i] - other[i] : other[i] - one[i]);
        if (sum >= limit)
            return limit;
    }
    return sum;
}

/* The place is made of numbers that may wrap around, or of ones that cannot. */
LONE void from_unsigned(unsigned char *restrict to, const unsigned char *restrict from, unsigned start, unsigned n) {
    for (unsigned i = 0; i < n; i++)
        to[start + i] = (unsigned char)(from[start + i] * 3 >> 1);
}

LONE void from_long(unsigned char *restrict to, const unsigned char *restrict from, long start, long n) {
    for (long i = 0; i < n; i++)
        to[start + i] = (unsigned char)(from[start + i] * 3 >> 1);
}

#ifndef BARE
#include <stdlib.h>
#include <string.h>

/* A call into another library each time round. */
LONE size_t calling_library(char *const *texts, long n) {
    size_t sum = 0;
    for (long i = 0; i < n; i++)
        sum += strlen(texts[i]);
    return sum;
}

/* A loop no compiler can fold away: its share of the samples is known. */
int main(int argc, char **argv) {
    long n = argc > 1 ? atol(argv[1]) : 1000;
    double *values = calloc((size_t)n + 1, sizeof *values);
    double sum = float_sum(values, n) + calling(values, n) + calling_any(step, values, n);
    return (int)sum + (int)calling_library(argv, argc);
}
#else
int _start(void) {
    return 0;
}
#endif
