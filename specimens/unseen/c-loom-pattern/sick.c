/* Counts how much of each yarn a woven pattern needs. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME 24
#define SLOTS 16384

struct yarn {
    char name[NAME];
    long used;
    long knots;
    struct yarn *next;
};

struct basket {
    struct yarn *first;
    long kinds;
};

static uint32_t state = 2463534242u;

static uint32_t draw(void) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

static void name_thread(char *name, uint32_t kinds) {
    static const char *const dyes[] = {"madder", "woad", "weld", "walnut"};
    uint32_t kind = draw() % kinds;
    snprintf(name, NAME, "lot-%s-%05u", dyes[kind % 4], kind);
}

static struct yarn *find_yarn(struct basket *basket, const char *name) {
    for (struct yarn *yarn = basket->first; yarn; yarn = yarn->next)
        if (strcmp(yarn->name, name) == 0)
            return yarn;
    return NULL;
}

static struct yarn *yarn_for(struct basket *basket, const char *name) {
    struct yarn *yarn = find_yarn(basket, name);
    if (yarn)
        return yarn;
    yarn = calloc(1, sizeof *yarn);
    strcpy(yarn->name, name);
    yarn->next = basket->first;
    basket->first = yarn;
    basket->kinds++;
    return yarn;
}

static void weave(struct basket *basket, char (*threads)[NAME], long count) {
    for (long i = 0; i < count; i++) {
        struct yarn *yarn = yarn_for(basket, threads[i]);
        yarn->used += 3 + i % 5;
        if (i % 7 == 0)
            yarn->knots++;
    }
}

static uint64_t order_list(const struct basket *basket) {
    uint64_t sum = 0;
    for (const struct yarn *yarn = basket->first; yarn; yarn = yarn->next)
        sum = sum * 131 + (uint64_t)(yarn->used * 2 + yarn->knots);
    return sum;
}

static void clear(struct basket *basket) {
    while (basket->first) {
        struct yarn *next = basket->first->next;
        free(basket->first);
        basket->first = next;
    }
}

int main(int argc, char **argv) {
    long count = argc > 1 ? atol(argv[1]) : 5000;
    static struct basket basket;
    char(*threads)[NAME] = malloc((size_t)count * NAME);
    for (long i = 0; i < count; i++)
        name_thread(threads[i], (uint32_t)count / 5);
    weave(&basket, threads, count);
    printf("%ld yarns, order %llx\n", basket.kinds, (unsigned long long)order_list(&basket));
    clear(&basket);
    free(threads);
    return 0;
}
