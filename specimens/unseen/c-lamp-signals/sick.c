// Sends lamp signals from a hill to a keeper (a child process) and waits for each to be acknowledged.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

struct head {
    uint32_t number;
    uint32_t length;
};

struct hill {
    int line;
    uint32_t sent;
    uint64_t sum;
};

static void die(const char *what)
{
    perror(what);
    exit(1);
}

static int read_all(int from, void *into, size_t length)
{
    char *at = into;
    while (length > 0) {
        ssize_t got = read(from, at, length);
        if (got <= 0)
            return 0;
        at += got;
        length -= (size_t)got;
    }
    return 1;
}

static uint32_t mix(const unsigned char *text, size_t length)
{
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < length; i++)
        h = (h ^ text[i]) * 16777619u;
    return h;
}

// The keeper reads a head and its flashes, and answers with their sum.
static void keep(int listener)
{
    unsigned char flashes[512];
    struct head head;
    int line = accept(listener, NULL, NULL);
    if (line < 0)
        die("accept");
    while (read_all(line, &head, sizeof head)) {
        if (head.length > sizeof flashes || !read_all(line, flashes, head.length))
            break;
        uint32_t answer = mix(flashes, head.length) ^ head.number;
        if (write(line, &answer, sizeof answer) != sizeof answer)
            break;
    }
    close(line);
}

// Letters to flashes: a long one is 3, a short one 1, a gap 0.
static size_t encode(const char *text, unsigned char *flashes, size_t room)
{
    size_t used = 0;
    for (; *text != 0 && used + 6 < room; text++) {
        unsigned letter = (unsigned char)*text % 32;
        for (unsigned bit = 0; bit < 5; bit++)
            flashes[used++] = (letter >> bit) & 1 ? 3 : 1;
        flashes[used++] = 0;
    }
    return used;
}

static void send_signal(struct hill *hill, const unsigned char *flashes, size_t length)
{
    struct head head = {.number = hill->sent++, .length = (uint32_t)length};
    uint32_t answer;
    if (write(hill->line, &head, sizeof head) != sizeof head)
        die("head");
    if (write(hill->line, flashes, length) != (ssize_t)length)
        die("flashes");
    if (!read_all(hill->line, &answer, sizeof answer))
        die("answer");
    hill->sum = hill->sum * 31 + answer;
}

// How bright the lamp has to be in this weather: a little arithmetic for each signal.
static double brightness(unsigned signal)
{
    double light = 1.0;
    for (int step = 1; step < 2000; step++)
        light += ((signal * 37u + (unsigned)step * 11u) % 100) / (100.0 * step);
    return light;
}

int main(int argc, char **argv)
{
    unsigned signals = argc > 1 ? (unsigned)atoi(argv[1]) : 10;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in where = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof where;
    if (listener < 0 || bind(listener, (struct sockaddr *)&where, sizeof where) || listen(listener, 1))
        die("listen");
    getsockname(listener, (struct sockaddr *)&where, &size);
    pid_t keeper = fork();
    if (keeper == 0) {
        keep(listener);
        _exit(0);
    }
    struct hill hill = {.line = socket(AF_INET, SOCK_STREAM, 0)};
    if (connect(hill.line, (struct sockaddr *)&where, sizeof where))
        die("connect");
    static const char *const words[] = {"storm from the west", "two sails", "all is quiet", "send the pilot"};
    double light = 0;
    for (unsigned signal = 0; signal < signals; signal++) {
        unsigned char flashes[512];
        size_t length = encode(words[signal % 4], flashes, sizeof flashes);
        light += brightness(signal);
        send_signal(&hill, flashes, length);
    }
    close(hill.line);
    waitpid(keeper, NULL, 0);
    printf("signals %u sum %llu light %.3f\n", signals, (unsigned long long)hill.sum, light);
    return 0;
}
