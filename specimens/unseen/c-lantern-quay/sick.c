/* Lantern quay: pilots ask the quay master for berths over a small binary protocol and light the lanterns there. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define BERTHS 512
#define MANIFEST 120

enum kind { PING = 1, BERTH = 2, CLOSE = 3 };

struct header {
    uint16_t kind;
    uint16_t length;
    uint32_t serial;
};

struct manifest {
    uint32_t draught;
    uint32_t beam;
    uint8_t cargo[MANIFEST];
};

struct answer {
    uint32_t serial;
    uint32_t value;
};

struct quay {
    uint32_t depth[BERTHS];
    uint32_t taken[BERTHS];
    uint32_t pings;
};

struct pilot {
    int line;
    uint32_t serial;
    uint32_t lanterns[BERTHS];
};

static int read_whole(int line, void *into, size_t length)
{
    char *place = into;
    while (length > 0) {
        ssize_t got = read(line, place, length);
        if (got <= 0)
            return -1;
        place += got;
        length -= (size_t)got;
    }
    return 0;
}

static int write_whole(int line, const void *from, size_t length)
{
    const char *place = from;
    while (length > 0) {
        ssize_t put = write(line, place, length);
        if (put <= 0)
            return -1;
        place += put;
        length -= (size_t)put;
    }
    return 0;
}

/* The shallowest free berth that is deep enough, weighed by what the ship carries. */
static uint32_t assign(struct quay *quay, const struct manifest *manifest)
{
    uint32_t weight = manifest->draught, best = 0, best_cost = UINT32_MAX;
    for (int place = 0; place < MANIFEST; place++)
        weight = weight * 31 + manifest->cargo[place];
    for (uint32_t berth = 0; berth < BERTHS; berth++) {
        uint32_t cost = (quay->depth[berth] ^ weight) % 1009 + quay->taken[berth] * 64 + manifest->beam % 7;
        if (quay->depth[berth] >= manifest->draught && cost < best_cost) {
            best = berth;
            best_cost = cost;
        }
    }
    quay->taken[best]++;
    return best;
}

static void *keep_quay(void *given)
{
    int door = *(int *)given;
    struct quay *quay = calloc(1, sizeof *quay);
    int line = accept(door, NULL, NULL);
    if (!quay || line < 0)
        return NULL;
    for (uint32_t berth = 0; berth < BERTHS; berth++)
        quay->depth[berth] = 4 + berth * 73 % 19;
    struct header header;
    struct manifest manifest;
    while (read_whole(line, &header, sizeof header) == 0 && header.kind != CLOSE) {
        struct answer answer = {header.serial, 0};
        if (header.kind == BERTH) {
            if (header.length != sizeof manifest || read_whole(line, &manifest, sizeof manifest) != 0)
                break;
            answer.value = assign(quay, &manifest);
        } else {
            answer.value = ++quay->pings;
        }
        if (write_whole(line, &answer, sizeof answer) != 0)
            break;
    }
    close(line);
    free(quay);
    return NULL;
}

static int transmit(struct pilot *pilot, enum kind kind, const void *body, uint16_t length)
{
    struct header header = {(uint16_t)kind, length, ++pilot->serial};
    if (write_whole(pilot->line, &header, sizeof header) != 0)
        return -1;
    return length > 0 ? write_whole(pilot->line, body, length) : 0;
}

static int hear(struct pilot *pilot, uint32_t *value)
{
    struct answer answer;
    if (read_whole(pilot->line, &answer, sizeof answer) != 0 || answer.serial != pilot->serial)
        return -1;
    *value = answer.value;
    return 0;
}

static int call_out(struct pilot *pilot)
{
    uint32_t value;
    return transmit(pilot, PING, NULL, 0) == 0 ? hear(pilot, &value) : -1;
}

static int moor(struct pilot *pilot, uint32_t ship, uint32_t *berth)
{
    struct manifest manifest = {4 + ship % 17, 6 + ship % 11, {0}};
    for (uint32_t place = 0; place < MANIFEST; place++)
        manifest.cargo[place] = (uint8_t)(ship * 7 + place * place);
    if (transmit(pilot, BERTH, &manifest, sizeof manifest) != 0)
        return -1;
    return hear(pilot, berth);
}

/* How far the lanterns of all moored ships can be seen together. */
static uint64_t glow(const struct pilot *pilot)
{
    uint64_t sum = 0;
    for (uint64_t round = 0; round < 3000; round++)
        for (uint64_t berth = 0; berth < BERTHS; berth++)
            sum += pilot->lanterns[berth] * ((berth ^ round) % 61);
    return sum;
}

static int work(struct pilot *pilot, uint32_t ships, uint64_t *light)
{
    for (uint32_t ship = 0; ship < ships; ship++) {
        uint32_t berth;
        for (int ping = 0; ping < 90; ping++)
            if (call_out(pilot) != 0)
                return -1;
        if (moor(pilot, ship, &berth) != 0)
            return -1;
        pilot->lanterns[berth % BERTHS]++;
        *light += glow(pilot);
    }
    return transmit(pilot, CLOSE, NULL, 0);
}

int main(int argc, char **argv)
{
    uint32_t ships = argc > 1 ? (uint32_t)atoi(argv[1]) : 5;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int door = socket(AF_INET, SOCK_STREAM, 0);
    if (door < 0 || bind(door, (struct sockaddr *)&address, size) != 0 || listen(door, 4) != 0 ||
        getsockname(door, (struct sockaddr *)&address, &size) != 0)
        return 1;
    pthread_t keeper;
    if (pthread_create(&keeper, NULL, keep_quay, &door) != 0)
        return 1;
    struct pilot *pilot = calloc(1, sizeof *pilot);
    if (!pilot || (pilot->line = socket(AF_INET, SOCK_STREAM, 0)) < 0 ||
        connect(pilot->line, (struct sockaddr *)&address, size) != 0)
        return 1;
    uint64_t light = 0;
    if (work(pilot, ships, &light) != 0)
        return 1;
    pthread_join(keeper, NULL);
    uint32_t used = 0;
    for (int berth = 0; berth < BERTHS; berth++)
        used += pilot->lanterns[berth] > 0;
    printf("%u ships at %u berths, %u messages, light %llu\n", ships, used, pilot->serial, (unsigned long long)light);
    close(pilot->line);
    close(door);
    free(pilot);
    return 0;
}
