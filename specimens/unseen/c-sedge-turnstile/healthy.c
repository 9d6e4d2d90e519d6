/* Turns a turnstile's binary log into a text report with local times, one line for each passage. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct passage {
    int64_t moment;
    uint32_t card;
    uint16_t gate;
    uint16_t flags;
};

struct report {
    char *text;
    size_t used;
    size_t room;
    unsigned long lines;
    unsigned refused;
    unsigned hours[24];
};

static uint64_t dice = 88172645463325252ull;

static uint32_t roll(void)
{
    dice ^= dice << 13;
    dice ^= dice >> 7;
    dice ^= dice << 17;
    return (uint32_t)(dice >> 16);
}

static struct passage *take_log(size_t count)
{
    struct passage *log = malloc(count * sizeof *log);
    int64_t moment = 1672531200;
    if (!log)
        exit(1);
    for (size_t i = 0; i < count; i++) {
        moment += roll() % 40;
        log[i].moment = moment;
        log[i].card = 100000 + roll() % 5000;
        log[i].gate = (uint16_t)(roll() % 12);
        log[i].flags = (uint16_t)(roll() % 16);
    }
    return log;
}

static void append(struct report *report, const char *line, size_t length)
{
    if (report->used + length + 1 > report->room) {
        report->room = (report->used + length + 1) * 2;
        report->text = realloc(report->text, report->room);
        if (!report->text)
            exit(1);
    }
    memcpy(report->text + report->used, line, length);
    report->used += length;
    report->text[report->used] = 0;
}

static const char *name_of(uint16_t gate)
{
    static const char *const names[] = {"north", "south", "river", "depot", "yard", "hall"};
    return names[gate % 6];
}

static int check_digit(uint32_t card)
{
    int sum = 0;
    for (int place = 0; card; card /= 10, place++) {
        int digit = (int)(card % 10) * (place % 2 ? 1 : 2);
        sum += digit > 9 ? digit - 9 : digit;
    }
    return (10 - sum % 10) % 10;
}

static size_t stamp(char *out, size_t room, int64_t moment, int *hour)
{
    time_t seconds = (time_t)moment;
    struct tm local;
    localtime_r(&seconds, &local);
    *hour = local.tm_hour;
    return strftime(out, room, "%Y-%m-%d %H:%M:%S", &local);
}

static void write_line(struct report *report, const struct passage *passage)
{
    char line[128];
    int hour;
    size_t length = stamp(line, sizeof line, passage->moment, &hour);
    report->hours[hour]++;
    if (passage->flags == 3)
        report->refused++;
    length += (size_t)snprintf(line + length, sizeof line - length, " %u-%d %s%s\n", passage->card,
                               check_digit(passage->card), name_of(passage->gate), passage->flags == 3 ? " refused" : "");
    append(report, line, length);
    report->lines++;
}

static uint32_t fold(const char *text, size_t length)
{
    uint32_t sum = 2166136261u;
    for (size_t i = 0; i < length; i++)
        sum = (sum ^ (unsigned char)text[i]) * 16777619u;
    return sum;
}

int main(int argc, char **argv)
{
    size_t count = argc > 1 ? strtoul(argv[1], NULL, 10) : 1000;
    struct passage *log = take_log(count);
    struct report report = {0};
    unsigned busiest = 0;
    tzset();
    for (size_t i = 0; i < count; i++)
        write_line(&report, &log[i]);
    for (unsigned hour = 1; hour < 24; hour++)
        if (report.hours[hour] > report.hours[busiest])
            busiest = hour;
    printf("%lu lines, %u refused, busiest hour %u, %08x\n", report.lines, report.refused, busiest, fold(report.text, report.used));
    free(report.text);
    free(log);
    return 0;
}
