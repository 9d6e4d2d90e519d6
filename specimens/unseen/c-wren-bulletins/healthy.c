// Fetches the weather bulletins of all villages from a station and looks for the driest one.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROOM = 1 << 14, PATIENCE = 25 };

// The station answers any number of questions on one line; it hangs up when it hears nothing for a while.
static void talk(int line)
{
    char question[64];
    static char answer[ROOM];
    struct pollfd wait = {line, POLLIN, 0};
    while (poll(&wait, 1, PATIENCE) > 0) {
        ssize_t got = read(line, question, sizeof question - 1);
        if (got <= 0)
            break;
        question[got] = 0;
        unsigned village = (unsigned)strtoul(question + 4, NULL, 10);
        char body[4096];
        int length = 0;
        for (unsigned day = 0; day < 120; day++)
            length += sprintf(body + length, "%u %u\n", day, ((village + 7) * 2654435761u + day * 40503u) >> 25);
        int all = sprintf(answer, "OK\r\nLength: %d\r\n\r\n%s", length, body);
        write(line, answer, (size_t)all);
    }
    close(line);
}

static pid_t start_station(uint16_t *port)
{
    int door = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in here = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof here;
    bind(door, (struct sockaddr *)&here, sizeof here);
    listen(door, 64);
    getsockname(door, (struct sockaddr *)&here, &size);
    *port = here.sin_port;
    pid_t child = fork();
    if (child == 0) {
        for (;;) {
            int line = accept(door, NULL, NULL);
            if (line >= 0)
                talk(line);
        }
    }
    close(door);
    return child;
}

static int call(uint16_t port)
{
    int line = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in there = {.sin_family = AF_INET, .sin_port = port, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (connect(line, (struct sockaddr *)&there, sizeof there)) {
        perror("connect");
        exit(1);
    }
    return line;
}

static size_t whole_length(const char *text)
{
    const char *head = strstr(text, "Length: "), *body = strstr(text, "\r\n\r\n");
    return head && body ? (size_t)(body + 4 - text) + strtoul(head + 8, NULL, 10) : SIZE_MAX;
}

static const char *bulletin(uint16_t port, unsigned village, char *text)
{
    int line = call(port);
    dprintf(line, "GET %u\n", village);
    size_t held = 0;
    ssize_t got;
    while ((got = read(line, text + held, ROOM - 1 - held)) > 0) {
        held += (size_t)got;
        text[held] = 0;
        if (held >= whole_length(text))
            break;
    }
    close(line);
    if (held != whole_length(text)) {
        fprintf(stderr, "village %u: half a bulletin\n", village);
        exit(1);
    }
    return strstr(text, "\r\n\r\n") + 4;
}

static unsigned long rain_in(const char *days)
{
    unsigned long rain = 0;
    for (const char *at = days; *at;) {
        char *end;
        strtoul(at, &end, 10);
        rain += strtoul(end, &end, 10);
        at = end + 1;
    }
    return rain;
}

static uint32_t smooth(unsigned long rain)
{
    uint32_t value = (uint32_t)rain;
    for (unsigned step = 0; step < 1200000; step++)
        value = value * 1664525u + (value >> 7) + step;
    return value;
}

int main(int argc, char **argv)
{
    unsigned villages = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 8;
    static char text[ROOM];
    uint16_t port;
    pid_t station = start_station(&port);
    unsigned driest = 0;
    unsigned long least = ~0ul;
    uint32_t mark = 0;
    for (unsigned village = 0; village < villages; village++) {
        unsigned long rain = rain_in(bulletin(port, village, text));
        mark ^= smooth(rain + village);
        if (rain < least) {
            least = rain;
            driest = village;
        }
    }
    kill(station, 15);
    waitpid(station, NULL, 0);
    printf("driest %u with %lu, mark %08x\n", driest, least, mark);
    return 0;
}
