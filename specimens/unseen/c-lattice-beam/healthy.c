/* The stiffness of a lattice: one product of two square matrices, in blocks, on two threads. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK 64
#define THREADS 2

struct matrix {
    int size;
    float *cells;
};

struct part {
    const struct matrix *left, *right;
    struct matrix *out;
    int first, last;
};

static struct matrix make(int size, unsigned seed) {
    struct matrix matrix = {size, aligned_alloc(64, (size_t)size * size * sizeof(float))};
    for (int i = 0; i < size * size; i++) {
        seed = seed * 1664525u + 1013904223u;
        matrix.cells[i] = (float)(seed >> 24) / 256.0f;
    }
    return matrix;
}

static int least(int one, int other) {
    return one < other ? one : other;
}

static void block(const struct part *part, int row, int middle, int column) {
    int size = part->out->size;
    int row_end = least(row + BLOCK, part->last);
    int middle_end = least(middle + BLOCK, size);
    int column_end = least(column + BLOCK * 4, size);
    for (int i = row; i < row_end; i++) {
        float *restrict out = part->out->cells + (size_t)i * size;
        for (int k = middle; k + 3 < middle_end; k += 4) {
            const float *left = part->left->cells + (size_t)i * size + k;
            const float *restrict right = part->right->cells + (size_t)k * size;
            float a = left[0], b = left[1], c = left[2], d = left[3];
            for (int j = column; j < column_end; j++)
                out[j] += a * right[j] + b * right[size + j] + c * right[2 * size + j] + d * right[3 * size + j];
        }
    }
}

static void *multiply(void *argument) {
    const struct part *part = argument;
    int size = part->out->size;
    for (int column = 0; column < size; column += BLOCK * 4)
        for (int middle = 0; middle < size; middle += BLOCK)
            for (int row = part->first; row < part->last; row += BLOCK)
                block(part, row, middle, column);
    return NULL;
}

static void product(const struct matrix *left, const struct matrix *right, struct matrix *out) {
    pthread_t threads[THREADS];
    struct part parts[THREADS];
    int share = (out->size + THREADS - 1) / THREADS;
    for (int i = 0; i < THREADS; i++) {
        parts[i] = (struct part){left, right, out, i * share, least((i + 1) * share, out->size)};
        pthread_create(&threads[i], NULL, multiply, &parts[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

static double trace(const struct matrix *matrix) {
    double sum = 0;
    for (int i = 0; i < matrix->size; i++)
        sum += matrix->cells[(size_t)i * matrix->size + i];
    return sum;
}

int main(int argc, char **argv) {
    int size = (argc > 1 ? atoi(argv[1]) : 256) / 4 * 4;
    struct matrix left = make(size, 1), right = make(size, 2), out = make(size, 3);
    memset(out.cells, 0, (size_t)size * size * sizeof(float));
    for (int load = 0; load < 14; load++)
        product(&left, &right, &out);
    printf("trace %.0f\n", trace(&out));
    free(left.cells);
    free(right.cells);
    free(out.cells);
    return 0;
}
