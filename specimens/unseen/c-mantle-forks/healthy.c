/* Accounts packets to flows and prints who talked most. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_SLOTS 1024
#define TOP 5

struct packet {
    uint32_t source, target;
    uint16_t source_port, target_port;
    uint8_t protocol;
    uint16_t length;
    uint8_t header[20];
};

struct flow {
    uint32_t source, target;
    uint16_t source_port, target_port;
    uint8_t protocol;
    uint64_t packets, bytes;
    struct flow *next;
};

struct flow_table {
    struct flow **slots;
    size_t slot_count, flow_count;
};

struct capture {
    uint64_t state;
    uint32_t hosts;
};

static uint64_t draw(struct capture *capture) {
    uint64_t x = capture->state;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    return capture->state = x;
}

static void next_packet(struct capture *capture, struct packet *packet) {
    uint32_t host = (uint32_t)(draw(capture) % capture->hosts);
    uint64_t bits = draw(capture);
    packet->source = 0x0a000000u + host;
    packet->target = 0xc0a80000u + (host * 7u) % 4093u;
    packet->source_port = (uint16_t)(1024 + host % 60000u);
    packet->target_port = host % 3 ? 443 : 53;
    packet->protocol = host % 3 ? 6 : 17;
    packet->length = (uint16_t)(64 + bits % 1400);
    for (int i = 0; i < 20; i++)
        packet->header[i] = (uint8_t)(bits >> (i % 8 * 8));
}

static uint16_t header_sum(const struct packet *packet) {
    uint32_t sum = 0;
    for (int i = 0; i < 20; i += 2)
        sum += (uint32_t)packet->header[i] << 8 | packet->header[i + 1];
    while (sum >> 16)
        sum = (sum & 0xffff) + (sum >> 16);
    return (uint16_t)~sum;
}

static uint32_t flow_hash(uint32_t source, uint32_t target, uint16_t source_port, uint16_t target_port) {
    uint64_t h = ((uint64_t)source << 32 | target) * 0x9e3779b97f4a7c15ull;
    h ^= ((uint64_t)source_port << 16 | target_port) * 0xc2b2ae3d27d4eb4full;
    return (uint32_t)(h ^ h >> 29);
}

static void table_open(struct flow_table *table) {
    table->slot_count = FIRST_SLOTS;
    table->flow_count = 0;
    table->slots = calloc(table->slot_count, sizeof *table->slots);
}

static void table_grow(struct flow_table *table) {
    size_t wider = table->slot_count * 4;
    struct flow **slots = calloc(wider, sizeof *slots);
    for (size_t i = 0; i < table->slot_count; i++)
        for (struct flow *flow = table->slots[i], *next; flow; flow = next) {
            uint32_t hash = flow_hash(flow->source, flow->target, flow->source_port, flow->target_port);
            next = flow->next;
            flow->next = slots[hash % wider];
            slots[hash % wider] = flow;
        }
    free(table->slots);
    table->slots = slots;
    table->slot_count = wider;
}

static int same_flow(const struct flow *flow, const struct packet *packet) {
    return flow->source == packet->source && flow->target == packet->target &&
           flow->source_port == packet->source_port && flow->target_port == packet->target_port &&
           flow->protocol == packet->protocol;
}

static struct flow *flow_for(struct flow_table *table, const struct packet *packet) {
    uint32_t hash = flow_hash(packet->source, packet->target, packet->source_port, packet->target_port);
    struct flow **slot = &table->slots[hash % table->slot_count];
    for (struct flow *flow = *slot; flow; flow = flow->next)
        if (same_flow(flow, packet))
            return flow;
    if (table->flow_count >= table->slot_count) {
        table_grow(table);
        slot = &table->slots[hash % table->slot_count];
    }
    struct flow *flow = calloc(1, sizeof *flow);
    flow->source = packet->source;
    flow->target = packet->target;
    flow->source_port = packet->source_port;
    flow->target_port = packet->target_port;
    flow->protocol = packet->protocol;
    flow->next = *slot;
    *slot = flow;
    table->flow_count++;
    return flow;
}

static uint32_t account(struct flow_table *table, struct capture *capture, long packets) {
    uint32_t digest = 2166136261u;
    struct packet packet;
    for (long i = 0; i < packets; i++) {
        next_packet(capture, &packet);
        digest = (digest ^ header_sum(&packet)) * 16777619u;
        struct flow *flow = flow_for(table, &packet);
        flow->packets++;
        flow->bytes += packet.length;
    }
    return digest;
}

static int by_bytes(const void *left, const void *right) {
    const struct flow *a = *(struct flow *const *)left, *b = *(struct flow *const *)right;
    if (a->bytes != b->bytes)
        return a->bytes < b->bytes ? 1 : -1;
    return a->source < b->source ? -1 : a->source > b->source;
}

static void report(const struct flow_table *table, uint32_t digest) {
    struct flow **all = malloc(table->flow_count * sizeof *all);
    size_t count = 0;
    for (size_t i = 0; i < table->slot_count; i++)
        for (struct flow *flow = table->slots[i]; flow; flow = flow->next)
            all[count++] = flow;
    qsort(all, count, sizeof *all, by_bytes);
    printf("flows %zu digest %08x top", count, digest);
    for (size_t i = 0; i < TOP && i < count; i++)
        printf(" %08x:%llu", all[i]->source, (unsigned long long)all[i]->bytes);
    printf("\n");
    for (size_t i = 0; i < count; i++)
        free(all[i]);
    free(all);
}

int main(int argc, char **argv) {
    long packets = argc > 1 ? atol(argv[1]) : 40000;
    struct capture capture = {88172645463325252ull, (uint32_t)(packets / 24 + 1)};
    struct flow_table table;
    table_open(&table);
    uint32_t digest = account(&table, &capture, packets);
    report(&table, digest);
    free(table.slots);
    return 0;
}
