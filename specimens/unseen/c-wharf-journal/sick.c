/* Takes the day's movements of a wharf into a journal file and a stock table. */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BERTHS 64
#define GROUP 128

struct movement {
    uint32_t number;
    uint16_t berth;
    int16_t crates;
    uint32_t mark;
};

struct journal {
    int fd;
    size_t used;
    size_t entered;
    char page[GROUP * 64];
};

static uint32_t state = 2463534242u;

static uint32_t draw(void)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

/* A mark over the fields, as the harbour office wants it. */
static uint32_t mark_of(const struct movement *m)
{
    uint32_t mark = 2166136261u;
    const uint32_t words[3] = { m->number, m->berth, (uint32_t)(int32_t)m->crates };
    for (int i = 0; i < 3; i++) {
        for (int shift = 0; shift < 32; shift += 8) {
            mark = (mark ^ (words[i] >> shift & 0xff)) * 16777619u;
        }
    }
    return mark;
}

static struct movement arrive(uint32_t number)
{
    struct movement m = { .number = number, .berth = (uint16_t)(draw() % BERTHS) };
    m.crates = (int16_t)(draw() % 41) - 15;
    m.mark = mark_of(&m);
    return m;
}

static int put(int fd, const char *text, size_t length)
{
    while (length > 0) {
        ssize_t done = write(fd, text, length);
        if (done < 0) {
            if (errno == EINTR) {
                continue;
            }
            return -1;
        }
        text += done;
        length -= (size_t)done;
    }
    return 0;
}

/* What was entered so far is on the disk after this. */
static int settle(struct journal *j)
{
    if (put(j->fd, j->page, j->used) != 0) {
        return -1;
    }
    j->used = 0;
    return fdatasync(j->fd);
}

static int enter(struct journal *j, const struct movement *m)
{
    int length = snprintf(j->page + j->used, 64, "%08u %02u %+04d %08x\n", m->number, m->berth, m->crates, m->mark);
    j->used += (size_t)length;
    j->entered++;
    return settle(j);
}

/* Reads the journal again and sums it up. */
static int audit(const char *path, long stock[BERTHS], size_t *lines)
{
    FILE *in = fopen(path, "r");
    if (in == NULL) {
        return -1;
    }
    char line[96];
    while (fgets(line, sizeof line, in) != NULL) {
        unsigned number, berth, mark;
        int crates;
        if (sscanf(line, "%u %u %d %x", &number, &berth, &crates, &mark) == 4) {
            stock[berth] += crates;
            (*lines)++;
        }
    }
    return fclose(in);
}

static int day(const char *path, uint32_t count)
{
    static struct journal j;
    j.fd = open(path, O_CREAT | O_WRONLY | O_APPEND, 0600);
    if (j.fd < 0) {
        return -1;
    }
    long stock[BERTHS] = { 0 }, again[BERTHS] = { 0 };
    for (uint32_t n = 0; n < count; n++) {
        struct movement m = arrive(n);
        stock[m.berth] += m.crates;
        if (enter(&j, &m) != 0) {
            return -1;
        }
    }
    if (settle(&j) != 0 || close(j.fd) != 0) {
        return -1;
    }
    size_t lines = 0;
    if (audit(path, again, &lines) != 0) {
        return -1;
    }
    long total = 0;
    for (int b = 0; b < BERTHS; b++) {
        total += stock[b];
    }
    printf("%zu lines, %ld crates, books %s\n", lines, total, memcmp(stock, again, sizeof stock) == 0 ? "agree" : "differ");
    return 0;
}

int main(int argc, char **argv)
{
    uint32_t count = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 100;
    const char *tmp = getenv("TMPDIR");
    char folder[256], path[300];
    snprintf(folder, sizeof folder, "%s/wharf-XXXXXX", tmp != NULL ? tmp : "/tmp");
    if (mkdtemp(folder) == NULL) {
        return 1;
    }
    snprintf(path, sizeof path, "%s/journal.txt", folder);
    int result = day(path, count);
    unlink(path);
    rmdir(folder);
    return result == 0 ? 0 : 1;
}
