/* Records the sensors of a glider to a file and reads the file back for the flight report. */
#include <fcntl.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct record {
    uint32_t tick;
    float height;
    float speed;
    float lift;
    uint32_t check;
};

struct recorder {
    int file;
    char path[512];
    unsigned written;
};

static uint32_t checksum(const void *data, size_t size)
{
    const unsigned char *at = data;
    uint32_t value = 0xFFFFFFFFu;
    while (size--) {
        value ^= *at++;
        for (int bit = 0; bit < 8; bit++)
            value = value >> 1 ^ (value & 1 ? 0xEDB88320u : 0);
    }
    return ~value;
}

static void open_recorder(struct recorder *recorder)
{
    const char *folder = getenv("TMPDIR");
    snprintf(recorder->path, sizeof recorder->path, "%s/flight-XXXXXX", folder ? folder : "/tmp");
    recorder->file = mkstemp(recorder->path);
    recorder->written = 0;
    if (recorder->file < 0) {
        perror("flight file");
        exit(1);
    }
}

static void append_record(struct recorder *recorder, struct record *record)
{
    record->check = checksum(record, offsetof(struct record, check));
    if (write(recorder->file, record, sizeof *record) != (ssize_t)sizeof *record) {
        perror("write");
        exit(1);
    }
    if (++recorder->written % 500 == 0)
        fdatasync(recorder->file);
}

static struct record sense(uint32_t tick, const struct record *last)
{
    struct record now = {tick, 0, 0, 0, 0};
    float thermal = 0;
    for (int k = 1; k < 40; k++)
        thermal += sinf(tick * 0.01f * k) / (float)k;
    now.lift = 1.5f * thermal - 0.8f;
    now.height = fmaxf(200.0f, last->height + now.lift * 0.1f);
    now.speed = 28.0f + 3.0f * cosf(tick * 0.02f);
    return now;
}

static void record_flight(struct recorder *recorder, uint32_t ticks)
{
    struct record last = {0, 900.0f, 28.0f, 0, 0};
    for (uint32_t tick = 0; tick < ticks; tick++) {
        struct record now = sense(tick, &last);
        append_record(recorder, &now);
        last = now;
    }
    fdatasync(recorder->file);
}

static void report(const struct recorder *recorder)
{
    FILE *in = fopen(recorder->path, "rb");
    struct record record;
    unsigned good = 0;
    float top = 0, way = 0;
    while (in && fread(&record, sizeof record, 1, in) == 1) {
        good += record.check == checksum(&record, offsetof(struct record, check));
        top = record.height > top ? record.height : top;
        way += record.speed * 0.1f;
    }
    if (in)
        fclose(in);
    printf("records %u top %.1f way %.1f\n", good, top, way);
}

int main(int argc, char **argv)
{
    struct recorder recorder;
    open_recorder(&recorder);
    record_flight(&recorder, argc > 1 ? (uint32_t)atoi(argv[1]) : 100);
    report(&recorder);
    close(recorder.file);
    unlink(recorder.path);
    return 0;
}
