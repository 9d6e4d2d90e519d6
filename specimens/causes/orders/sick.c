/* Collects the state of many orders from a local order service over one connection. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define AHEAD 16
#define LOOKERS 16

struct question {
    uint32_t number;
};

struct answer {
    uint32_t number;
    uint32_t state;
    uint64_t cents;
};

static int service_line;
static pthread_mutex_t writing = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t reading = PTHREAD_MUTEX_INITIALIZER;

static void exactly(ssize_t got, size_t wanted) {
    if (got != (ssize_t)wanted) exit(1);
}

static void *look_up(void *unused) {
    struct question question;
    for (;;) {
        pthread_mutex_lock(&reading);
        ssize_t got = recv(service_line, &question, sizeof question, MSG_WAITALL);
        pthread_mutex_unlock(&reading);
        if (got != sizeof question) return unused;
        usleep(3000);
        struct answer answer = {question.number, question.number * 7 % 5, question.number * 2654435761u % 100000};
        pthread_mutex_lock(&writing);
        exactly(send(service_line, &answer, sizeof answer, MSG_NOSIGNAL), sizeof answer);
        pthread_mutex_unlock(&writing);
    }
}

static void service(int door) {
    pthread_t lookers[LOOKERS];
    service_line = accept(door, NULL, NULL);
    int on = 1;
    setsockopt(service_line, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    for (int i = 0; i < LOOKERS; i++)
        if (pthread_create(&lookers[i], NULL, look_up, NULL)) _exit(1);
    for (int i = 0; i < LOOKERS; i++) pthread_join(lookers[i], NULL);
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

static void ask(int line, uint32_t number) {
    struct question question = {number};
    exactly(send(line, &question, sizeof question, MSG_NOSIGNAL), sizeof question);
}

static uint64_t receive(int line) {
    struct answer answer;
    exactly(recv(line, &answer, sizeof answer, MSG_WAITALL), sizeof answer);
    return (answer.number + 1) * (answer.cents + answer.state);
}

static uint64_t print_page(uint64_t value) {
    for (int i = 0; i < 300000; i++) value = (value ^ (uint64_t)i) * 1099511628211ull;
    return value;
}

static uint64_t collect(int line, uint32_t orders) {
    uint64_t sum = 0;
    for (uint32_t number = 0; number < orders; number++) {
        ask(line, number);
        sum += receive(line);
    }
    return sum;
}

int main(int count, char **argument) {
    uint32_t orders = count > 1 ? (uint32_t)atol(argument[1]) : 400;
    struct sockaddr_in address = {0};
    int door = open_door(&address);
    pid_t child = fork();
    if (child == 0) service(door);
    close(door);
    int line = socket(AF_INET, SOCK_STREAM, 0), on = 1;
    setsockopt(line, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (connect(line, (struct sockaddr *)&address, sizeof address)) return 1;
    uint64_t sum = collect(line, orders);
    close(line);
    waitpid(child, NULL, 0);
    uint64_t page = 0;
    for (int i = 0; i < 500; i++) page += print_page((uint64_t)i % AHEAD);
    printf("%016llx\n", (unsigned long long)(sum ^ page));
    return 0;
}
