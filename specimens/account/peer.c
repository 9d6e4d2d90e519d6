/* Answers each byte on a loopback connection after a delay: `peer MILLISECONDS`. Prints its port, serves until its
 * standard input closes, and lies outside the tree that is measured. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

static useconds_t delay;

static void *serve(void *client) {
    int file = (int)(long)client;
    char byte;
    while (read(file, &byte, 1) == 1) {
        usleep(delay);
        if (write(file, &byte, 1) != 1) break;
    }
    close(file);
    return NULL;
}

static void *accept_all(void *listener) {
    for (;;) {
        pthread_t thread;
        long client = accept((int)(long)listener, NULL, NULL);
        if (client < 0 || pthread_create(&thread, NULL, serve, (void *)client)) exit(3);
        pthread_detach(thread);
    }
}

int main(int argc, char **argv) {
    delay = argc > 1 ? (useconds_t)atoi(argv[1]) * 1000 : 20000;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    long listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (bind((int)listener, (struct sockaddr *)&address, sizeof address) || listen((int)listener, 8)) return 3;
    if (getsockname((int)listener, (struct sockaddr *)&address, &length)) return 3;
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);
    pthread_t thread;
    if (pthread_create(&thread, NULL, accept_all, (void *)listener)) return 3;
    char byte;
    while (read(0, &byte, 1) == 1) {}
    return 0;
}
