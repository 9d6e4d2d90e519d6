/* Fetches a map from a local map server, row by row, and measures its coast. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define SIDE_MOST 512

struct wish {
    uint32_t row, column, length;
};

static void exactly(ssize_t got, size_t wanted) {
    if (got != (ssize_t)wanted) exit(1);
}

static uint32_t height(uint32_t row, uint32_t column) { return (row * row * 31 + column * column * 17 + row * column) % 997; }

static void serve(int door) {
    int line = accept(door, NULL, NULL), on = 1;
    setsockopt(line, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    struct wish wish;
    uint32_t cells[SIDE_MOST];
    while (recv(line, &wish, sizeof wish, MSG_WAITALL) == sizeof wish) {
        for (uint32_t i = 0; i < wish.length; i++) cells[i] = height(wish.row, wish.column + i);
        exactly(send(line, cells, wish.length * sizeof *cells, MSG_NOSIGNAL), wish.length * sizeof *cells);
    }
    _exit(0);
}

static int open_door(struct sockaddr_in *address) {
    int door = socket(AF_INET, SOCK_STREAM, 0);
    socklen_t length = sizeof *address;
    address->sin_family = AF_INET;
    address->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (bind(door, (struct sockaddr *)address, length) || listen(door, 4)) exit(1);
    getsockname(door, (struct sockaddr *)address, &length);
    return door;
}

static void fetch_cells(int line, struct wish wish, uint32_t *cells) {
    exactly(send(line, &wish, sizeof wish, MSG_NOSIGNAL), sizeof wish);
    exactly(recv(line, cells, wish.length * sizeof *cells, MSG_WAITALL), wish.length * sizeof *cells);
}

static void fetch_row(int line, uint32_t row, uint32_t *cells, uint32_t side) {
    fetch_cells(line, (struct wish){row, 0, side}, cells);
}

static void fetch_map(int line, uint32_t *cells, uint32_t side) {
    for (uint32_t row = 0; row < side; row++) fetch_row(line, row, cells + row * side, side);
}

static uint64_t coast(const uint32_t *cells, uint32_t side, uint32_t sea) {
    uint64_t length = 0;
    for (uint32_t y = 1; y < side; y++)
        for (uint32_t x = 1; x < side; x++) {
            const uint32_t *here = cells + y * side + x;
            length += (here[0] > sea) != (here[-1] > sea);
            length += (here[0] > sea) != (*(here - side) > sea);
        }
    return length;
}

int main(int count, char **argument) {
    uint32_t side = count > 1 ? (uint32_t)atol(argument[1]) : 180;
    if (side < 2 || side > SIDE_MOST) return 1;
    struct sockaddr_in address = {0};
    int door = open_door(&address);
    pid_t child = fork();
    if (child == 0) serve(door);
    close(door);
    int line = socket(AF_INET, SOCK_STREAM, 0), on = 1;
    setsockopt(line, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (connect(line, (struct sockaddr *)&address, sizeof address)) return 1;
    uint32_t *cells = calloc((size_t)side * side, sizeof *cells);
    if (!cells) return 1;
    fetch_map(line, cells, side);
    close(line);
    waitpid(child, NULL, 0);
    uint64_t sum = 0;
    for (uint32_t level = 0; level < 6000; level++) sum = sum * 31 + coast(cells, side, level % 997);
    printf("%016llx\n", (unsigned long long)sum);
    free(cells);
    return 0;
}
