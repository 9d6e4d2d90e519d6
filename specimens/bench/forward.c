/* A library before the allocator that only forwards: what any library there costs. */
#include <stddef.h>

void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
void __libc_free(void *);

void *malloc(size_t size) { return __libc_malloc(size); }
void *calloc(size_t number, size_t each) { return __libc_calloc(number, each); }
void *realloc(void *block, size_t size) { return __libc_realloc(block, size); }
void free(void *block) { __libc_free(block); }
