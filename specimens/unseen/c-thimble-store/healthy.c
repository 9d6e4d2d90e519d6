/* A haberdasher's store: articles are found by their label, goods come in and go out, the till adds up. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS 32768

struct article {
    char label[16];
    long stock;
    long pence;
    struct article *next;
};

struct store {
    struct article *slots[SLOTS];
    struct article *articles;
    size_t count;
};

struct till {
    long income;
    long spent;
    long refused;
};

static uint32_t draw(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 9;
}

static void name_article(char *label, unsigned number)
{
    static const char *const kinds[] = {"TH", "NE", "BU", "RI", "LA", "HO"};
    snprintf(label, 16, "%s-%05u-%02u", kinds[number % 6], number, number * 7 % 100);
}

static unsigned slot_of(const char *label)
{
    unsigned sum = 2166136261u;
    for (const char *letter = label; *letter; letter++)
        sum = (sum ^ (unsigned char)*letter) * 16777619u;
    return sum % SLOTS;
}

static struct article *find(const struct store *store, const char *label)
{
    struct article *article = store->slots[slot_of(label)];
    while (article && strcmp(article->label, label) != 0)
        article = article->next;
    return article;
}

static void add(struct store *store, unsigned number)
{
    struct article *article = &store->articles[store->count++];
    name_article(article->label, number);
    article->stock = 20 + number % 50;
    article->pence = 5 + number * 13 % 400;
    unsigned slot = slot_of(article->label);
    article->next = store->slots[slot];
    store->slots[slot] = article;
}

static void open_store(struct store *store, unsigned articles)
{
    memset(store, 0, sizeof *store);
    store->articles = calloc(articles, sizeof *store->articles);
    if (!store->articles)
        exit(1);
    for (unsigned number = 0; number < articles; number++)
        add(store, number * 3);
}

static void sell(struct store *store, struct till *till, const char *label, long pieces)
{
    struct article *article = find(store, label);
    if (!article || article->stock < pieces) {
        till->refused++;
        return;
    }
    article->stock -= pieces;
    till->income += pieces * article->pence + pieces * article->pence / 10;
}

static void restock(struct store *store, struct till *till)
{
    for (size_t place = 0; place < store->count; place++) {
        struct article *article = &store->articles[place];
        if (article->stock < 8) {
            till->spent += (40 - article->stock) * article->pence;
            article->stock = 40;
        }
    }
}

int main(int argc, char **argv)
{
    long sales = argc > 1 ? atol(argv[1]) : 1000;
    unsigned articles = 20000;
    struct store *store = malloc(sizeof *store);
    struct till till = {0, 0, 0};
    uint32_t state = 1851;
    if (!store)
        return 1;
    open_store(store, articles);
    for (long sale = 0; sale < sales; sale++) {
        char label[16];
        name_article(label, draw(&state) % (articles * 3 + 900) / 3 * 3);
        sell(store, &till, label, 1 + draw(&state) % 6);
        if (sale % 5000 == 4999)
            restock(store, &till);
    }
    printf("%ld sales, income %ld, spent %ld, refused %ld\n", sales, till.income, till.spent, till.refused);
    free(store->articles);
    free(store);
    return 0;
}
