/* Barley depots: books deliveries into a table of goods and depots and draws up the monthly balance. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int goods;
    int depots;
    int32_t *amounts;
} Table;

typedef struct {
    int64_t total;
    int32_t most;
    int most_good;
    int empty;
} Balance;

static uint64_t state = 12345;

static uint32_t draw(uint32_t below)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (uint32_t)(state >> 33) % below;
}

static int32_t *place(const Table *table, int good, int depot)
{
    return &table->amounts[(size_t)good * table->depots + depot];
}

static int table_open(Table *table, int goods, int depots)
{
    table->goods = goods;
    table->depots = depots;
    table->amounts = calloc((size_t)goods * depots, sizeof *table->amounts);
    return table->amounts ? 0 : -1;
}

static void deliver(Table *table, int good)
{
    for (int depot = 0; depot < table->depots; depot++) {
        uint32_t amount = draw(64);
        *place(table, good, depot) = amount < 6 ? 0 : (int32_t)amount * (1 + good % 7);
    }
}

static void note(Balance *balance, int good, int32_t amount)
{
    balance->total += amount;
    balance->empty += amount == 0;
    if (amount > balance->most) {
        balance->most = amount;
        balance->most_good = good;
    }
}

static void close_month(const Table *table, Balance *balances)
{
    for (int depot = 0; depot < table->depots; depot++)
        for (int good = 0; good < table->goods; good++)
            note(&balances[depot], good, *place(table, good, depot));
}

static void consume(Table *table, int month)
{
    int size = table->goods * table->depots;
    for (int at = month % 3; at < size; at += 3) {
        int32_t left = table->amounts[at] - month % 5;
        table->amounts[at] = left > 0 ? left : 0;
    }
}

static uint64_t seal(const Balance *balances, int count)
{
    uint64_t mark = 1469598103934665603ull;
    for (int n = 0; n < count; n++) {
        mark = (mark ^ (uint64_t)balances[n].total) * 1099511628211ull;
        mark = (mark ^ (uint64_t)(balances[n].most + balances[n].most_good)) * 1099511628211ull;
        mark = (mark ^ (uint64_t)balances[n].empty) * 1099511628211ull;
    }
    return mark;
}

int main(int argc, char **argv)
{
    int months = argc > 1 ? atoi(argv[1]) : 2;
    Table table;
    if (table_open(&table, 6000, 4096) < 0)
        return 1;
    for (int good = 0; good < table.goods; good++)
        deliver(&table, good);

    Balance *balances = calloc((size_t)table.depots, sizeof *balances);
    uint64_t mark = 0;
    for (int month = 0; month < months; month++) {
        memset(balances, 0, (size_t)table.depots * sizeof *balances);
        close_month(&table, balances);
        mark = mark * 31 + seal(balances, table.depots);
        consume(&table, month);
    }
    printf("months %d depots %d mark %016llx\n", months, table.depots, (unsigned long long)mark);
    free(balances);
    free(table.amounts);
    return 0;
}
