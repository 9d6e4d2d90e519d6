// Bills the month's saddlery orders: reads the order file, prices each order and keeps a trail of what was decided.
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { GOODS = 24, CUSTOMERS = 400 };

struct order {
    unsigned number;
    unsigned customer;
    unsigned article;
    unsigned count;
};

struct office {
    FILE *trail;
    unsigned long notes;
    uint64_t owed[CUSTOMERS];
    unsigned prices[GOODS];
};

static const char *folder(void)
{
    const char *name = getenv("TMPDIR");
    return name ? name : "/tmp";
}

static int write_orders(const char *path, unsigned count)
{
    FILE *out = fopen(path, "w");
    if (!out)
        return -1;
    uint32_t state = 99;
    for (unsigned number = 0; number < count; number++) {
        state = state * 1664525u + 1013904223u;
        fprintf(out, "%u;%u;%u;%u\n", number, (state >> 8) % CUSTOMERS, (state >> 17) % GOODS, 1 + (state >> 27));
    }
    return fclose(out);
}

static void note(struct office *office, const char *format, ...)
{
    va_list rest;
    va_start(rest, format);
    fprintf(office->trail, "[%08lu] ", office->notes++);
    vfprintf(office->trail, format, rest);
    fputc('\n', office->trail);
    va_end(rest);
}

static unsigned rebate(const struct order *order)
{
    unsigned rate = order->count > 24 ? 12 : order->count > 12 ? 5 : 0;
    if (order->customer % 9 == 0)
        rate += 2;
    return rate;
}

static uint32_t reference(const struct order *order)
{
    uint32_t sum = 2166136261u;
    for (unsigned round = 0; round < 60; round++)
        sum = (sum ^ (order->number + round * order->article)) * 16777619u;
    return sum;
}

static uint32_t bill(struct office *office, const struct order *order)
{
    unsigned rate = rebate(order);
    uint64_t price = (uint64_t)office->prices[order->article] * order->count * (100 - rate) / 100;
    uint32_t code = reference(order);
    note(office, "order %u article %u x%u", order->number, order->article, order->count);
    if (rate)
        note(office, "order %u rebate %u%%", order->number, rate);
    office->owed[order->customer] += price;
    note(office, "customer %u billed %llu ref %08x", order->customer, (unsigned long long)price, code);
    return code;
}

static long bill_all(struct office *office, const char *path, uint32_t *codes)
{
    FILE *in = fopen(path, "r");
    if (!in)
        return -1;
    char line[128];
    long done = 0;
    while (fgets(line, sizeof line, in)) {
        struct order order;
        if (sscanf(line, "%u;%u;%u;%u", &order.number, &order.customer, &order.article, &order.count) != 4)
            continue;
        *codes ^= bill(office, &order);
        done++;
    }
    fclose(in);
    return done;
}

int main(int argc, char **argv)
{
    unsigned count = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 1000;
    char orders[512], trail[512];
    snprintf(orders, sizeof orders, "%s/orders.%d.csv", folder(), (int)getpid());
    snprintf(trail, sizeof trail, "%s/trail.%d.log", folder(), (int)getpid());
    static struct office office;
    for (unsigned article = 0; article < GOODS; article++)
        office.prices[article] = 350 + article * article * 7;
    if (write_orders(orders, count))
        return 1;
    office.trail = fopen(trail, "w");
    if (!office.trail)
        return 1;
    uint32_t codes = 0;
    long done = bill_all(&office, orders, &codes);
    fclose(office.trail);
    unlink(orders);
    unlink(trail);
    uint64_t total = 0;
    for (unsigned customer = 0; customer < CUSTOMERS; customer++)
        total += office.owed[customer];
    printf("orders %ld notes %lu total %llu codes %08x\n", done, office.notes, (unsigned long long)total, codes);
    return 0;
}
