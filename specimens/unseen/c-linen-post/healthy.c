// Sends bales of linen records through a child that weighs them, in large pieces, and checks its answers.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BALE = 4096 };

struct record {
    uint32_t number;
    uint32_t threads;
    uint32_t length;
    uint32_t dye;
};

struct slip {
    uint64_t weight;
    uint32_t first;
    uint32_t count;
};

static int send_all(int line, const void *data, size_t length)
{
    for (const char *at = data; length;) {
        ssize_t sent = write(line, at, length);
        if (sent <= 0)
            return -1;
        at += sent;
        length -= (size_t)sent;
    }
    return 0;
}

static int take_all(int line, void *data, size_t length)
{
    for (char *at = data; length;) {
        ssize_t got = read(line, at, length);
        if (got <= 0)
            return -1;
        at += got;
        length -= (size_t)got;
    }
    return 0;
}

static uint64_t weigh(const struct record *record)
{
    uint64_t weight = record->threads;
    for (uint32_t ell = 0; ell < record->length % 64 + 60; ell++)
        weight = weight * 6364136223846793005ull + record->dye + (weight >> 29);
    return weight % 10007;
}

// The scales: takes a bale, weighs each piece and gives back one slip.
static void scales(int line)
{
    static struct record bale[BALE];
    while (take_all(line, bale, sizeof bale) == 0) {
        struct slip slip = {0, bale[0].number, BALE};
        for (size_t at = 0; at < BALE; at++)
            slip.weight += weigh(&bale[at]);
        if (send_all(line, &slip, sizeof slip))
            break;
    }
}

static void pack(struct record *bale, uint32_t first, uint32_t *state)
{
    for (uint32_t at = 0; at < BALE; at++) {
        *state = *state * 1664525u + 1013904223u;
        bale[at] = (struct record){first + at, 40 + (*state >> 20), *state >> 12, *state % 17};
    }
}

// What the merchant asks for a bale; he reckons while the scales are busy.
static uint64_t price(const struct record *bale)
{
    uint64_t sum = 0;
    for (size_t at = 0; at < BALE; at++) {
        uint64_t value = bale[at].dye + 3;
        for (uint32_t day = 0; day < bale[at].threads % 64 + 60; day++)
            value = value * 2862933555777941757ull + bale[at].length + (value >> 31);
        sum += value % 997;
    }
    return sum;
}

int main(int argc, char **argv)
{
    uint32_t bales = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 8;
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
        return 1;
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        scales(ends[1]);
        _exit(0);
    }
    close(ends[1]);
    static struct record bale[BALE];
    uint32_t state = 1733;
    uint64_t weight = 0, prices = 0;
    struct slip slip = {0};
    for (uint32_t number = 0; number <= bales; number++) {
        if (number < bales) {
            pack(bale, number * BALE, &state);
            if (send_all(ends[0], bale, sizeof bale))
                return 1;
            prices += price(bale);
        }
        if (number > 0) {
            if (take_all(ends[0], &slip, sizeof slip))
                return 1;
            weight += slip.weight;
        }
    }
    close(ends[0]);
    waitpid(child, NULL, 0);
    printf("bales %u weight %llu prices %llu last %u\n", bales, (unsigned long long)weight,
           (unsigned long long)prices, slip.first);
    return 0;
}
