/* Backup dry run: files are cut at content-defined borders and the pieces counted that are new. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORKERS = 2, FILE_SIZE = 1 << 20, MIN_PIECE = 2048, MAX_PIECE = 65536, SLOTS = 1 << 17 };

static uint64_t gear[256];

typedef struct {
    uint64_t *digests;
    int used, room;
    uint64_t bytes;
} Found;

typedef struct {
    atomic_int next;
    int files;
} Plan;

typedef struct {
    Plan *plan;
    unsigned char *content;
    Found found;
} Worker;

static uint64_t mix(uint64_t x)
{
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9ull;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

static void read_file(unsigned char *content, int number)
{
    /* every third file shares its second half with the one before it in the series */
    for (int at = 0; at < FILE_SIZE; at += 8) {
        int owner = at >= FILE_SIZE / 2 ? number / 3 * 3 : number;
        uint64_t word = mix((uint64_t)owner << 32 | (uint64_t)at);
        memcpy(content + at, &word, 8);
    }
}

static int border(const unsigned char *data, int left)
{
    if (left <= MIN_PIECE)
        return left;
    int end = left < MAX_PIECE ? left : MAX_PIECE;
    uint64_t window = 0;
    for (int at = MIN_PIECE; at < end; at++) {
        window = (window << 1) + gear[data[at]];
        if (!(window >> 51))
            return at + 1;
    }
    return end;
}

static uint64_t digest(const unsigned char *data, int length)
{
    uint64_t lanes[4] = { 1, 2, 3, 4 };
    int at = 0;
    for (; at + 32 <= length; at += 32) {
        for (int lane = 0; lane < 4; lane++) {
            uint64_t word;
            memcpy(&word, data + at + lane * 8, 8);
            lanes[lane] = (lanes[lane] ^ word) * 0x9e3779b97f4a7c15ull;
            lanes[lane] ^= lanes[lane] >> 29;
        }
    }
    uint64_t sum = (uint64_t)length;
    for (int lane = 0; lane < 4; lane++)
        sum = mix(sum ^ lanes[lane]);
    for (; at < length; at++)
        sum = (sum ^ data[at]) * 1099511628211ull;
    return mix(sum) | 1;
}

static void keep(Found *found, uint64_t sum, int length)
{
    if (found->used == found->room) {
        found->room = found->room ? found->room * 2 : 1024;
        found->digests = realloc(found->digests, sizeof *found->digests * (size_t)found->room);
        if (!found->digests)
            abort();
    }
    found->digests[found->used++] = sum;
    found->bytes += (uint64_t)length;
}

static void *scan_files(void *argument)
{
    Worker *self = argument;
    for (;;) {
        int number = atomic_fetch_add(&self->plan->next, 1);
        if (number >= self->plan->files)
            return NULL;
        read_file(self->content, number);
        for (int at = 0; at < FILE_SIZE;) {
            int length = border(self->content + at, FILE_SIZE - at);
            keep(&self->found, digest(self->content + at, length), length);
            at += length;
        }
    }
}

static int enter(uint64_t *table, uint64_t sum)
{
    for (uint64_t slot = sum >> 40;; slot++) {
        uint64_t *place = &table[slot & (SLOTS - 1)];
        if (*place == sum)
            return 0;
        if (*place == 0) {
            *place = sum;
            return 1;
        }
    }
}

int main(int argc, char **argv)
{
    Plan plan = { .files = argc > 1 ? atoi(argv[1]) : 100 };
    Worker workers[WORKERS];
    pthread_t threads[WORKERS];
    uint64_t *table = calloc(SLOTS, sizeof *table);
    for (int at = 0; at < 256; at++)
        gear[at] = mix((uint64_t)at + 77);
    for (int at = 0; at < WORKERS; at++) {
        workers[at] = (Worker){ .plan = &plan, .content = malloc(FILE_SIZE) };
        if (!table || !workers[at].content)
            abort();
        pthread_create(&threads[at], NULL, scan_files, &workers[at]);
    }
    uint64_t bytes = 0, seal = 0;
    int pieces = 0, fresh = 0;
    for (int at = 0; at < WORKERS; at++) {
        pthread_join(threads[at], NULL);
        Found *found = &workers[at].found;
        for (int piece = 0; piece < found->used; piece++) {
            seal += found->digests[piece];
            fresh += enter(table, found->digests[piece]);
        }
        pieces += found->used;
        bytes += found->bytes;
        free(found->digests);
        free(workers[at].content);
    }
    free(table);
    printf("files=%d pieces=%d fresh=%d bytes=%llu seal=%016llx\n", plan.files, pieces, fresh,
           (unsigned long long)bytes, (unsigned long long)seal);
    return 0;
}
