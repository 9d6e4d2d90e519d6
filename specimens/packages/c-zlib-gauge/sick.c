/* Looks for the last flood in the packed archive of a river gauge, from the newest day back. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>

enum { SAMPLES = 24 * 60 };

struct day {
    int number;
    short level[SAMPLES];
};

static int archive(const char *path, int days)
{
    gzFile out = gzopen(path, "wb1");
    if (!out) {
        return -1;
    }
    unsigned noise = 1;
    for (int number = 0; number < days; number++) {
        struct day day = {.number = number};
        for (int at = 0; at < SAMPLES; at++) {
            noise = noise * 1103515245u + 12345u;
            day.level[at] = (short)((number == days / 50 ? 420 : 200) + number % 90 + (noise >> 29));
        }
        gzwrite(out, &day, sizeof day);
    }
    return gzclose(out);
}

static int highest(const struct day *day)
{
    int highest = 0;
    for (int at = 0; at < SAMPLES; at++) {
        highest = day->level[at] > highest ? day->level[at] : highest;
    }
    return highest;
}

static int last_above(const char *path, int days, int mark)
{
    gzFile in = gzopen(path, "rb");
    struct day day;
    int found = -1;
    for (int number = days - 1; number >= 0 && found < 0; number--) {
        gzseek(in, (z_off_t)number * (z_off_t)sizeof day, SEEK_SET);
        if (gzread(in, &day, sizeof day) == (int)sizeof day && highest(&day) > mark) {
            found = day.number;
        }
    }
    gzclose(in);
    return found;
}

int main(int count, char **words)
{
    int days = count > 1 ? atoi(words[1]) : 100;
    char path[] = "/tmp/gauge-XXXXXX";
    close(mkstemp(path));
    if (archive(path, days) == Z_OK) {
        printf("%d\n", last_above(path, days, 400));
    }
    unlink(path);
    return 0;
}
