/* Alarm router: takes the event stream of a plant, decides who gets each alarm, and counts. While a file named
   "silence" or "silence.<area>" lies in the control folder, alarms of the lower levels are held back. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define AREAS 6
#define DESKS 64

static const char *const area_names[AREAS] = {"boiler", "turbine", "intake", "filter", "switch", "cooling"};

struct event {
    uint32_t number;
    int area;
    int level; /* 0 note … 4 emergency */
    char sensor[16];
    int value;
};

struct router {
    char control[256];
    int silent[AREAS];
    unsigned turns[AREAS];
    unsigned long sent[DESKS];
    unsigned long held;
    uint64_t digest;
};

static uint32_t draw(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

static int next_line(uint32_t *state, uint32_t number, char *line, size_t size)
{
    uint32_t r = draw(state);
    return snprintf(line, size, "%u;%s;%u;S%04u;%d", number, area_names[r % AREAS], (r >> 8) % 5, (r >> 11) % 3000,
                    (int)((r >> 20) % 4000) - 500);
}

static int area_of(const char *name, size_t length)
{
    for (int i = 0; i < AREAS; i++)
        if (strlen(area_names[i]) == length && memcmp(area_names[i], name, length) == 0)
            return i;
    return -1;
}

static int parse(const char *line, struct event *e)
{
    char *end;
    e->number = (uint32_t)strtoul(line, &end, 10);
    if (*end != ';')
        return -1;
    const char *area = end + 1;
    const char *stop = strchr(area, ';');
    if (!stop || (e->area = area_of(area, (size_t)(stop - area))) < 0)
        return -1;
    e->level = (int)strtol(stop + 1, &end, 10);
    const char *sensor = end + 1;
    stop = strchr(sensor, ';');
    if (!stop || stop - sensor >= (long)sizeof e->sensor)
        return -1;
    memcpy(e->sensor, sensor, (size_t)(stop - sensor));
    e->sensor[stop - sensor] = 0;
    e->value = (int)strtol(stop + 1, NULL, 10);
    return 0;
}

static int present(const struct router *r, const char *suffix)
{
    char path[320];
    struct stat st;
    snprintf(path, sizeof path, "%s/silence%s%s", r->control, *suffix ? "." : "", suffix);
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static void look(struct router *r, int area)
{
    r->silent[area] = present(r, "") || present(r, area_names[area]);
}

static unsigned desk_for(const struct event *e)
{
    uint32_t h = 2166136261U;
    for (const char *c = e->sensor; *c; c++)
        h = (h ^ (unsigned char)*c) * 16777619U;
    h ^= (uint32_t)e->level * 0x9e3779b1U;
    return (h >> 7) % DESKS;
}

static void route(struct router *r, const struct event *e)
{
    if (r->turns[e->area]++ % 512 == 0)
        look(r, e->area);
    if (r->silent[e->area] && e->level < 3) {
        r->held++;
        return;
    }
    unsigned desk = desk_for(e);
    r->sent[desk]++;
    r->digest = (r->digest ^ (e->number + desk + (uint64_t)e->value)) * 1099511628211ULL;
}

static int touch(const struct router *r, const char *name)
{
    char path[320];
    snprintf(path, sizeof path, "%s/%s", r->control, name);
    FILE *f = fopen(path, "w");
    return f ? fclose(f) : -1;
}

static void drop(const struct router *r, const char *name)
{
    char path[320];
    snprintf(path, sizeof path, "%s/%s", r->control, name);
    unlink(path);
}

int main(int argc, char **argv)
{
    uint32_t count = argc > 1 ? (uint32_t)atoi(argv[1]) : 700000;
    static struct router r;
    const char *tmp = getenv("TMPDIR");
    snprintf(r.control, sizeof r.control, "%s/control-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (!mkdtemp(r.control) || touch(&r, "silence.filter") != 0) {
        fprintf(stderr, "control: %s\n", strerror(errno));
        return 1;
    }
    r.digest = 1469598103934665603ULL;
    uint32_t state = 2463534242U;
    unsigned long bad = 0;
    char line[96];
    struct event e;
    for (uint32_t n = 0; n < count; n++) {
        next_line(&state, n, line, sizeof line);
        if (parse(line, &e) != 0)
            bad++;
        else
            route(&r, &e);
    }
    drop(&r, "silence.filter");
    rmdir(r.control);
    unsigned long sent = 0, most = 0;
    for (int i = 0; i < DESKS; i++) {
        sent += r.sent[i];
        if (r.sent[i] > most)
            most = r.sent[i];
    }
    printf("events %u sent %lu held %lu bad %lu most %lu digest %016llx\n", count, sent, r.held, bad, most,
           (unsigned long long)r.digest);
    return 0;
}
