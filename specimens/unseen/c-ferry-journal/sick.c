// Writes the journal of a ferry: one line for each passenger, with the time of day at which the gate turned.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct gate {
    time_t at;
    unsigned person;
    unsigned short fare;
    unsigned char sort;
};

struct journal {
    FILE *file;
    uint64_t sum;
    unsigned long lines;
    unsigned hours[24];
    time_t minute;
    char stamp[24];
    int hour;
};

static uint32_t state = 2463534242u;

static uint32_t chance(void)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

static void next_person(struct gate *gate)
{
    static const unsigned short fares[] = {240, 120, 310, 75};
    if (chance() % 3 == 0)
        gate->at += 1 + chance() % 4;
    gate->person = chance() % 90000;
    gate->sort = chance() % 4;
    gate->fare = fares[gate->sort];
}

static const char *time_of(struct journal *journal, time_t at)
{
    struct tm *parts = localtime(&at);
    strftime(journal->stamp, sizeof journal->stamp, "%Y-%m-%d %H:%M", parts);
    journal->hour = parts->tm_hour;
    return journal->stamp;
}

static void add_to_sum(struct journal *journal, const char *text, size_t length)
{
    uint64_t h = journal->sum;
    for (size_t i = 0; i < length; i++)
        h = (h ^ (unsigned char)text[i]) * 1099511628211ull;
    journal->sum = h;
}

static void write_line(struct journal *journal, const struct gate *gate)
{
    static const char *const sorts[] = {"adult", "child", "cycle", "dog"};
    char line[96];
    const char *stamp = time_of(journal, gate->at);
    int length = snprintf(line, sizeof line, "%s %05u %s %u\n", stamp, gate->person, sorts[gate->sort], gate->fare);
    fwrite(line, 1, (size_t)length, journal->file);
    add_to_sum(journal, line, (size_t)length);
    journal->hours[journal->hour]++;
    journal->lines++;
}

int main(int argc, char **argv)
{
    unsigned long people = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
    struct journal journal = {.sum = 14695981039346656037ull, .minute = -1};
    char path[] = "/tmp/ferryXXXXXX";
    unsetenv("TZ"); // the journal keeps the time of the town, not that of the caller
    int handle = mkstemp(path);
    if (handle < 0)
        return 1;
    journal.file = fdopen(handle, "w");
    static char buffer[1 << 18];
    setvbuf(journal.file, buffer, _IOFBF, sizeof buffer);
    struct gate gate = {.at = 1718000000};
    for (unsigned long person = 0; person < people; person++) {
        next_person(&gate);
        write_line(&journal, &gate);
    }
    fclose(journal.file);
    unlink(path);
    unsigned best = 0;
    for (unsigned hour = 1; hour < 24; hour++)
        if (journal.hours[hour] > journal.hours[best])
            best = hour;
    printf("lines %lu busiest %u sum %016llx\n", journal.lines, best, (unsigned long long)journal.sum);
    return 0;
}
