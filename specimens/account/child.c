/* Waiting for one's own children: for their end, their pipe, their socket. On the critical path their work stands instead. */
#include "truth.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <sys/socket.h>

enum { PIECES = 20 };

static void reap(pid_t child, struct mark *at) {
    if (waitpid(child, NULL, 0) != child) give_up("waitpid");
    charge(CHARGE, "blocked/child", phase(at, "blocked/child"), child);
}

static void computing(double seconds) {
    struct mark at = mark();
    pid_t child = fork();
    if (child == 0) {
        struct mark own = born();
        spin(seconds);
        phase(&own, "on-cpu/user");
        _exit(0);
    }
    phase(&at, "blocked");
    reap(child, &at);
}

static void sleeping(double seconds) {
    struct mark at = mark();
    pid_t child = fork();
    if (child == 0) {
        struct mark own = born();
        nap(seconds);
        phase(&own, "blocked/sleep");
        _exit(0);
    }
    phase(&at, "blocked");
    reap(child, &at);
}

/* The child computes each piece before it writes it. */
static void piped(double seconds) {
    int ends[2];
    if (pipe(ends)) give_up("pipe");
    struct mark at = mark();
    pid_t child = fork();
    if (child == 0) {
        struct mark own = born();
        for (int i = 0; i < PIECES; i++) {
            spin(seconds / PIECES);
            phase(&own, "on-cpu/user");
            if (write(ends[1], "x", 1) != 1) _exit(3);
        }
        idle_away();
    }
    phase(&at, "blocked");
    char piece;
    double waited = 0;
    for (int i = 0; i < PIECES; i++) {
        if (read(ends[0], &piece, 1) != 1) give_up("read");
        waited += phase(&at, "blocked/pipe");
    }
    charge(CHARGE, "blocked/pipe", waited, child);
    kill(child, SIGKILL);
}

static int loopback(struct sockaddr_in *address, int port) {
    *address = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;
    setsockopt(made, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return made;
}

static void connect_to(int client, struct sockaddr_in *address) {
    if (connect(client, (struct sockaddr *)address, sizeof *address)) give_up("connect");
}

static void ask(int client) {
    char reply;
    if (write(client, "?", 1) != 1 || read(client, &reply, 1) != 1) give_up("ask");
}

/* A local server burns CPU for each answer. */
static void server(double seconds) {
    struct sockaddr_in address;
    socklen_t length = sizeof address;
    int listener = loopback(&address, 0);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 1)) give_up("listen");
    getsockname(listener, (struct sockaddr *)&address, &length);
    struct mark at = mark();
    pid_t child = fork();
    if (child == 0) {
        int client = accept(listener, NULL, NULL);
        struct mark own = born();
        char request;
        while (read(client, &request, 1) == 1) {
            own = mark();
            spin(seconds / PIECES);
            phase(&own, "on-cpu/user");
            if (write(client, "!", 1) != 1) break;
        }
        idle_away();
    }
    phase(&at, "blocked");
    struct sockaddr_in unused;
    int client = loopback(&unused, 0);
    connect_to(client, &address);
    double waited = 0;
    for (int i = 0; i < PIECES; i++) {
        ask(client);
        waited += phase(&at, "blocked/network");
    }
    charge(CHARGE, "blocked/network", waited, child);
    kill(child, SIGKILL);
}

/* The peer is no child of ours: $SLOWPATH_PEER is its port, and it takes its time to answer. */
static void remote(double seconds) {
    const char *port = getenv("SLOWPATH_PEER");
    if (!port) errno = EINVAL, give_up("SLOWPATH_PEER");
    struct sockaddr_in address;
    int client = loopback(&address, atoi(port));
    struct mark at = mark();
    connect_to(client, &address);
    for (double end = at.wall + seconds; at.wall < end;) {
        ask(client);
        phase(&at, "blocked/network");
    }
}

static const char *const names[] = {"computing", "sleeping", "piped", "server", "remote"};
static specimen *const modes[] = {computing, sleeping, piped, server, remote};
MAIN(names, modes)
