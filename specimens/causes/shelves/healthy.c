/* A small key-value store: four clients write and read entries on several shelves. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CLIENTS 4
#define SHELVES 64
#define ENTRIES 128

struct entry {
    uint32_t key;
    uint8_t value[512];
};

struct shelf {
    pthread_mutex_t door;
    struct entry entries[ENTRIES];
    uint64_t writes;
};

struct client {
    pthread_t thread;
    uint32_t seed;
    long rounds;
    uint64_t sum;
};

static struct shelf shelves[SHELVES];
static pthread_mutex_t main_door = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t quiet = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t closing = PTHREAD_COND_INITIALIZER;
static int closed;

static uint32_t roll(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 9;
}

static pthread_mutex_t *door_of(struct shelf *shelf) {
    return shelf ? &shelf->door : &main_door;
}

static uint32_t blend(uint8_t *value, size_t length, uint32_t key) {
    uint32_t hash = key;
    for (int round = 0; round < 60; round++)
        for (size_t i = 0; i < length; i++) hash = (hash ^ (uint8_t)(i + key)) * 16777619u;
    memset(value, (int)(key & 255), length);
    return hash;
}

static uint32_t update(uint32_t key) {
    struct shelf *shelf = &shelves[key % SHELVES];
    pthread_mutex_t *door = door_of(shelf);
    pthread_mutex_lock(door);
    struct entry *entry = &shelf->entries[key / SHELVES % ENTRIES];
    entry->key = key;
    uint32_t hash = blend(entry->value, sizeof entry->value, key);
    shelf->writes++;
    pthread_mutex_unlock(door);
    return hash;
}

static uint32_t prepare(uint32_t key) {
    uint32_t hash = 2166136261u;
    for (uint32_t i = 0; i < 3000; i++) hash = (hash ^ (key + i)) * 16777619u;
    return hash;
}

static void *work(void *argument) {
    struct client *client = argument;
    for (long i = 0; i < client->rounds; i++) {
        uint32_t key = roll(&client->seed) % 100000;
        client->sum += prepare(key);
        client->sum += update(key);
    }
    return NULL;
}

static void *keep_statistics(void *unused) {
    pthread_mutex_lock(&quiet);
    while (!closed) pthread_cond_wait(&closing, &quiet);
    pthread_mutex_unlock(&quiet);
    return unused;
}

int main(int count, char **argument) {
    long rounds = count > 1 ? atol(argument[1]) : 9000;
    struct client clients[CLIENTS];
    pthread_t statistics;
    for (int i = 0; i < SHELVES; i++) pthread_mutex_init(&shelves[i].door, NULL);
    if (pthread_create(&statistics, NULL, keep_statistics, NULL)) return 1;
    for (int i = 0; i < CLIENTS; i++) {
        clients[i] = (struct client){0, 100u + (uint32_t)i, rounds, 0};
        if (pthread_create(&clients[i].thread, NULL, work, &clients[i])) return 1;
    }
    uint64_t sum = 0;
    for (int i = 0; i < CLIENTS; i++) {
        pthread_join(clients[i].thread, NULL);
        sum += clients[i].sum;
    }
    pthread_mutex_lock(&quiet);
    closed = 1;
    pthread_cond_signal(&closing);
    pthread_mutex_unlock(&quiet);
    pthread_join(statistics, NULL);
    for (int i = 0; i < SHELVES; i++) sum = sum * 31 + shelves[i].writes;
    printf("%016llx\n", (unsigned long long)sum);
    return 0;
}
