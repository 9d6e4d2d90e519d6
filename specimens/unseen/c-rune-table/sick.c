// Reads a table of carved stones from one long text and sums up what was found where.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    char parish[24];
    int year;
    int runes;
    double height;
} Stone;

typedef struct {
    Stone *list;
    size_t count, room;
} Table;

typedef struct {
    const char *text;
    const char *at;
} Source;

static char *make_text(int lines, size_t *size)
{
    static const char *parishes[] = {"Jelling", "Rok", "Vaksala", "Husby", "Sigtuna", "Glavendrup", "Hunnestad"};
    size_t room = (size_t)lines * 48 + 1, used = 0;
    char *text = malloc(room);
    unsigned state = 12345;
    for (int i = 0; i < lines; i++) {
        state = state * 1103515245u + 12345u;
        unsigned bits = state >> 12;
        used += (size_t)snprintf(text + used, room - used, "%s-%u %u %u %u.%02u\n", parishes[bits % 7], bits % 90,
                                 700 + bits % 400, bits % 130, bits % 4, bits % 97);
    }
    *size = used;
    return text;
}

static int next_stone(Source *source, Stone *stone)
{
    int used = 0;
    int got = sscanf(source->at, "%23s %d %d %lf%n", stone->parish, &stone->year, &stone->runes, &stone->height, &used);
    if (got != 4)
        return 0;
    source->at += used;
    return 1;
}

static void add(Table *table, const Stone *stone)
{
    if (table->count == table->room) {
        table->room = table->room ? table->room * 2 : 64;
        table->list = realloc(table->list, table->room * sizeof *table->list);
    }
    table->list[table->count++] = *stone;
}

static int by_parish(const void *one, const void *other)
{
    const Stone *a = one, *b = other;
    int names = strcmp(a->parish, b->parish);
    if (names)
        return names;
    return (a->year > b->year) - (a->year < b->year);
}

static Table read_table(const char *text)
{
    Table table = {0};
    Source source = {text, text};
    Stone stone;
    while (next_stone(&source, &stone))
        add(&table, &stone);
    return table;
}

static unsigned long long summary(const Table *table)
{
    unsigned long long sum = 0;
    size_t start = 0;
    for (size_t i = 1; i <= table->count; i++) {
        if (i < table->count && strcmp(table->list[i].parish, table->list[start].parish) == 0)
            continue;
        double height = 0;
        int runes = 0;
        for (size_t k = start; k < i; k++) {
            height += table->list[k].height;
            runes += table->list[k].runes;
        }
        sum = sum * 131 + (unsigned long long)(height * 100 + 0.5) + (unsigned)runes;
        start = i;
    }
    return sum;
}

typedef struct {
    const char *text;
    size_t size;
    unsigned sum;
} Letters;

static void *count_letters(void *work)
{
    Letters *letters = work;
    for (size_t i = 0; i < letters->size; i++)
        letters->sum = letters->sum * 33 + (unsigned char)letters->text[i];
    return NULL;
}

int main(int argc, char **argv)
{
    int lines = argc > 1 ? atoi(argv[1]) : 1000;
    size_t size;
    char *text = make_text(lines, &size);
    Letters letters = {text, size, 5381};
    pthread_t helper;
    pthread_create(&helper, NULL, count_letters, &letters);
    Table table = read_table(text);
    qsort(table.list, table.count, sizeof *table.list, by_parish);
    pthread_join(helper, NULL);
    printf("stones %zu sum %llx letters %x\n", table.count, summary(&table), letters.sum);
    free(table.list);
    free(text);
    return 0;
}
